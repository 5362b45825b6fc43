/*
 * RISC-V: the cycle counter `mcycle`, which always runs.
 */
#include "../monitor.h"

void pw_counter_start(void) {}

/* The lower 32 bits: the host stops a call before they wrap. */
void pw_counter_take(void)
{
    pw_mailbox.cycles = pw_mailbox.end - pw_mailbox.start;
    pw_mailbox.cycles_high = 0;
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
