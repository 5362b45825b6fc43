/*
 * STM32G071 and G081: the internal 16 MHz oscillator (HSI16), or the PLL on it; with prefetch
 * buffer and instruction cache if flash has wait states.
 *
 * RM0444: 3.3.4 (wait states in voltage range 1, which is selected after a reset: 1 above 24 MHz, 2
 * above 48 MHz), 3.7.1 (FLASH_ACR), 5.4 (RCC_CR, RCC_CFGR, RCC_PLLCFGR).
 */
#include "../../clock.h"

_Static_assert(PW_HZ <= 64000000, "clock.hz: at most 64 MHz");

enum {
    FLASH_ACR = 0x40022000,
    ACR_LATENCY = 7,
    ACR_PRFTEN = 1 << 8,
    ACR_ICEN = 1 << 9,
    ACR_DBG_SWEN = 1 << 18,

    RCC_CR = 0x40021000,
    RCC_CFGR = 0x40021008,
    RCC_PLLCFGR = 0x4002100c,
    CR_HSION = 1 << 8,
    CR_HSIRDY = 1 << 10,
    CR_HSIDIV = 7 << 11,
    CR_PLLON = 1 << 24,
    CR_PLLRDY = 1 << 25,
    CFGR_SW_PLL = 2,
    CFGR_SWS = 7 << 3,
    PLLCFGR_HSI = 2,
    PLLCFGR_PLLREN = 1 << 28,
    PLLCFGR_R2 = 1 << 29,

    WAIT_STATES = (PW_HZ > 24000000) + (PW_HZ > 48000000),
    USES_PLL = PW_HZ != 16000000,
    /* The VCO runs at 64 to 344 MHz; its output is divided by two. */
    PLL_N = PW_HZ / 8000000,
};

_Static_assert(!USES_PLL || (PLL_N * 8000000 == PW_HZ && PLL_N >= 8),
               "clock.hz: the PLL cannot give this frequency");

uint8_t pw_clock_start(void)
{
    uint32_t acr = WAIT_STATES | ACR_DBG_SWEN;

    PW_REGISTER(RCC_CR) |= CR_HSION;
    PW_REGISTER(RCC_CR) &= ~(uint32_t)CR_HSIDIV;
    if (pw_wait(RCC_CR, CR_HSIRDY, CR_HSIRDY)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(RCC_CFGR) = 0;
    if (pw_wait(RCC_CFGR, CFGR_SWS, 0)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(RCC_CR) &= ~(uint32_t)CR_PLLON;
    if (pw_wait(RCC_CR, CR_PLLRDY, 0)) {
        return PW_CLOCK_STOPPED;
    }

    if (WAIT_STATES > 0) {
        acr |= ACR_PRFTEN | ACR_ICEN;
    }
    PW_REGISTER(FLASH_ACR) = acr;
    if (pw_wait(FLASH_ACR, ACR_LATENCY, WAIT_STATES)) {
        return PW_CLOCK_STOPPED;
    }
    if (!USES_PLL) {
        return PW_CLOCK_RUNS;
    }

    PW_REGISTER(RCC_PLLCFGR) = PLLCFGR_HSI | PLL_N << 8 | PLLCFGR_PLLREN | PLLCFGR_R2;
    PW_REGISTER(RCC_CR) |= CR_PLLON;
    if (pw_wait(RCC_CR, CR_PLLRDY, CR_PLLRDY)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(RCC_CFGR) = CFGR_SW_PLL;
    return pw_wait(RCC_CFGR, CFGR_SWS, CFGR_SW_PLL << 3);
}
