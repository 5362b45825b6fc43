/*
 * Wraps the seven functions of FELICS-AEAD in the one-shot API of SUPERCOP and NIST, so that a
 * cipher written for FELICS is verified like any other. Measurements of single functions call them
 * directly, without this file.
 *
 * The build defines KEY_SIZE, STATE_SIZE and TAG_SIZE in bytes, whether the functions take empty
 * inputs (PROCESS_EMPTY_AD, PROCESS_EMPTY_MESSAGE), and the functions' other names, if any. A
 * cipher's functions may take non-const pointers: they receive a copy, or the framework's contract
 * forbids writing through them.
 */
#include <stdint.h>

#include "../include/crypto_aead.h"

extern void Initialize(uint8_t *state, const uint8_t *key, const uint8_t *nonce);
extern void ProcessAssociatedData(uint8_t *state, const uint8_t *data, uint32_t length);
extern void ProcessPlaintext(uint8_t *state, uint8_t *message, uint32_t length);
extern void ProcessCiphertext(uint8_t *state, uint8_t *message, uint32_t length);
extern void Finalize(uint8_t *state, const uint8_t *key);
extern void TagGeneration(uint8_t *state, uint8_t *tag);
extern int TagVerification(uint8_t *state, uint8_t *tag);

/* The framework's own function, for ciphers that define none. */
__attribute__((weak)) int TagVerification(uint8_t *state, uint8_t *tag)
{
    uint8_t expected[TAG_SIZE];
    uint8_t difference = 0;
    TagGeneration(state, expected);
    for (uint8_t i = 0; i < TAG_SIZE; i++) {
        difference |= (uint8_t)(expected[i] ^ tag[i]);
    }
    return difference == 0 ? 0 : -1;
}

static void begin(uint8_t *state, const unsigned char *ad, uint32_t adlen,
                  const unsigned char *npub, const unsigned char *k)
{
    for (uint16_t i = 0; i < STATE_SIZE; i++) {
        state[i] = 0;
    }
    Initialize(state, k, npub);
    if (PROCESS_EMPTY_AD || adlen > 0) {
        ProcessAssociatedData(state, ad, adlen);
    }
}

/* Copies upwards: the output may be the input. */
static void copy(unsigned char *to, const unsigned char *from, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++) {
        to[i] = from[i];
    }
}

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k)
{
    _Alignas(8) uint8_t state[STATE_SIZE];
    _Alignas(8) uint8_t tag[TAG_SIZE];
    const uint32_t length = (uint32_t)mlen;
    (void)nsec;
    begin(state, ad, (uint32_t)adlen, npub, k);
    copy(c, m, length);
    if (PROCESS_EMPTY_MESSAGE || length > 0) {
        ProcessPlaintext(state, c, length);
    }
    Finalize(state, k);
    TagGeneration(state, tag);
    copy(c + length, tag, TAG_SIZE);
    *clen = mlen + TAG_SIZE;
    return 0;
}

int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    _Alignas(8) uint8_t state[STATE_SIZE];
    _Alignas(8) uint8_t tag[TAG_SIZE];
    (void)nsec;
    if (clen < TAG_SIZE) {
        return -1;
    }
    const uint32_t length = (uint32_t)(clen - TAG_SIZE);
    copy(tag, c + length, TAG_SIZE);
    begin(state, ad, (uint32_t)adlen, npub, k);
    copy(m, c, length);
    if (PROCESS_EMPTY_MESSAGE || length > 0) {
        ProcessCiphertext(state, m, length);
    }
    Finalize(state, k);
    *mlen = length;
    if (TagVerification(state, tag) != 0) {
        for (uint32_t i = 0; i < length; i++) {
            m[i] = 0;
        }
        return -1;
    }
    return 0;
}
