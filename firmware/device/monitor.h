/*
 * What the monitor's common part needs of a family of cores. Each family's folder has a `port.c`
 * and an `enter.S` with it.
 */
#ifndef PW_MONITOR_H
#define PW_MONITOR_H

#include <stddef.h>

#include "mailbox.h"

#ifndef PW_FRAME
#define PW_FRAME 40 /* bytes of a frame's payload, at most; 8 of them are not data */
#endif

/* Placed by the linker at the top of RAM. */
extern volatile struct pw_mailbox pw_mailbox;

/* Does what the mailbox asks for. */
void pw_device_step(void);

/* Sets the clock and the memories up as the board file says. Returns 0, or 1 if the clock does not
 * start. */
uint8_t pw_clock_start(void);

/* Starts the counter, with interrupts off. */
void pw_counter_start(void);

/* Cycles between `start` and `end` of the mailbox with `overflows`, as 64 bits into `cycles`. */
void pw_counter_take(void);

/* Calls `address` with the stack pointer `sp` and counts; writes `start`, `end`, `overflows`,
 * `result`, and `pc` of a call that did not return. Returns a status. In assembly. */
uint8_t pw_device_enter(uintptr_t sp);

/* One byte of flash or RAM at an ELF address. */
uint8_t pw_read_byte(uint32_t address);

/* RAM at an ELF address. */
uint8_t *pw_ram(uint32_t address);

/* The serial line: starts it, takes one byte (waiting for it), gives one. */
void pw_uart_start(void);
uint8_t pw_uart_get(void);
void pw_uart_put(uint8_t byte);

/* A watchdog that resets the part if a call keeps all interrupts off for seconds; nothing where
 * there is none that can be stopped again. */
void pw_watchdog_start(void);
void pw_watchdog_stop(void);

/* Writes what the part says of itself: the cause of its last reset (one byte), then its signature
 * or identity register. Returns the bytes written, at most 8. */
uint8_t pw_identity(uint8_t *to);

/* Answers requests of the serial line, for ever. */
void pw_serial_loop(void);

/* Returns at once: what counting costs is measured on it. In assembly. */
void pw_device_empty(void);

/* Takes a fixed time for each of `rounds`: what an overflow costs is measured on it. In assembly.
 */
void pw_device_loop(size_t rounds);

#endif
