/*
 * Words at almost no cost, to measure what masking costs without its randomness: the call, and the
 * sum of a word in RAM and a constant. They are a Weyl sequence, which is not random at all.
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
