/*
 * SATURNIN-Short: authenticated encryption of messages of less than 16 bytes, without associated
 * data, in one block that holds the nonce too.
 *
 * References: A. Canteaut, S. Duval, G. Leurent, M. Naya-Plasencia, L. Perrin, T. Pornin, A.
 * Schrottenloher, "Saturnin" (submission to NIST's lightweight cryptography project, round 2,
 * 2019), section 2.3.
 */
#include "crypto_aead.h"

#include "api.h"
#include "bytes.h"
#include "saturnin.h"
#include "secret.h"

enum {
    ROUNDS = 10,
    DOMAIN = 6,
};

/* Returns -1 for a message of more than 15 bytes and for any associated data. The ciphertext always
 * has 32 bytes. */
int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k)
{
    const uint8_t length = (uint8_t)mlen;
    uint8_t block[SATURNIN_BYTES];

    (void)ad;
    (void)nsec;
    *clen = 0;
    if (mlen > CRYPTO_LONGEST || adlen != 0) {
        return -1;
    }
    copy_bytes(block, npub, CRYPTO_NPUBBYTES);
    copy_bytes(block + CRYPTO_NPUBBYTES, m, length);
    block[CRYPTO_NPUBBYTES + length] = 0x80;
    zero_bytes(block + CRYPTO_NPUBBYTES + length + 1, (size_t)(CRYPTO_LONGEST - length));
    saturnin_encrypt(block, k, ROUNDS, DOMAIN);
    copy_bytes(c, block, SATURNIN_BYTES);
    *clen = SATURNIN_BYTES;
    return 0;
}

/* The length of the padded message at `padded`, 16 bytes, or 16 if its padding is wrong; in
 * constant time. */
static uint8_t message_length(const uint8_t *padded)
{
    uint8_t length = 16;
    uint8_t found = 0; /* 0xff after the first nonzero byte from the end */

    for (uint8_t i = 16; i-- != 0;) {
        const uint8_t zero = (uint8_t)(((unsigned)padded[i] - 1u) >> 8);
        const uint8_t mark = (uint8_t)(((unsigned)(padded[i] ^ 0x80) - 1u) >> 8);

        length ^= (uint8_t)((length ^ i) & mark & (uint8_t)~found);
        found |= (uint8_t)~zero;
    }
    return length;
}

/* Nothing is written to `m` before the message has been verified. Then its length is written, so
 * `m` must have room for the longest message if the length is not known. */
int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    uint8_t block[SATURNIN_BYTES];
    uint8_t length;

    (void)nsec;
    (void)ad;
    *mlen = 0;
    if (clen != SATURNIN_BYTES || adlen != 0) {
        return -1;
    }
    copy_bytes(block, c, SATURNIN_BYTES);
    saturnin_decrypt(block, k, ROUNDS, DOMAIN);
    length = message_length(block + CRYPTO_NPUBBYTES);
    /* One check for both: 16 has a bit that no length has. */
    if ((compare_constant_time(block, npub, CRYPTO_NPUBBYTES) & 16) | (length & 16)) {
        wipe(block, SATURNIN_BYTES);
        return -1;
    }
    copy_bytes(m, block + CRYPTO_NPUBBYTES, length);
    *mlen = length;
    return 0;
}
