/*
 * AES-CCM with nonces of 7 to 13 bytes and tags of 4, 6, ... 16, as set in api.h.
 *
 * References: NIST SP 800-38C, "Recommendation for Block Cipher Modes of Operation: The CCM Mode
 * for Authentication and Confidentiality" (2004, updated 2007), section 6 and appendix A; same
 * names. RFC 5116 (2008), sections 5.3 and 5.4, and RFC 9053 (2022), section 4.2: sizes.
 *
 * "aes.h" is the representation that the implementation chose; see implementations/README.md for
 * its interface. The first authenticated block contains the length of the payload, so no part can
 * be processed before its end is known: there is no incremental API.
 */
#include "aes.h"
#include "api.h"
#include "block128.h"
#include "crypto_aead.h"
#include "inline.h"
#include "secret.h"

#if CRYPTO_NPUBBYTES < 7 || CRYPTO_NPUBBYTES > 13
#error "CCM has nonces of 7 to 13 bytes"
#endif
#if CRYPTO_ABYTES < 4 || CRYPTO_ABYTES > 16 || CRYPTO_ABYTES % 2 != 0
#error "CCM has tags of 4, 6, 8, 10, 12, 14 or 16 bytes"
#endif

enum {
    N_BYTES = CRYPTO_NPUBBYTES,      /* n */
    Q_BYTES = 15 - CRYPTO_NPUBBYTES, /* q: the payload has less than 256^q bytes */
    T_BYTES = CRYPTO_ABYTES,         /* t */
};

/* Whether a payload can be too long for q bytes. Two shifts, since one by all bits of a size_t is
 * undefined. */
#define LENGTH_HAS_LIMIT                                                                           \
    (SIZE_MAX >> 4 * (15 - CRYPTO_NPUBBYTES) >> 4 * (15 - CRYPTO_NPUBBYTES) != 0)

/*
 * X and S are adjacent, so that where AES takes two blocks at a time, one call gives both. X is Y_i
 * plus the input since then: CIPH_K is applied to it when more input follows, or at the end.
 */
typedef struct {
    aes_key cipher;      /* K */
    uint32_t blocks[8];  /* X, then S_j */
    uint32_t counter[4]; /* Ctr_j */
} ccm_state;

#define X(state) (state)->blocks
#define S(state) ((state)->blocks + 4)

/* X = CIPH_K(X). */
static void authenticate(ccm_state *state)
{
    aes_encrypt(&state->cipher, X(state));
}

/* X = CIPH_K(X), S_j = CIPH_K(Ctr_j). */
static void authenticate_and_stream(ccm_state *state)
{
    block_copy(S(state), state->counter);
    aes_encrypt(&state->cipher, X(state));
#if AES_BLOCKS == 1
    aes_encrypt(&state->cipher, S(state));
#endif
}

/* X = B_0, Ctr_0: flags, the nonce, and in q bytes the payload's length or 0. */
static void start(ccm_state *state, const uint8_t *nonce, size_t plen, uint8_t with_ad)
{
    uint8_t *b = (uint8_t *)X(state), *ctr = (uint8_t *)state->counter;

    b[0] = (uint8_t)(with_ad << 6 | (T_BYTES - 2) / 2 << 3 | (Q_BYTES - 1));
    ctr[0] = Q_BYTES - 1;
    for (uint8_t i = 1; i <= N_BYTES; i++) {
        b[i] = ctr[i] = *nonce++;
    }
    for (uint8_t i = 15; i > N_BYTES; i--) {
        b[i] = (uint8_t)plen;
        plen >>= 8;
        ctr[i] = 0;
    }
}

/* Adds a, the length of the associated data, to X. Returns the bytes of its encoding. */
static uint8_t add_ad_length(ccm_state *state, size_t a)
{
    uint8_t *b = (uint8_t *)X(state);
    uint8_t encoded = 2;

    if (a >= 0xff00) { /* 0xfffe, then four bytes; 0xffff, then eight */
        b[0] ^= 0xff;
        b[1] ^= 0xfe;
#if SIZE_MAX > 0xffffffff
        if (a > 0xffffffff) {
            b[1] ^= 0xfe ^ 0xff;
            for (uint8_t i = 0; i < 4; i++) {
                b[2 + i] ^= (uint8_t)(a >> (56 - 8 * i));
            }
            b += 4;
            encoded = 6;
        }
#endif
#if SIZE_MAX > 0xffff
        b[2] ^= (uint8_t)(a >> 24);
        b[3] ^= (uint8_t)(a >> 16);
#endif
        b += 4;
        encoded = (uint8_t)(encoded + 4);
    }
    b[0] ^= (uint8_t)(a >> 8);
    b[1] ^= (uint8_t)a;
    return encoded;
}

/* Absorbs the associated data, which must not be empty. */
static void take_ad(ccm_state *state, const uint8_t *ad, size_t a)
{
    uint8_t used;

    authenticate(state);
    used = add_ad_length(state, a);
    for (;;) {
        const uint8_t n = a < 16u - used ? (uint8_t)a : (uint8_t)(16 - used);

        for (uint8_t i = 0; used != 0 && i < n; i++) {
            ((uint8_t *)X(state))[used + i] ^= ad[i];
        }
        if (used == 0) {
            block_add_bytes(X(state), ad, n);
        }
        ad += n;
        a -= n;
        if (a == 0) {
            break;
        }
        used = 0;
        authenticate(state);
    }
}

/* Encrypts or decrypts `length` bytes and computes the tag in X. */
static void ccm(ccm_state *state, uint8_t *output, const uint8_t *input, size_t length,
                const uint8_t *ad, size_t a, const uint8_t *nonce, const uint8_t *key,
                uint8_t decrypt)
{
    aes_expand_key(&state->cipher, key);
    start(state, nonce, length, a != 0);
    if (a != 0) {
        take_ad(state, ad, a);
    }
    while (length != 0) {
        const uint8_t n = length < 16 ? (uint8_t)length : 16;

        block_increment(state->counter, Q_BYTES);
        authenticate_and_stream(state);
        block_crypt(X(state), output, input, S(state), n, decrypt);
        output += n;
        input += n;
        length -= n;
    }
    for (uint8_t i = 16 - Q_BYTES; i < 16; i++) { /* Ctr_0 */
        ((uint8_t *)state->counter)[i] = 0;
    }
    authenticate_and_stream(state);
    block_add(X(state), S(state));
}

/* -1 if the payload is longer than its length can express. */
int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k)
{
    const size_t length = (size_t)mlen;
    ccm_state state;

    (void)nsec;
    *clen = 0;
#if LENGTH_HAS_LIMIT
    if (length >> 8 * (Q_BYTES - 1) > 0xff) {
        return -1;
    }
#endif
    ccm(&state, c, m, length, ad, (size_t)adlen, npub, k, 0);
    copy_bytes(c + length, (const uint8_t *)X(&state), T_BYTES);
    *clen = length + T_BYTES;
    return 0;
}

/* On rejection, the output is zero throughout. */
int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    size_t length = (size_t)clen;
    ccm_state state;

    (void)nsec;
    *mlen = 0;
    if (length < T_BYTES) {
        return -1;
    }
    length -= T_BYTES;
#if LENGTH_HAS_LIMIT
    if (length >> 8 * (Q_BYTES - 1) > 0xff) {
        return -1;
    }
#endif
    ccm(&state, m, c, length, ad, (size_t)adlen, npub, k, 1);
    if (compare_constant_time((const uint8_t *)X(&state), c + length, T_BYTES) != 0) {
        wipe(m, length);
        return -1;
    }
    *mlen = length;
    return 0;
}
