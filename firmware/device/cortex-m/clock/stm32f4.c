/*
 * STM32F405/407/415/417 and F42x/F43x: the PLL on the internal 16 MHz oscillator (HSI), flash with
 * the ART accelerator.
 *
 * RM0090: 3.5.1 (wait states at 2.7 to 3.6 V: one more for each 30 MHz), 3.5.2 and 3.9.1
 * (FLASH_ACR), 7.3 (RCC_CR, RCC_PLLCFGR, RCC_CFGR). Above 168 MHz the F42x needs its over-drive
 * mode.
 */
#include "stm32.h"

_Static_assert(PW_HZ <= 168000000, "clock.hz: at most 168 MHz");

enum {
    FLASH_ACR = 0x40023c00,
    ACR_PRFTEN = 1 << 8,
    ACR_ICEN = 1 << 9,
    ACR_DCEN = 1 << 10,
    ACR_ICRST = 1 << 11,
    ACR_DCRST = 1 << 12,

    RCC_CR = 0x40023800,
    RCC_PLLCFGR = 0x40023804,
    RCC_CFGR = 0x40023808,
    CFGR_APB1_4_APB2_2 = 5 << 10 | 4 << 13,

    WAIT_STATES = (PW_HZ - 1) / 30000000,
    /* The VCO's input is 2 MHz (16 / M); its output must be 192 MHz or more. */
    PLL_M = 8,
    PLL_P = PW_HZ * 2 >= 192000000 ? 2
    : PW_HZ * 4 >= 192000000       ? 4
    : PW_HZ * 6 >= 192000000       ? 6
                                   : 8,
    PLL_N = PW_HZ / 1000000 * PLL_P / 2,
    PLL_Q = 8,
    PLLCFGR_RESERVED = 1 << 29,
};

_Static_assert(PLL_N * 2000000ULL == PW_HZ * 1ULL * PLL_P && PLL_N * 2 >= 192,
               "clock.hz: the PLL cannot give this frequency");

uint8_t pw_clock_start(void)
{
    uint32_t acr = WAIT_STATES;

    if (pw_stm32_use_hsi(RCC_CR, RCC_CFGR)) {
        return PW_CLOCK_STOPPED;
    }

    /* The caches can be reset only while they are off. */
    PW_REGISTER(FLASH_ACR) = WAIT_STATES;
    PW_REGISTER(FLASH_ACR) = WAIT_STATES | ACR_ICRST | ACR_DCRST;
    if (WAIT_STATES > 0) {
        acr |= ACR_PRFTEN | ACR_ICEN | ACR_DCEN;
    }
    PW_REGISTER(FLASH_ACR) = acr;
    if (pw_wait(FLASH_ACR, 0xff, acr & 0xff)) {
        return PW_CLOCK_STOPPED;
    }

    PW_REGISTER(RCC_PLLCFGR) =
        PLLCFGR_RESERVED | PLL_Q << 24 | (PLL_P / 2 - 1) << 16 | PLL_N << 6 | PLL_M;
    return pw_stm32_use_pll(RCC_CR, RCC_CFGR, CFGR_APB1_4_APB2_2);
}
