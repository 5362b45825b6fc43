/*
 * MSP430x1xx with Timer_A, which counts every cycle of SMCLK. After a reset, SMCLK and the core's
 * clock MCLK come from the same oscillator (DCO) without a divider. An interrupt counts overflows.
 *
 * MSP430x1xx Family User's Guide (SLAU049): 4.2 (clocks after reset), 10.3 (watchdog), 11.3
 * (Timer_A).
 */
#include "../monitor.h"

#define REGISTER(address) (*(volatile uint16_t *)(address))

#define WDTCTL REGISTER(0x0120)
#define TACTL REGISTER(0x0160)

enum {
    STOP_WATCHDOG = 0x5a80,
    SMCLK = 0x0200,
    CONTINUOUS = 0x0020,
    CLEAR = 0x0004,
    OVERFLOW_INTERRUPT = 0x0002,
};

void pw_counter_start(void)
{
    WDTCTL = STOP_WATCHDOG;
    TACTL = CLEAR;
    TACTL = SMCLK | CONTINUOUS | OVERFLOW_INTERRUPT;
}

void pw_counter_take(void)
{
    /* The interrupt counted all overflows except one at the very end, which the upper half of `end`
     * holds. */
    uint32_t wraps = pw_mailbox.overflows + (uint16_t)(pw_mailbox.end >> 16);
    uint32_t ticks = (uint32_t)(uint16_t)pw_mailbox.end - (uint16_t)pw_mailbox.start;

    TACTL = 0;
    /* No budget is longer than 32 bits. */
    pw_mailbox.cycles = (wraps << 16) + ticks;
    pw_mailbox.cycles_high = 0;
}

uint8_t pw_read_byte(uint32_t address)
{
    return *(const volatile uint8_t *)(uint16_t)address;
}

uint8_t *pw_ram(uint32_t address)
{
    return (uint8_t *)(uint16_t)address;
}

#ifndef PW_CLOCK
uint8_t pw_clock_start(void)
{
    return 0;
}
#endif
