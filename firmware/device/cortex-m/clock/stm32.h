/*
 * What STM32F0, F1 and F4 have in common: the oscillators in RCC_CR and the switch in RCC_CFGR
 * (RM0360: 7.4, RM0008 and RM0090: 7.3). The registers' addresses differ.
 */
#ifndef PW_STM32_H
#define PW_STM32_H

#include "../../clock.h"

enum {
    CR_HSION = 1 << 0,
    CR_HSIRDY = 1 << 1,
    CR_PLLON = 1 << 24,
    CR_PLLRDY = 1 << 25,
    CFGR_SW = 3,
    CFGR_SW_PLL = 2,
    CFGR_SWS = 3 << 2,
};

/* Runs the core on the internal oscillator (HSI) and stops the PLL, so that flash and PLL can be
 * configured. */
static inline uint8_t pw_stm32_use_hsi(uint32_t rcc_cr, uint32_t rcc_cfgr)
{
    PW_REGISTER(rcc_cr) |= CR_HSION;
    if (pw_wait(rcc_cr, CR_HSIRDY, CR_HSIRDY)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(rcc_cfgr) &= ~(uint32_t)CFGR_SW;
    if (pw_wait(rcc_cfgr, CFGR_SWS, 0)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(rcc_cr) &= ~(uint32_t)CR_PLLON;
    return pw_wait(rcc_cr, CR_PLLRDY, 0);
}

/* Writes `cfgr`, whose switch selects HSI, starts the PLL, and runs the core on it. */
static inline uint8_t pw_stm32_use_pll(uint32_t rcc_cr, uint32_t rcc_cfgr, uint32_t cfgr)
{
    PW_REGISTER(rcc_cfgr) = cfgr;
    PW_REGISTER(rcc_cr) |= CR_PLLON;
    if (pw_wait(rcc_cr, CR_PLLRDY, CR_PLLRDY)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(rcc_cfgr) = cfgr | CFGR_SW_PLL;
    return pw_wait(rcc_cfgr, CFGR_SWS, CFGR_SW_PLL << 2);
}

#endif
