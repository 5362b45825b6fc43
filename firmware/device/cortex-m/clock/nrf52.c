/*
 * nRF52840: the core always runs at 64 MHz. Starts the crystal oscillator and enables the
 * instruction cache, which is off after reset.
 *
 * nRF52840 product specification: "CLOCK" (TASKS_HFCLKSTART, EVENTS_HFCLKSTARTED), "NVMC"
 * (ICACHECNF).
 */
#include "../../clock.h"

_Static_assert(PW_HZ == 64000000, "clock.hz: this part runs at 64 MHz");

enum {
    TASKS_HFCLKSTART = 0x40000000,
    EVENTS_HFCLKSTARTED = 0x40000100,
    NVMC_ICACHECNF = 0x4001e540,
    ICACHECNF_CACHEEN = 1,
};

uint8_t pw_clock_start(void)
{
    PW_REGISTER(EVENTS_HFCLKSTARTED) = 0;
    PW_REGISTER(TASKS_HFCLKSTART) = 1;
    /* Disabling the cache invalidates it. */
    PW_REGISTER(NVMC_ICACHECNF) = 0;
    PW_REGISTER(NVMC_ICACHECNF) = ICACHECNF_CACHEEN;
    return pw_wait(EVENTS_HFCLKSTARTED, 1, 1);
}
