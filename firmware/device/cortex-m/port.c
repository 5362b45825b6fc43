/*
 * Cortex-M: SysTick, and on ARMv7-M the cycle counter of the debug unit, DWT_CYCCNT.
 *
 * Registers: ARMv6-M Architecture Reference Manual (DDI 0419), B3.2 and B3.3; ARMv7-M Architecture
 * Reference Manual (DDI 0403), B3.2.5 (VTOR), C1.6.5 (DEMCR), C1.8.7 (DWT_CTRL).
 */
#include "../monitor.h"

#ifndef REGISTER /* the host's tests define their own */
#define REGISTER(address) (*(volatile uint32_t *)(address))
#endif

#define SYST_CSR REGISTER(0xe000e010)
#define SYST_RVR REGISTER(0xe000e014)
#define SYST_CVR REGISTER(0xe000e018)
#define ICSR REGISTER(0xe000ed04)
#define VTOR REGISTER(0xe000ed08)
#define DEMCR REGISTER(0xe000edfc)
#define DWT_CTRL REGISTER(0xe0001000)

enum {
    CSR_ENABLE = 1,
    CSR_TICKINT = 2,
    CSR_CORE_CLOCK = 4,
    LONGEST = 0xffffff,
    DEMCR_TRCENA = 1 << 24,
    DWT_CYCCNTENA = 1,
    PENDING_SYSTICK = 1 << 26,
    CLEAR_SYSTICK = 1 << 25,
};

extern const uint8_t pw_flash_base[];

void pw_counter_start(void)
{
    /* A Cortex-M0 ignores it: its vectors are at 0. */
    VTOR = (uint32_t)pw_flash_base;
#ifdef PW_COUNTER_DWT
    DEMCR |= DEMCR_TRCENA;
    DWT_CTRL |= DWT_CYCCNTENA;
#endif
    SYST_CSR = 0;
    SYST_RVR = LONGEST;
    SYST_CVR = 0;
    ICSR = CLEAR_SYSTICK;
    SYST_CSR = CSR_ENABLE | CSR_TICKINT | CSR_CORE_CLOCK;
}

void pw_counter_take(void)
{
    uint32_t start = pw_mailbox.start, end = pw_mailbox.end;
#ifdef PW_COUNTER_DWT
    /* DWT_CYCCNT has 32 bits. SysTick's overflows give the number of its own: they are less than
     * 2^31 cycles from the count. */
    uint64_t cycles = (uint64_t)pw_mailbox.overflows << 24;

    cycles += (uint64_t)(int64_t)(int32_t)(end - start - (uint32_t)cycles);
#else
    /* An overflow that occurred after interrupts were disabled counts if `end` was read after
     * it. */
    uint32_t late = (ICSR & PENDING_SYSTICK) != 0 && end > LONGEST / 2;
    uint64_t cycles = (uint64_t)(pw_mailbox.overflows + late) << 24;

    cycles += start;
    cycles -= end;
#endif
    pw_mailbox.cycles = (uint32_t)cycles;
    pw_mailbox.cycles_high = (uint32_t)(cycles >> 32);
    SYST_CSR = 0;
    ICSR = CLEAR_SYSTICK;
}

uint8_t pw_read_byte(uint32_t address)
{
    return *(const volatile uint8_t *)address;
}

uint8_t *pw_ram(uint32_t address)
{
    return (uint8_t *)address;
}

#ifdef PW_UART

/* A watchdog of these parts cannot be stopped. */
void pw_watchdog_start(void) {}

void pw_watchdog_stop(void) {}

/* The identity is read by the boot loader. */
uint8_t pw_identity(uint8_t *to)
{
    to[0] = 0;
    return 1;
}

#endif

#ifndef PW_CLOCK
uint8_t pw_clock_start(void)
{
    return 0;
}
#endif
