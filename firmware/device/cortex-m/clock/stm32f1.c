/*
 * STM32F103 and STM32F303xB/xC: the PLL, on half the internal 8 MHz oscillator (HSI) up to 64 MHz,
 * above that on an external 8 MHz crystal or clock (HSE), which the probe supplies on Nucleo
 * boards.
 *
 * RM0008: 3.3.3 (FLASH_ACR, prefetch buffer), 7.3 (RCC_CR, RCC_CFGR). RM0316: the same registers
 * in 4.5.1 and 9.4. PM0075, 3.1: wait states: 0 up to 24 MHz, 1 up to 48 MHz, 2 up to 72 MHz.
 */
#include "stm32.h"

_Static_assert(PW_HZ <= 72000000, "clock.hz: at most 72 MHz");

enum {
    FLASH_ACR = 0x40022000,
    ACR_PRFTBE = 1 << 4,

    RCC_CR = 0x40021000,
    RCC_CFGR = 0x40021004,
    CR_HSEON = 1 << 16,
    CR_HSERDY = 1 << 17,
    CR_HSEBYP = 1 << 18,
    CFGR_APB1_2 = 4 << 8,
    CFGR_PLLSRC_HSE = 1 << 16,

    WAIT_STATES = (PW_HZ - 1) / 24000000,
    USES_HSE = PW_HZ > 64000000,
    SOURCE = USES_HSE ? 8000000 : 4000000,
    MULTIPLIER = PW_HZ / SOURCE,
};

_Static_assert(MULTIPLIER *SOURCE == PW_HZ && MULTIPLIER >= 2 && MULTIPLIER <= 16,
               "clock.hz: the PLL cannot give this frequency");

static uint8_t start_hse(void)
{
    PW_REGISTER(RCC_CR) |= CR_HSEON;
    if (!pw_wait(RCC_CR, CR_HSERDY, CR_HSERDY)) {
        return PW_CLOCK_RUNS;
    }
    /* An external clock instead of a crystal: HSEBYP can be written only while HSE is off. */
    PW_REGISTER(RCC_CR) &= ~(uint32_t)CR_HSEON;
    PW_REGISTER(RCC_CR) |= CR_HSEBYP;
    PW_REGISTER(RCC_CR) |= CR_HSEON;
    return pw_wait(RCC_CR, CR_HSERDY, CR_HSERDY);
}

uint8_t pw_clock_start(void)
{
    uint32_t cfgr = CFGR_APB1_2 | (MULTIPLIER - 2) << 18 | (USES_HSE ? CFGR_PLLSRC_HSE : 0);

    if (pw_stm32_use_hsi(RCC_CR, RCC_CFGR) || (USES_HSE && start_hse())) {
        return PW_CLOCK_STOPPED;
    }

    PW_REGISTER(FLASH_ACR) = WAIT_STATES | ACR_PRFTBE;
    if (pw_wait(FLASH_ACR, 7, WAIT_STATES)) {
        return PW_CLOCK_STOPPED;
    }
    return pw_stm32_use_pll(RCC_CR, RCC_CFGR, cfgr);
}
