/*
 * SAM D21: DFLL48M in open loop with the factory's coarse value; flash with one wait state and its
 * cache enabled.
 *
 * SAM D21 family datasheet (DS40001882): 10.3 (software calibration area: DFLL48M COARSE CAL in
 * bits 63 to 58), 15.8 (GCLK), 17.8 (SYSCTRL), 22.8.2 (NVMCTRL CTRLB). Errata (DS80000760):
 * DFLLCTRL.ONDEMAND must be cleared before the DFLL is configured.
 */
#include "../../clock.h"

_Static_assert(PW_HZ == 48000000, "clock.hz: only 48 MHz is supported");

#define GCLK_STATUS (*(volatile uint8_t *)(uintptr_t)0x40000c01)
#define DFLLCTRL (*(volatile uint16_t *)(uintptr_t)0x40000824)

enum {
    NVMCTRL_CTRLB = 0x41004004,
    CTRLB_ONE_WAIT_STATE = 1 << 1,
    CTRLB_MANW = 1 << 7,

    COARSE_WORD = 0x00806024,
    COARSE_SHIFT = 26,
    FINE_MIDDLE = 512,

    SYSCTRL_PCLKSR = 0x4000080c,
    PCLKSR_DFLLRDY = 1 << 4,
    SYSCTRL_DFLLVAL = 0x40000828,
    DFLLCTRL_ENABLE = 1 << 1,

    GCLK_GENCTRL = 0x40000c04,
    GCLK_GENDIV = 0x40000c08,
    GENCTRL_DFLL48M = 7 << 8,
    GENCTRL_GENEN = 1 << 16,
    STATUS_SYNCBUSY = 1 << 7,
};

static uint8_t dfll_ready(void)
{
    return pw_wait(SYSCTRL_PCLKSR, PCLKSR_DFLLRDY, PCLKSR_DFLLRDY);
}

static uint8_t generator_ready(void)
{
    uint32_t left;

    for (left = PW_CLOCK_TRIES; left != 0; left--) {
        if ((GCLK_STATUS & STATUS_SYNCBUSY) == 0) {
            return PW_CLOCK_RUNS;
        }
    }
    return PW_CLOCK_STOPPED;
}

uint8_t pw_clock_start(void)
{
    uint32_t coarse = PW_REGISTER(COARSE_WORD) >> COARSE_SHIFT;

    PW_REGISTER(NVMCTRL_CTRLB) = CTRLB_ONE_WAIT_STATE | CTRLB_MANW;
    DFLLCTRL = DFLLCTRL_ENABLE;
    if (dfll_ready()) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(SYSCTRL_DFLLVAL) = coarse << 10 | FINE_MIDDLE;
    if (dfll_ready()) {
        return PW_CLOCK_STOPPED;
    }
    /* Generator 0 clocks the core; undivided. */
    PW_REGISTER(GCLK_GENDIV) = 0;
    if (generator_ready()) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(GCLK_GENCTRL) = GENCTRL_GENEN | GENCTRL_DFLL48M;
    return generator_ready();
}
