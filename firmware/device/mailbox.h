/*
 * The mailbox: requests to the monitor and its answers, one at a time.
 *
 * It is at the top of RAM, at the same address in every image for a board. The host writes a
 * request through a debug probe or a serial line, runs the monitor, and reads the answer. All
 * addresses are ELF addresses: an AVR's data space begins at 0x800000, its flash at 0. Multi-byte
 * fields are little-endian. `src/pennyweight/devices/mailbox.py` defines the same layout.
 */
#ifndef PW_MAILBOX_H
#define PW_MAILBOX_H

#define PW_COMMAND 0
#define PW_STACKED 2
#define PW_ADDRESS 4
#define PW_TOP 12
#define PW_BUDGET 16
#define PW_POINTER 20
#define PW_REGISTERS 24
#define PW_STACK 56
#define PW_STATUS 112
#define PW_RESULT 128
#define PW_PC 132
#define PW_START 136
#define PW_END 140
#define PW_OVERFLOWS 144
#define PW_SAVED 148
#define PW_MAILBOX_SIZE 160 /* a multiple of 8: the stack begins below */

/* Commands. */
#define PW_CALL 1  /* call `address` with `registers` and `stack`, counted */
#define PW_COPY 2  /* copy `top` bytes from `limit`, which may be flash, to `address` */
#define PW_FILL 3  /* set `top` bytes from `address` to `pattern` */
#define PW_SETUP 4 /* set up the clock; result: 0 if it runs */

/* Statuses. */
#define PW_BUSY 0
#define PW_DONE 1
#define PW_EXPIRED 2 /* the call was stopped after `budget` overflows of the counter */
#define PW_FAULT 3   /* the core took a fault at `pc` */
#define PW_UNKNOWN 4 /* no such command */

#ifndef __ASSEMBLER__

#include <stdint.h>

struct pw_mailbox {
    uint8_t command;
    uint8_t pattern; /* value to paint the stack with */
    uint8_t stacked; /* bytes of arguments in `stack`, which go below `top` */
    uint8_t unused;
    uint32_t address;      /* the function, or the destination */
    uint32_t limit;        /* the stack's lowest address, or the source */
    uint32_t top;          /* the stack pointer before the arguments, or a size in bytes */
    uint32_t budget;       /* overflows of the counter after which a call is stopped */
    uint32_t pointer;      /* the global pointer of the image, on RISC-V */
    uint8_t registers[32]; /* argument registers in the order of the ABI */
    uint8_t stack[56];     /* arguments on the stack, the lowest address first; the host writes
                              `stacked` bytes only */
    uint32_t status;       /* the answer begins here */
    uint32_t cycles;       /* of the call, including the overhead of reading the counter */
    uint32_t cycles_high;
    uint32_t lowest;    /* the lowest stack address that was written */
    uint32_t result;    /* the function's return value */
    uint32_t pc;        /* where a call was stopped or faulted */
    uint32_t start;     /* the counter read before the call */
    uint32_t end;       /* the counter read after the call */
    uint32_t overflows; /* overflows counted by an interrupt */
    uint32_t saved;     /* the monitor's stack pointer during a call */
    uint32_t spare[2];
};

#endif
#endif
