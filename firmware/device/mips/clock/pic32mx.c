/*
 * PIC32MX3XX/4XX: wait states, prefetch and RAM as in the board file. The configuration bits, which
 * the programmer of the boot loader chose, select the clock; this code checks it.
 *
 * PIC32MX3XX/4XX data sheet (DS61143H) and PIC32 Family Reference Manual: section 6 "Oscillators"
 * (DS61112), OSCCON; section 4 "Prefetch Cache Module" (DS61119), CHECON; section 3 "Memory
 * Organization" (DS61115), BMXCON. K0 of Config: MIPS32 Architecture For Programmers, volume III
 * (MD00090), "Config Register".
 */
#include "../../clock.h"

_Static_assert(PW_HZ == 80000000, "clock.hz: only 80 MHz, 4 MHz x 20, is supported");

enum {
    OSCCON = (int)0xbf80f000,
    WITH_PLL = 1 << 12, /* COSC: 1 and 3 are the internal oscillator and the crystal with the PLL */
    PLL_BITS = 5 << 12,
    TIMES_20 = 5 << 16,
    MULTIPLIER = 7 << 16,
    DIVIDER = 7 << 27,

    CHECON = (int)0xbf884000,
    PREFETCH = 3 << 4,
    WAIT_STATES = 2,

    BMXCON = (int)0xbf882000,
    RAM_WAIT_STATE = 1 << 6,
};

uint8_t pw_clock_start(void)
{
    uint32_t selected = PW_REGISTER(OSCCON) & (PLL_BITS | MULTIPLIER | DIVIDER);

    if (selected != (WITH_PLL | TIMES_20)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(CHECON) = PREFETCH | WAIT_STATES;
    PW_REGISTER(BMXCON) &= ~(uint32_t)RAM_WAIT_STATE;
#ifdef __mips__
    uint32_t config;

    /* Flash is cacheable. */
    __asm__ volatile("mfc0 %0, $16" : "=r"(config));
    config |= 3;
    __asm__ volatile("mtc0 %0, $16; ehb" : : "r"(config));
#endif
    return PW_CLOCK_RUNS;
}
