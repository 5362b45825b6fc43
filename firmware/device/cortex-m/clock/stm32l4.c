/*
 * STM32L47x and L48x, up to 80 MHz: RM0351, 3.3.3: one wait state more for each 16 MHz.
 */
#include <stdint.h>

static inline uint8_t pw_stm32l4_run_fast(void);

enum { MHZ_PER_WAIT_STATE = 16 };

#include "stm32l4.h"

_Static_assert(PW_HZ <= 80000000, "clock.hz: at most 80 MHz");

static inline uint8_t pw_stm32l4_run_fast(void)
{
    return pw_stm32l4_switch(0, CFGR_SW_PLL);
}
