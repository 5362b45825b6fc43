/*
 * SUNDAE-GIFT with a nonce of 0, 64, 96 or 128 bits, for all representations of GIFT-128.
 *
 * References: S. Banik, A. Bogdanov, T. Peyrin, Y. Sasaki, S. M. Sim, E. Tischhauser, Y. Todo,
 * "SUNDAE-GIFT v1.0" (submission to NIST's lightweight cryptography project, round 2, 2019),
 * section 2; same names.
 *
 * The nonce is the beginning of the associated data. Encryption starts with the tag of the whole
 * message, which comes first in the output: there is no incremental API.
 */
#include "api.h"
#include "bytes.h"
#include "crypto_aead.h"
#include "gift128.h"
#include "secret.h"

typedef struct {
    gift128_key key;
    uint8_t v[16];  /* V plus the input since then; E_K is applied when more follows */
    uint8_t filled; /* bytes in the current block */
} sundae;

/* V = E_K(V). */
static void encrypt(sundae *s)
{
    gift128_state state;

    gift128_load(&state, s->v);
    gift128_encrypt(&state, &s->key);
    gift128_store(s->v, &state);
}

/* V = 2 V, in GF(2^128) with the basis of the specification: a shift register of bytes. */
static void multiply(uint8_t v[16])
{
    const uint8_t first = v[0];

    for (uint8_t i = 0; i < 15; i++) {
        v[i] = v[i + 1];
    }
    v[15] = first;
    v[10] ^= first;
    v[12] ^= first;
    v[14] ^= first;
}

/* The nonce's length as encoded in the first block. */
#if CRYPTO_NPUBBYTES == 0
#define LENGTH 0
#else
#define LENGTH (CRYPTO_NPUBBYTES / 4 - 1)
#endif

/* Begins: the first block encodes whether there are associated data (including the nonce) and a
 * message, and the nonce's length. */
static void start(sundae *s, uint8_t with_ad, uint8_t with_message)
{
    zero_bytes(s->v, 16);
    s->v[0] = (uint8_t)(with_ad << 7 | with_message << 6 | LENGTH << 4);
    encrypt(s);
    s->filled = 0;
}

/* Absorbs `length` bytes; the last block stays pending until `end`. */
static void absorb(sundae *s, const uint8_t *bytes, size_t length)
{
    for (; length != 0; length--) {
        if (s->filled == 16) {
            encrypt(s);
            s->filled = 0;
        }
        s->v[s->filled++] ^= *bytes++;
    }
}

/* Ends the associated data or the message: 4 V if the last block is full, else padding and 2 V. */
static void end(sundae *s)
{
    if (s->filled == 16) {
        multiply(s->v);
    } else {
        s->v[s->filled] ^= 0x80;
    }
    multiply(s->v);
    encrypt(s);
    s->filled = 0;
}

/* Computes the tag in V. */
static void authenticate(sundae *s, const uint8_t *nonce, const uint8_t *ad, size_t adlen,
                         const uint8_t *message, size_t length)
{
    const uint8_t with_ad = CRYPTO_NPUBBYTES != 0 || adlen != 0;

    start(s, with_ad, length != 0);
    if (with_ad) {
        absorb(s, nonce, CRYPTO_NPUBBYTES);
        absorb(s, ad, adlen);
        end(s);
    }
    if (length != 0) {
        absorb(s, message, length);
        end(s);
    }
}

/* output = input ^ key stream, V encrypted once, twice and so on. */
static void crypt(sundae *s, uint8_t *output, const uint8_t *input, size_t length)
{
    while (length != 0) {
        const uint8_t n = length < 16 ? (uint8_t)length : 16;

        encrypt(s);
        for (uint8_t i = 0; i < n; i++) {
            *output++ = *input++ ^ s->v[i];
        }
        length -= n;
    }
}

/* The output may be the message's buffer: first the message is moved after the tag. */
int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k)
{
    const size_t length = (size_t)mlen;
    sundae s;

    (void)nsec;
    gift128_set_key(&s.key, k);
    authenticate(&s, npub, ad, (size_t)adlen, m, length);
    for (size_t i = length; i-- != 0;) {
        c[CRYPTO_ABYTES + i] = m[i];
    }
    copy_bytes(c, s.v, CRYPTO_ABYTES);
    crypt(&s, c + CRYPTO_ABYTES, c + CRYPTO_ABYTES, length);
    *clen = length + CRYPTO_ABYTES;
    return 0;
}

/* On rejection, the output is zero throughout. */
int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    size_t length = (size_t)clen;
    uint8_t tag[CRYPTO_ABYTES];
    sundae s;

    (void)nsec;
    *mlen = 0;
    if (length < CRYPTO_ABYTES) {
        return -1;
    }
    length -= CRYPTO_ABYTES;
    copy_bytes(tag, c, CRYPTO_ABYTES);
    gift128_set_key(&s.key, k);
    copy_bytes(s.v, tag, CRYPTO_ABYTES);
    crypt(&s, m, c + CRYPTO_ABYTES, length);
    authenticate(&s, npub, ad, (size_t)adlen, m, length);
    if (compare_constant_time(s.v, tag, CRYPTO_ABYTES) != 0) {
        wipe(m, length);
        return -1;
    }
    *mlen = length;
    return 0;
}
