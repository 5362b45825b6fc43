/*
 * A generator of almost no cost, to measure masking without the cost of its randomness: one call,
 * which adds a constant to a word in RAM. The words are a Weyl sequence, which is not random.
 *
 * Reference: H. Weyl, "Über die Gleichverteilung von Zahlen mod. Eins", Mathematische Annalen 77
 * (1916).
 */
#include "../include/pennyweight/random.h"

uint32_t pw_random_free = 0;

uint32_t pw_random32(void)
{
    return pw_random_free += UINT32_C(0x9e3779b9);
}
