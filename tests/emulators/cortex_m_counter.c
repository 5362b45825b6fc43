/*
 * Runs the monitor's reading of a Cortex-M's counter on the host. Usage: cortex_m_counter START END
 * OVERFLOWS ICSR, in hexadecimal; prints the cycles.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t icsr, other;

#define REGISTER(address) (*((address) == 0xe000ed04 ? &icsr : &other))
#include PORT_SOURCE

volatile struct pw_mailbox pw_mailbox;

int main(int count, char **words)
{
    if (count != 5) {
        return 1;
    }
    pw_mailbox.start = (uint32_t)strtoul(words[1], NULL, 16);
    pw_mailbox.end = (uint32_t)strtoul(words[2], NULL, 16);
    pw_mailbox.overflows = (uint32_t)strtoul(words[3], NULL, 16);
    icsr = (uint32_t)strtoul(words[4], NULL, 16);
    pw_counter_take();
    printf("%llu\n", (unsigned long long)pw_mailbox.cycles_high << 32 | pw_mailbox.cycles);
    return 0;
}
