/*
 * Xtensa: the cycle counter CCOUNT, which always runs.
 */
#include "../monitor.h"

void pw_counter_start(void) {}

/* The host stops a call before 32 bits wrap. */
void pw_counter_take(void)
{
    pw_mailbox.cycles = pw_mailbox.end - pw_mailbox.start;
    pw_mailbox.cycles_high = 0;
}

/* Memory on the instruction bus can be read only in whole words. */
uint8_t pw_read_byte(uint32_t address)
{
    uint32_t word = *(const volatile uint32_t *)(address & ~UINT32_C(3));

    return (uint8_t)(word >> 8 * (address & 3));
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
