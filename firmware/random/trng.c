/*
 * Random words from the part's generator: waits until a number is ready, and reads it.
 *
 * The build defines these from the table [random] of the board file: PW_RANDOM_STATUS,
 * PW_RANDOM_READY, PW_RANDOM_DATA, PW_RANDOM_BITS, and PW_RANDOM_ACKNOWLEDGE if the program clears
 * the status register. Enabling the generator and its clock is part of starting the board, which is
 * not measured.
 */
#include "../include/pennyweight/random.h"

#if PW_RANDOM_STATUS % 4 == 0
#define STATUS (*(volatile uint32_t *)PW_RANDOM_STATUS)
#else
#define STATUS (*(volatile uint8_t *)PW_RANDOM_STATUS)
#endif
#define DATA (*(volatile uint32_t *)PW_RANDOM_DATA)

/* The next number of PW_RANDOM_BITS bits. */
static inline uint32_t next_number(void)
{
    while ((STATUS & PW_RANDOM_READY) == 0) {
    }
#ifdef PW_RANDOM_ACKNOWLEDGE
    STATUS = 0;
#endif
    return DATA;
}

uint32_t pw_random32(void)
{
    uint32_t word = next_number();

#if PW_RANDOM_BITS == 8
    for (unsigned i = 0; i < 3; i++) {
        word = word << 8 | next_number();
    }
#endif
    return word;
}
