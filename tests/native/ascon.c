/* Compares the assembly of Ascon with its C. */
#define PW_ASM
#define PW_ASM8
#include "compare.h"
#include "permutation.h"

#ifdef BYTES
void reference_permute(ascon_state *s, uint8_t constant);
#else
void reference_permute(ascon_state *s, unsigned constant);
#endif
void reference_block(ascon_state *s, uint8_t *output, const uint8_t *input, unsigned direction);
void reference_output(ascon_state *s, uint8_t *output);
void reference_absorb_bits(ascon_state *s, const uint8_t *bits);

enum { MOST = 4, LENGTH = MOST * ASCON_RATE };

COMPARED_STATES(ascon_state, LENGTH)

static void compare_permutations(void)
{
    static const uint8_t constants[] = {ASCON_12_ROUNDS, ASCON_8_ROUNDS, ASCON_6_ROUNDS,
                                        ASCON_1_ROUND};

    for (unsigned i = 0; i < 4; i++) {
        start();
        ascon_permute(&a, constants[i]);
        reference_permute(&b, constants[i]);
        compare(&a, &b, sizeof a);
    }
}

#if ASCON_NATIVE_BLOCKS

/* `blocks` blocks at an address. */
static void compare_blocks(unsigned blocks, unsigned direction, unsigned offset, int in_place)
{
    uint8_t *const in = input + offset, *const out = in_place ? in : output;

    start();
    for (unsigned i = 0; i < blocks; i++) {
        reference_block(&b, expected + i * ASCON_RATE, in + i * ASCON_RATE, direction);
    }
    if (direction == ASCON_ABSORB) {
        ascon_absorb_blocks(&a, NULL, in, blocks);
    }
#ifdef ASCON_KEY_BYTES
    else if (direction == ASCON_ENCRYPT) {
        ascon_encrypt_blocks(&a, out, in, blocks);
    } else {
        ascon_decrypt_blocks(&a, out, in, blocks);
    }
    if (direction != ASCON_ABSORB) {
        compare(out, expected, blocks * ASCON_RATE);
    }
#endif
    compare(&a, &b, sizeof a);
}

#endif

#if ASCON_KEYED

void reference_initialize(ascon_state *s, ascon_key *k, const uint8_t *key, const uint8_t *nonce);
void reference_finalize(ascon_state *s, const ascon_key *k, uint8_t *tag);

static void compare_keyed(unsigned offset)
{
    ascon_key j, k;

    start();
    reference_initialize(&b, &k, input + offset, input + 16 + offset);
    a.x[0] = ascon_lane_of(ASCON_IV);
    ascon_initialize(&a, &j, input + offset, input + 16 + offset);
    compare(&a, &b, sizeof a);
    compare(&j, &k, sizeof j);
    reference_finalize(&b, &k, expected);
    ascon_finalize(&a, &j);
    compare(&a.x[3], expected, 16);
}

#endif

#if ASCON_NATIVE_BLOCKS && !defined(ASCON_KEY_BYTES)

static void compare_outputs(unsigned blocks)
{
    start();
    for (unsigned i = 0; i < blocks; i++) {
        reference_output(&b, expected + i * ASCON_RATE);
    }
    ascon_squeeze_blocks(&a, output, NULL, blocks);
    compare(output, expected, blocks * ASCON_RATE);
    compare(&a, &b, sizeof a);
}

#endif

void compare_all(void)
{
    for (unsigned blocks = 1; blocks <= MOST; blocks++) {
        compare_permutations();
#if defined(ISAP_S_B) && defined(ASCON_ABSORBS_BITS)
        start();
        ascon_absorb_bits(&a, input + blocks % 4);
        reference_absorb_bits(&b, input + blocks % 4);
        compare(&a, &b, sizeof a);
#endif
#if ASCON_NATIVE_BLOCKS && !defined(ISAP_S_B)
        for (unsigned i = 0; i < 4; i++) {
            const unsigned offset = ASCON_NATIVE_ALIGNMENT * i % 4;

            compare_blocks(blocks, ASCON_ABSORB, offset, i != 0);
#ifdef ASCON_KEY_BYTES
            compare_blocks(blocks, ASCON_ENCRYPT, offset, i != 0);
            compare_blocks(blocks, ASCON_DECRYPT, offset, i != 0);
#endif
#if ASCON_KEYED
            compare_keyed(offset);
#endif
        }
#ifndef ASCON_KEY_BYTES
        compare_outputs(blocks);
#endif
#endif
    }
}
