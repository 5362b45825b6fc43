/*
 * STM32L4Rx and L4Sx, up to 120 MHz: RM0432, 3.3.3: one wait state more for each 20 MHz. Above 80
 * MHz the regulator needs its boost mode, and the AHB runs at half the clock for a microsecond
 * after the switch: 5.1.8, 5.4.22 (PWR_CR5), 6.2.9.
 */
#include <stdint.h>

static inline uint8_t pw_stm32l4_run_fast(void);

enum { MHZ_PER_WAIT_STATE = 20 };

#include "stm32l4.h"

_Static_assert(PW_HZ <= 120000000, "clock.hz: at most 120 MHz");

enum {
    RCC_APB1ENR1 = 0x40021058,
    APB1ENR1_PWREN = 1 << 28,
    PWR_CR5 = 0x40007080,
    CR5_R1MODE = 1 << 8, /* 0: boost */
    MICROSECOND = 200,   /* turns of a loop */
};

static inline uint8_t pw_stm32l4_run_fast(void)
{
    uint32_t left;

    if (PW_HZ <= 80000000) {
        return pw_stm32l4_switch(0, CFGR_SW_PLL);
    }
    PW_REGISTER(RCC_APB1ENR1) |= APB1ENR1_PWREN;
    PW_REGISTER(PWR_CR5) &= ~(uint32_t)CR5_R1MODE;
    if (pw_stm32l4_switch(CFGR_HPRE_2, CFGR_SW_PLL)) {
        return PW_CLOCK_STOPPED;
    }
    for (left = MICROSECOND; left != 0; left--) {
        (void)PW_REGISTER(RCC_CFGR);
    }
    return pw_stm32l4_switch(0, CFGR_SW_PLL);
}
