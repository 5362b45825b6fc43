/* The permutation of Ascon v1.2 (Dobraunig, Eichlseder, Mendel, Schläffer, 2021), section 2.6. */
#ifndef PERMUTATION_H
#define PERMUTATION_H

#include <stdint.h>

/* `bytes` hold the five words, most significant byte first. */
void permute(uint8_t *bytes, uint8_t rounds);

#endif
