/*
 * The functions that a family of cores provides to the monitor's common part, in the `port.c` and
 * `enter.S` of its folder.
 */
#ifndef PW_MONITOR_H
#define PW_MONITOR_H

#include <stddef.h>

#include "mailbox.h"

#ifndef PW_FRAME
#define PW_FRAME 40 /* limit of a frame's payload in bytes; 8 of them are not data */
#endif

/* Placed by the linker at the top of RAM. */
extern volatile struct pw_mailbox pw_mailbox;

/* Runs the request in the mailbox. */
void pw_device_step(void);

/* Sets up the clock and the memories according to the board file. Returns 0, or 1 if the clock does
 * not start. */
uint8_t pw_clock_start(void);

/* Starts the counter, with interrupts off. */
void pw_counter_start(void);

/* Writes the cycles between `start` and `end` with `overflows` to `cycles`, as 64 bits. */
void pw_counter_take(void);

/* Calls `address` with the stack pointer `sp` and counts cycles. Writes `start`, `end`, `overflows`
 * and `result`, and `pc` if the call did not return. Returns a status. In assembly. */
uint8_t pw_device_enter(uintptr_t sp);

/* One byte of flash or RAM at an ELF address. */
uint8_t pw_read_byte(uint32_t address);

/* RAM at an ELF address. */
uint8_t *pw_ram(uint32_t address);

/* The serial line: starts it, waits for a byte, sends a byte. */
void pw_uart_start(void);
uint8_t pw_uart_get(void);
void pw_uart_put(uint8_t byte);

/* Resets the part when the last byte is sent, and starts the boot loader in its ROM if `loader` is
 * not 0. Only parts with PW_ROM_LOADER, the boot loader's address. */
void pw_restart(uint8_t loader);

/* Starts that boot loader if pw_restart was called for it before the reset. */
void pw_started(void);

/* A watchdog that resets the part if a call disables interrupts for seconds. Does nothing on parts
 * whose watchdog cannot be stopped. */
void pw_watchdog_start(void);
void pw_watchdog_stop(void);

/* Writes the cause of the last reset (one byte), then the part's signature or identity register.
 * Returns the number of bytes, at most 8. */
uint8_t pw_identity(uint8_t *to);

/* Serves requests on the serial line. Does not return. */
void pw_serial_loop(void);

/* Returns at once, to measure the overhead of counting. In assembly. */
void pw_device_empty(void);

/* Takes a constant time per round, to measure the overhead of an overflow. In assembly. */
void pw_device_loop(size_t rounds);

#endif
