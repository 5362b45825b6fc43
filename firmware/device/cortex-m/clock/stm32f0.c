/*
 * STM32F030: the internal 8 MHz oscillator (HSI), or the PLL on half of it.
 *
 * RM0360: 3.2.1 and 3.5.1 (FLASH_ACR: one wait state above 24 MHz, prefetch buffer), 7.4 (RCC_CR,
 * RCC_CFGR).
 */
#include "stm32.h"

_Static_assert(PW_HZ <= 48000000, "clock.hz: at most 48 MHz");

enum {
    FLASH_ACR = 0x40022000,
    ACR_PRFTBE = 1 << 4,

    RCC_CR = 0x40021000,
    RCC_CFGR = 0x40021004,

    WAIT_STATES = PW_HZ > 24000000,
    USES_PLL = PW_HZ != 8000000,
    MULTIPLIER = PW_HZ / 4000000,
};

_Static_assert(MULTIPLIER * 4000000 == PW_HZ && MULTIPLIER >= 2 && MULTIPLIER <= 16,
               "clock.hz: the PLL cannot give this frequency");

uint8_t pw_clock_start(void)
{
    uint32_t cfgr = (uint32_t)(MULTIPLIER - 2) << 18;

    if (pw_stm32_use_hsi(RCC_CR, RCC_CFGR)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(FLASH_ACR) = WAIT_STATES | ACR_PRFTBE;
    if (pw_wait(FLASH_ACR, 7, WAIT_STATES)) {
        return PW_CLOCK_STOPPED;
    }
    if (!USES_PLL) {
        PW_REGISTER(RCC_CFGR) = 0;
        return PW_CLOCK_RUNS;
    }
    return pw_stm32_use_pll(RCC_CR, RCC_CFGR, cfgr);
}
