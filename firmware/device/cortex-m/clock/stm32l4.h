/*
 * What the STM32L4 and L4+ have in common: the PLL on the internal 16 MHz oscillator (HSI16), flash
 * with the ART accelerator's caches and without prefetching, as after a reset. A file defines the
 * clock that one wait state allows, MHZ_PER_WAIT_STATE, before it includes this one.
 *
 * RM0351 and RM0432: 3.3.3 (wait states in voltage range 1, which is selected after a reset), 3.7.1
 * (FLASH_ACR), 6.4 (RCC_CR, RCC_CFGR, RCC_PLLCFGR).
 */
#ifndef PW_STM32L4_H
#define PW_STM32L4_H

#include "../../clock.h"

enum {
    FLASH_ACR = 0x40022000,
    ACR_LATENCY = 7,
    ACR_ICEN = 1 << 9,
    ACR_DCEN = 1 << 10,
    ACR_ICRST = 1 << 11,
    ACR_DCRST = 1 << 12,

    RCC_CR = 0x40021000,
    RCC_CFGR = 0x40021008,
    RCC_PLLCFGR = 0x4002100c,
    CR_HSION = 1 << 8,
    CR_HSIRDY = 1 << 10,
    CR_PLLON = 1 << 24,
    CR_PLLRDY = 1 << 25,
    CFGR_SW_HSI = 1,
    CFGR_SW_PLL = 3,
    CFGR_SWS = 3 << 2,
    CFGR_HPRE_2 = 8 << 4,
    PLLCFGR_HSI = 2,
    PLLCFGR_PLLREN = 1 << 24,

    HSI_HZ = 16000000,
    WAIT_STATES = (PW_HZ - 1) / (MHZ_PER_WAIT_STATE * 1000000),
    USES_PLL = PW_HZ != HSI_HZ,
    /* The PLL's output is the VCO's divided by R, 2 to 8; the VCO runs at 64 to 344 MHz. */
    PLL_R = PW_HZ >= 64000000 ? 2 : 8,
    PLL_N = PW_HZ / 1000000 * PLL_R / 16,
};

_Static_assert(!USES_PLL || (PLL_N * 16000000ULL == PW_HZ * 1ULL * PLL_R && PLL_N >= 8),
               "clock.hz: the PLL cannot give this frequency");

/* Selects a source of the core's clock, with the AHB's divider in `cfgr`. */
static inline uint8_t pw_stm32l4_switch(uint32_t cfgr, uint32_t source)
{
    PW_REGISTER(RCC_CFGR) = cfgr | source;
    return pw_wait(RCC_CFGR, CFGR_SWS, source << 2);
}

uint8_t pw_clock_start(void)
{
    PW_REGISTER(RCC_CR) |= CR_HSION;
    if (pw_wait(RCC_CR, CR_HSIRDY, CR_HSIRDY) || pw_stm32l4_switch(0, CFGR_SW_HSI)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(RCC_CR) &= ~(uint32_t)CR_PLLON;
    if (pw_wait(RCC_CR, CR_PLLRDY, 0)) {
        return PW_CLOCK_STOPPED;
    }

    /* The caches can be reset only while they are off. */
    PW_REGISTER(FLASH_ACR) = WAIT_STATES;
    PW_REGISTER(FLASH_ACR) = WAIT_STATES | ACR_ICRST | ACR_DCRST;
    PW_REGISTER(FLASH_ACR) = WAIT_STATES | ACR_ICEN | ACR_DCEN;
    if (pw_wait(FLASH_ACR, ACR_LATENCY, WAIT_STATES)) {
        return PW_CLOCK_STOPPED;
    }
    if (!USES_PLL) {
        return PW_CLOCK_RUNS;
    }

    PW_REGISTER(RCC_PLLCFGR) =
        PLLCFGR_HSI | PLL_N << 8 | PLLCFGR_PLLREN | (uint32_t)(PLL_R / 2 - 1) << 25;
    PW_REGISTER(RCC_CR) |= CR_PLLON;
    if (pw_wait(RCC_CR, CR_PLLRDY, CR_PLLRDY)) {
        return PW_CLOCK_STOPPED;
    }
    return pw_stm32l4_run_fast();
}

#endif
