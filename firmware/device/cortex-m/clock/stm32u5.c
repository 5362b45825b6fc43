/*
 * STM32U575 and U585: the PLL on the internal 16 MHz oscillator (HSI16), in voltage range 1 with
 * its booster, flash behind the instruction cache, without prefetching, as after a reset.
 *
 * RM0456: "Read access latency" (wait states in range 1: one more for each 32 MHz), "Flash access
 * control register", "PWR voltage scaling register" (the booster is needed above 55 MHz; its clock
 * is HSI16 through PLL1MBOOST), "ICACHE control register", and in RCC: RCC_CR, RCC_CFGR1,
 * RCC_CFGR2, RCC_PLL1CFGR, RCC_PLL1DIVR, RCC_AHB3ENR.
 */
#include "../../clock.h"

_Static_assert(PW_HZ <= 160000000, "clock.hz: at most 160 MHz");

enum {
    FLASH_ACR = 0x40022000,
    ACR_LATENCY = 15,

    ICACHE_CR = 0x40030400,
    ICACHE_EN = 1 << 0,
    ICACHE_TWO_WAYS = 1 << 2,

    PWR_VOSR = 0x4602080c,
    VOSR_BOOSTRDY = 1 << 14,
    VOSR_VOSRDY = 1 << 15,
    VOSR_RANGE_1 = 3 << 16,
    VOSR_BOOSTEN = 1 << 18,

    RCC_CR = 0x46020c00,
    RCC_CFGR1 = 0x46020c1c,
    RCC_CFGR2 = 0x46020c20,
    RCC_PLL1CFGR = 0x46020c28,
    RCC_PLL1DIVR = 0x46020c34,
    RCC_AHB3ENR = 0x46020c94,
    CR_HSION = 1 << 8,
    CR_HSIRDY = 1 << 10,
    CR_PLL1ON = 1 << 24,
    CR_PLL1RDY = 1 << 25,
    CFGR1_SW_HSI = 1,
    CFGR1_SW_PLL = 3,
    CFGR1_SWS = 3 << 2,
    CFGR2_HPRE_2 = 8,
    PLL1CFGR_HSI = 2,
    PLL1CFGR_8_TO_16_MHZ = 3 << 2,
    PLL1CFGR_REN = 1 << 18,
    AHB3ENR_PWREN = 1 << 2,

    WAIT_STATES = (PW_HZ - 1) / 32000000,
    /* The VCO runs at 128 to 544 MHz; its output is divided by two. */
    PLL_N = PW_HZ / 8000000,
    MICROSECOND = 200, /* turns of a loop */
};

_Static_assert(PLL_N * 8000000 == PW_HZ && PLL_N >= 8,
               "clock.hz: the PLL cannot give this frequency");

static uint8_t switch_to(uint32_t source)
{
    PW_REGISTER(RCC_CFGR1) = source;
    return pw_wait(RCC_CFGR1, CFGR1_SWS, source << 2);
}

uint8_t pw_clock_start(void)
{
    uint32_t left;

    PW_REGISTER(RCC_CR) |= CR_HSION;
    if (pw_wait(RCC_CR, CR_HSIRDY, CR_HSIRDY) || switch_to(CFGR1_SW_HSI)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(RCC_CR) &= ~(uint32_t)CR_PLL1ON;
    if (pw_wait(RCC_CR, CR_PLL1RDY, 0)) {
        return PW_CLOCK_STOPPED;
    }
    /* The booster's clock is the PLL's source. */
    PW_REGISTER(RCC_PLL1CFGR) = PLL1CFGR_HSI | PLL1CFGR_8_TO_16_MHZ | PLL1CFGR_REN;
    PW_REGISTER(RCC_PLL1DIVR) = (PLL_N - 1) | 1 << 9 | 1 << 16 | 1 << 24;

    PW_REGISTER(RCC_AHB3ENR) |= AHB3ENR_PWREN;
    PW_REGISTER(PWR_VOSR) |= VOSR_RANGE_1;
    if (pw_wait(PWR_VOSR, VOSR_VOSRDY, VOSR_VOSRDY)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(PWR_VOSR) |= VOSR_BOOSTEN;
    if (pw_wait(PWR_VOSR, VOSR_BOOSTRDY, VOSR_BOOSTRDY)) {
        return PW_CLOCK_STOPPED;
    }

    PW_REGISTER(FLASH_ACR) = WAIT_STATES;
    if (pw_wait(FLASH_ACR, ACR_LATENCY, WAIT_STATES)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(ICACHE_CR) = ICACHE_TWO_WAYS;
    PW_REGISTER(ICACHE_CR) = ICACHE_TWO_WAYS | ICACHE_EN;

    PW_REGISTER(RCC_CR) |= CR_PLL1ON;
    if (pw_wait(RCC_CR, CR_PLL1RDY, CR_PLL1RDY)) {
        return PW_CLOCK_STOPPED;
    }
    /* The AHB runs at half the clock for a microsecond after the switch. */
    PW_REGISTER(RCC_CFGR2) = CFGR2_HPRE_2;
    if (switch_to(CFGR1_SW_PLL)) {
        return PW_CLOCK_STOPPED;
    }
    for (left = MICROSECOND; left != 0; left--) {
        (void)PW_REGISTER(RCC_CFGR1);
    }
    PW_REGISTER(RCC_CFGR2) = 0;
    return PW_CLOCK_RUNS;
}
