/*
 * The random words of the masked packages of R. Weatherley: rweather/lightweight-crypto, and
 * `rhys_masked` in NIST's tree of implementations; rweather/lwc-finalists.
 *
 * This file replaces the package's own aead-random.c, which has no entry for the parts measured
 * here and computes its words with ChaCha20 from a constant seed. Each word comes from pw_random32
 * instead, as on the parts whose generator the original reads. Nothing is reseeded.
 *
 * Reference: aead-random.h of these packages declares the functions.
 */
#include <stdint.h>

#include "../../include/pennyweight/random.h"

/* A package that defines one of them in another source keeps it. */
#define BOUND __attribute__((weak))

void aead_random_init(void);
void aead_random_finish(void);
void aead_random_reseed(void);
void aead_random_set_seed(const unsigned char seed[32]);
int aead_random_get_system_seed(unsigned char seed[32]);
uint32_t aead_random_generate_32(void);
uint64_t aead_random_generate_64(void);
void aead_random_generate_32_multiple(uint32_t *out, unsigned count);
void aead_random_generate_64_multiple(uint64_t *out, unsigned count);
void aead_random_generate(void *buffer, unsigned size);

BOUND void aead_random_init(void) {}

BOUND void aead_random_finish(void) {}

BOUND void aead_random_reseed(void) {}

BOUND void aead_random_set_seed(const unsigned char seed[32])
{
    (void)seed;
}

BOUND uint32_t aead_random_generate_32(void)
{
    return pw_random32();
}

BOUND uint64_t aead_random_generate_64(void)
{
    const uint32_t low = pw_random32();

    return (uint64_t)pw_random32() << 32 | low;
}

BOUND void aead_random_generate_32_multiple(uint32_t *out, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        out[i] = pw_random32();
    }
}

BOUND void aead_random_generate_64_multiple(uint64_t *out, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        out[i] = aead_random_generate_64();
    }
}

BOUND void aead_random_generate(void *buffer, unsigned size)
{
    unsigned char *bytes = buffer;
    uint32_t word = 0;

    for (unsigned i = 0; i < size; i++) {
        word = i % 4 == 0 ? pw_random32() : word >> 8;
        bytes[i] = (unsigned char)word;
    }
}

/* The seed of generators in software: 32 bytes. */
BOUND int aead_random_get_system_seed(unsigned char seed[32])
{
    aead_random_generate(seed, 32);
    return 1;
}
