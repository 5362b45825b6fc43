/*
 * Tests how a mode encodes the length of very long messages. The mode's source is included; its
 * block functions are replaced by functions that only keep the block with the length. Reads lines
 * of
 *
 *   BEFORE MORE
 *
 * and answers with the bytes that encode the length after BEFORE bytes, a multiple of the block
 * size, and one call with MORE bytes. For an AEAD, these are associated data, and the message has a
 * hundred bytes more than BEFORE. One of SHA_256, SHA_512, BLAKE2, CHACHA20_POLY1305 and GCM is
 * defined.
 */
#include <sys/mman.h>

#include "lines.h"

static unsigned char encoded[16];

#if defined SHA_256

#include "sha256.c"

enum { ENCODED = 8 };

void sha256_compress(uint32_t h[8], const uint8_t *blocks, size_t n)
{
    (void)h;
    if (n == 1) {
        memcpy(encoded, blocks + 56, 8);
    }
}

static void count_to(uint64_t before, const uint8_t *zeros, size_t more)
{
    hash_state state;
    uint8_t digest[32];

    hash_init(&state);
    state.bytes[0] = (uint32_t)before;
    state.bytes[1] = (uint32_t)(before >> 32);
    hash_update(&state, zeros, more);
    hash_final(&state, digest);
}

#elif defined SHA_512

#include "sha512.c"

enum { ENCODED = 16 };

void sha512_compress(uint64_t h[8], const uint8_t *block)
{
    (void)h;
    memcpy(encoded, block + 112, 16);
}

static void count_to(uint64_t before, const uint8_t *zeros, size_t more)
{
    hash_state state;
    uint8_t digest[64];

    hash_init(&state);
    state.bytes = before;
    hash_update(&state, zeros, more);
    hash_final(&state, digest);
}

#elif defined BLAKE2

#include "blake2.c"

/* t, low word first; the compression function adds it to the working variables. */
enum { ENCODED = 2 * sizeof(blake2_word) };

void blake2_rounds(blake2_word *v, const blake2_word *m)
{
    (void)m;
    BLAKE2_STORE(encoded, v[12] ^ blake2_iv_word(4));
    BLAKE2_STORE(encoded + ENCODED / 2, v[13] ^ blake2_iv_word(5));
}

static void count_to(uint64_t before, const uint8_t *zeros, size_t more)
{
    blake2 state;
    uint8_t digest[8];

    blake2_init(&state, sizeof digest, NULL, 0);
    state.bytes[0] = (blake2_word)before;
    state.bytes[1] = sizeof(blake2_word) == 8 ? 0 : (blake2_word)(before >> 32);
    blake2_update(&state, zeros, more);
    blake2_final(&state, digest, sizeof digest);
}

#elif defined CHACHA20_POLY1305

#include "aead.c"

void poly1305_init(poly1305 *state, const uint8_t *r)
{
    (void)state;
    (void)r;
}

void poly1305_blocks(poly1305 *state, const uint8_t *blocks, size_t n, uint8_t top)
{
    (void)state;
    (void)top;
    if (n == 1) {
        memcpy(encoded, blocks, 16);
    }
}

void poly1305_finish(const poly1305 *state, uint8_t *s)
{
    (void)state;
    (void)s;
}

static void set_counts(aead_state *state, uint64_t before)
{
    state->ad_bytes[0] = state->message_bytes[0] = (uint32_t)before;
    state->ad_bytes[1] = state->message_bytes[1] = (uint32_t)(before >> 32);
}

#elif defined GCM

#include "gcm.c"

void aes_expand_key(aes_key *key, const uint8_t *k)
{
    (void)key;
    (void)k;
}

void aes_encrypt(const aes_key *key, uint32_t *blocks)
{
    (void)key;
    (void)blocks;
}

void ghash_init(ghash_state *state, const uint8_t h[16])
{
    (void)state;
    (void)h;
}

void ghash_update(ghash_state *state, const uint8_t *data, size_t length)
{
    (void)state;
    if (length == 16) {
        memcpy(encoded, data, 16);
    }
}

void ghash_digest(const ghash_state *state, uint8_t digest[16])
{
    (void)state;
    memset(digest, 0, 16);
}

static void set_counts(aead_state *state, uint64_t before)
{
    state->ad.blocks = state->message.blocks = (uint32_t)(before / 16);
}

#endif

#if defined CHACHA20_POLY1305 || defined GCM

enum { ENCODED = 16 };

static void count_to(uint64_t before, const uint8_t *zeros, size_t more)
{
    static const uint8_t key[32], nonce[12], plaintext[100];
    aead_state state;
    uint8_t ciphertext[100];

    aead_init(&state, key, nonce);
    set_counts(&state, before);
    aead_ad(&state, zeros, more);
    aead_encrypt(&state, ciphertext, plaintext, sizeof plaintext);
    aead_finalize(&state);
}

#endif

int main(void)
{
    char *fields[2];

    while (next_line(fields, 2) == 2) {
        const uint64_t before = strtoull(fields[0], NULL, 10);
        const size_t more = strtoull(fields[1], NULL, 10);
        /* Zeros that occupy no memory until they are read. */
        void *zeros =
            mmap(NULL, more, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

        if (zeros == MAP_FAILED) {
            return 1;
        }
        count_to(before, zeros, more);
        bytes_print(encoded, ENCODED);
        munmap(zeros, more);
    }
    return 0;
}
