/*
 * AVR with a 16-bit Timer1 (ATmega48 to 328P, ATmega128), and AVRxt with TCA0 (ATmega4809, tinyAVR
 * 0 to 2, AVR DA). The timer counts every cycle of the core's clock, and an
 * interrupt counts its overflows.
 *
 * Timer1: ATmega48A/PA/88A/PA/168A/PA/328/P datasheet (DS40002061B), chapter "16-bit Timer/Counter1
 * with PWM"; normal mode, clock without prescaler. ATmega128 datasheet (DS2467), the same chapter.
 * TCA0: ATmega4809 data sheet (DS40002173), chapter "TCA".
 */
#ifdef PW_UART
#include <avr/boot.h>
#endif
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <avr/power.h>
#include <avr/wdt.h>

#include "../monitor.h"

enum { DATA_SPACE = 0x80 }; /* the third byte of an ELF address in data space */

#ifdef PW_COUNTER_TCA0

void pw_counter_start(void)
{
    TCA0_SINGLE_CTRLB = 0;
    TCA0_SINGLE_CTRLD = 0;
    TCA0_SINGLE_EVCTRL = 0;
    TCA0_SINGLE_PER = 0xffff;
    TCA0_SINGLE_CTRLA = TCA_SINGLE_ENABLE_bm;
    TCA0_SINGLE_INTCTRL = TCA_SINGLE_OVF_bm;
}

#else

#ifndef PW_CLOCK
/* Fuses select the clock source; software can change the prescaler only. DS40002061B, "CLKPR". The
 * ATmega128's divider XDIV is off after a reset. */
uint8_t pw_clock_start(void)
{
#ifdef CLKPR
    clock_prescale_set(clock_div_1);
#endif
    return 0;
}
#endif

void pw_counter_start(void)
{
    TCCR1A = 0;
    TCCR1B = _BV(CS10);
#ifdef TIMSK1
    TIMSK1 = _BV(TOIE1);
#else
    TIMSK = _BV(TOIE1);
#endif
}

#endif

void pw_counter_take(void)
{
    /* The interrupt counted all overflows except one at the very end, which the third byte of `end`
     * holds. */
    uint32_t wraps = pw_mailbox.overflows + (uint8_t)(pw_mailbox.end >> 16);
    uint32_t ticks = (uint32_t)(uint16_t)pw_mailbox.end - (uint16_t)pw_mailbox.start;

    /* No budget is longer than 32 bits. */
    pw_mailbox.cycles = (wraps << 16) + ticks;
    pw_mailbox.cycles_high = 0;
}

uint8_t pw_read_byte(uint32_t address)
{
    if ((uint8_t)(address >> 16) == DATA_SPACE) {
        return *pw_ram(address);
    }
#if FLASHEND > 0xffff
    return pgm_read_byte_far(address);
#else
    return pgm_read_byte((uint16_t)address);
#endif
}

uint8_t *pw_ram(uint32_t address)
{
    return (uint8_t *)(uint16_t)address;
}

#ifdef PW_UART

/* The longest period; the counter's interrupt restarts it. */
void pw_watchdog_start(void)
{
#ifdef WDTO_8S
    wdt_enable(WDTO_8S);
#else
    wdt_enable(WDTO_2S);
#endif
}

void pw_watchdog_stop(void)
{
    wdt_disable();
}

uint8_t pw_identity(uint8_t *to)
{
    /* The boot loader has cleared MCUSR already. */
    to[0] = 0;
#ifdef SIGRD
    to[1] = boot_signature_byte_get(0);
    to[2] = boot_signature_byte_get(2);
    to[3] = boot_signature_byte_get(4);
    return 4;
#else
    return 1;
#endif
}

#endif
