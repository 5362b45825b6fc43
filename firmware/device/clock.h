/*
 * For the clock set-up code in <family>/clock/: 32-bit registers, and waiting with a limit.
 *
 * Each file there defines `pw_clock_start` for one line of parts. It may run in any state of the
 * clock tree, uses internal oscillators if they reach PW_HZ, and configures flash as modelled in
 * boards/.
 */
#ifndef PW_CLOCK_H
#define PW_CLOCK_H

#include "monitor.h"

#ifndef PW_REGISTER /* the host's tests define their own */
#define PW_REGISTER(address) (*(volatile uint32_t *)(uintptr_t)(address))
#endif

#ifndef PW_CLOCK_TRIES
#define PW_CLOCK_TRIES UINT32_C(2000000) /* one second at 16 MHz */
#endif

enum { PW_CLOCK_RUNS = 0, PW_CLOCK_STOPPED = 1 };

/* Waits until the register's bits under `mask` are `value`. Returns 1 on a timeout. */
static inline uint8_t pw_wait(uint32_t address, uint32_t mask, uint32_t value)
{
    uint32_t left;

    for (left = PW_CLOCK_TRIES; left != 0; left--) {
        if ((PW_REGISTER(address) & mask) == value) {
            return 0;
        }
    }
    return 1;
}

#endif
