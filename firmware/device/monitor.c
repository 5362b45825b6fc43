/*
 * The monitor's common part: runs one request from the mailbox at a time.
 *
 * The monitor is linked separately from the measured image, into the last bytes of flash, so that
 * the image's code does not move. Its only static data is the mailbox.
 */
#include "monitor.h"

_Static_assert(offsetof(struct pw_mailbox, status) == PW_STATUS, "mailbox.h");
_Static_assert(offsetof(struct pw_mailbox, stacked) == PW_STACKED, "mailbox.h");
_Static_assert(offsetof(struct pw_mailbox, address) == PW_ADDRESS, "mailbox.h");
_Static_assert(offsetof(struct pw_mailbox, top) == PW_TOP, "mailbox.h");
_Static_assert(offsetof(struct pw_mailbox, budget) == PW_BUDGET, "mailbox.h");
_Static_assert(offsetof(struct pw_mailbox, registers) == PW_REGISTERS, "mailbox.h");
_Static_assert(offsetof(struct pw_mailbox, stack) == PW_STACK, "mailbox.h");
_Static_assert(offsetof(struct pw_mailbox, pointer) == PW_POINTER, "mailbox.h");
_Static_assert(offsetof(struct pw_mailbox, result) == PW_RESULT, "mailbox.h");
_Static_assert(offsetof(struct pw_mailbox, pc) == PW_PC, "mailbox.h");
_Static_assert(offsetof(struct pw_mailbox, start) == PW_START, "mailbox.h");
_Static_assert(offsetof(struct pw_mailbox, end) == PW_END, "mailbox.h");
_Static_assert(offsetof(struct pw_mailbox, overflows) == PW_OVERFLOWS, "mailbox.h");
_Static_assert(offsetof(struct pw_mailbox, saved) == PW_SAVED, "mailbox.h");
_Static_assert(sizeof(struct pw_mailbox) == PW_MAILBOX_SIZE, "mailbox.h");

static uint8_t call(void)
{
    uint32_t limit = pw_mailbox.limit;
    uint32_t sp = pw_mailbox.top - pw_mailbox.stacked;
    uint8_t pattern = pw_mailbox.pattern;
    uint8_t *floor = pw_ram(limit);
    uint8_t *top = pw_ram(sp);
    uint8_t *at;
    uint8_t i, status;

    /* A loop, because memset would need a library. */
    for (at = floor; at != top; at++) {
        *(volatile uint8_t *)at = pattern;
    }
    for (i = 0; i < pw_mailbox.stacked; i++) {
        top[i] = pw_mailbox.stack[i];
    }
    pw_counter_start();
    status = pw_device_enter((uintptr_t)top);
    pw_counter_take();
    for (at = floor; at != top && *at == pattern; at++) {
    }
    pw_mailbox.lowest = limit + (uint32_t)(at - floor);
    return status;
}

static void copy(void)
{
    uint8_t *to = pw_ram(pw_mailbox.address);
    uint32_t from = pw_mailbox.limit;
    uint32_t end = from + pw_mailbox.top;

    while (from != end) {
        *(volatile uint8_t *)to++ = pw_read_byte(from++);
    }
}

static void fill(void)
{
    uint8_t *to = pw_ram(pw_mailbox.address);
    uint8_t *end = to + (size_t)pw_mailbox.top;
    uint8_t pattern = pw_mailbox.pattern;

    while (to != end) {
        *(volatile uint8_t *)to++ = pattern;
    }
}

void pw_device_step(void)
{
    uint8_t status = PW_DONE;

    pw_mailbox.status = PW_BUSY;
    switch (pw_mailbox.command) {
    case PW_CALL:
        status = call();
        break;
    case PW_COPY:
        copy();
        break;
    case PW_FILL:
        fill();
        break;
    case PW_SETUP:
        pw_mailbox.result = pw_clock_start();
        break;
    default:
        status = PW_UNKNOWN;
    }
    pw_mailbox.status = status;
}
