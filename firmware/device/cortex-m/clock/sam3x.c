/*
 * SAM3X: PLLA on the internal oscillator at 12 MHz, halved; flash with four wait states; turns off
 * the watchdog, which runs after reset.
 *
 * SAM3X/SAM3A datasheet (11057): 18.5 (EEFC_FMR), 28.15 (CKGR_MOR, CKGR_PLLAR, PMC_MCKR,
 * PMC_SR), 15.5 (WDT_MR, which can be written once after a reset).
 */
#include "../../clock.h"

_Static_assert(PW_HZ == 84000000, "clock.hz: only 84 MHz is supported");

enum {
    EEFC0_FMR = 0x400e0a00,
    EEFC1_FMR = 0x400e0c00,
    FMR_FOUR_WAIT_STATES = 4 << 8,

    WDT_MR = 0x400e1a54,
    MR_WDDIS = 1 << 15,

    CKGR_MOR = 0x400e0620,
    CKGR_PLLAR = 0x400e0628,
    PMC_MCKR = 0x400e0630,
    PMC_SR = 0x400e0668,
    MOR_KEY = 0x37 << 16,
    MOR_MOSCRCEN = 1 << 3,
    MOR_12_MHZ = 2 << 4,
    PLLAR_ONE = 1 << 29,
    PLLAR_COUNT = 0x3f << 8,
    MULTIPLIER = 14,
    DIVIDER = 1,
    MCKR_CSS = 3,
    MCKR_CSS_MAIN = 1,
    MCKR_CSS_PLLA = 2,
    MCKR_HALF = 1 << 4,
    SR_LOCKA = 1 << 1,
    SR_MCKRDY = 1 << 3,
    SR_MOSCSELS = 1 << 16,
    SR_MOSCRCS = 1 << 17,
};

uint8_t pw_clock_start(void)
{
    PW_REGISTER(WDT_MR) = MR_WDDIS;
    PW_REGISTER(EEFC0_FMR) = FMR_FOUR_WAIT_STATES;
    PW_REGISTER(EEFC1_FMR) = FMR_FOUR_WAIT_STATES;

    PW_REGISTER(PMC_MCKR) = (PW_REGISTER(PMC_MCKR) & ~(uint32_t)MCKR_CSS) | MCKR_CSS_MAIN;
    if (pw_wait(PMC_SR, SR_MCKRDY, SR_MCKRDY)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(CKGR_MOR) = (PW_REGISTER(CKGR_MOR) & 0xff00ffff) | MOR_KEY | MOR_MOSCRCEN;
    if (pw_wait(PMC_SR, SR_MOSCRCS, SR_MOSCRCS)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(CKGR_MOR) = MOR_KEY | MOR_MOSCRCEN | MOR_12_MHZ;
    if (pw_wait(PMC_SR, SR_MOSCRCS | SR_MOSCSELS, SR_MOSCRCS | SR_MOSCSELS)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(CKGR_PLLAR) = PLLAR_ONE | (MULTIPLIER - 1) << 16 | PLLAR_COUNT | DIVIDER;
    if (pw_wait(PMC_SR, SR_LOCKA, SR_LOCKA)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(PMC_MCKR) = MCKR_HALF | MCKR_CSS_MAIN;
    if (pw_wait(PMC_SR, SR_MCKRDY, SR_MCKRDY)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(PMC_MCKR) = MCKR_HALF | MCKR_CSS_PLLA;
    return pw_wait(PMC_SR, SR_MCKRDY, SR_MCKRDY);
}
