/*
 * A state of Ketje in two halves. A round reads one and writes the other, so that a single round
 * needs no copy.
 *
 * References: none beyond C11.
 */
#ifndef PENNYWEIGHT_KETJE_HALVES_H
#define PENNYWEIGHT_KETJE_HALVES_H

typedef struct {
    ketje_lane a[2][25];
    uint8_t current; /* the half that holds the state */
} ketje_state;

/* The lanes. */
#define ketje_lanes(state) ((state)->a[(state)->current])

#endif
