/*
 * MIPS: Count of coprocessor 0, which always runs, at half the core's clock. The host stops a call
 * before it wraps.
 */
#include "../monitor.h"

void pw_counter_start(void) {}

void pw_counter_take(void)
{
    uint32_t ticks = pw_mailbox.end - pw_mailbox.start;

    pw_mailbox.cycles = ticks << 1;
    pw_mailbox.cycles_high = ticks >> 31;
}

uint8_t pw_read_byte(uint32_t address)
{
    return *(const volatile uint8_t *)address;
}

uint8_t *pw_ram(uint32_t address)
{
    return (uint8_t *)address;
}

#ifndef PW_CLOCK
uint8_t pw_clock_start(void)
{
    return 0;
}
#endif
