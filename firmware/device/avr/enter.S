/*
 * AVR: enters a call and counts its cycles.
 *
 * The stack pointer, the registers for arguments and the function come from the mailbox. Timer1, or
 * TCA0 on AVRxt, is read right before the call instruction and right after the return. Only its
 * overflow interrupt is enabled between them. It uses two bytes of the called function's stack for its
 * return address and takes a constant number of cycles, which the host measures with `pw_device_loop`.
 *
 * Instructions and their cycles: AVR Instruction Set Manual (DS40002198). Accessing 16-bit timer
 * registers: DS40002061B, chapter "Accessing 16-bit Registers" (the low byte is read first; the
 * interrupt reads none of them).
 */
#define __SFR_OFFSET 0
#include <avr/io.h>

#include "../mailbox.h"

#ifdef PW_COUNTER_TCA0
/* AVRxt (DS40002173, chapters "TCA" and "CPUINT"): all registers are in data space from 0; the flag is
 * cleared by writing it. */
#define COUNT_LOW TCA0_SINGLE_CNT
#define COUNT_HIGH TCA0_SINGLE_CNT + 1
#define OVERFLOW TCA_SINGLE_OVF_bp
#define SAVED_REGISTER 0x1c /* GPIOR0, GPR0 */
#define SAVED_FLAGS 0x1d
#define VECTOR TCA0_OVF_vect_num
#elif defined(TIMSK1)
#define COUNT_LOW TCNT1L
#define COUNT_HIGH TCNT1H
#define OVERFLOW TOV1
#define SAVED_REGISTER GPIOR0
#define SAVED_FLAGS GPIOR1
#define VECTOR TIMER1_OVF_vect_num
#else
/* ATmega128 (DS2467): Timer1 is among the I/O registers, which begin at 0x20 of data space, and
 * shares its mask and its flags with other timers. There are no general purpose I/O registers; the
 * compare registers of the stopped timers 0 and 2 are free. */
#define COUNT_LOW TCNT1L + 0x20
#define COUNT_HIGH TCNT1H + 0x20
#define OVERFLOW TOV1
#define SAVED_REGISTER OCR0
#define SAVED_FLAGS OCR2
#define VECTOR TIMER1_OVF_vect_num
#endif

        .macro  clear_overflow register
#ifdef PW_COUNTER_TCA0
        ldi     \register, 1 << OVERFLOW
        sts     TCA0_SINGLE_INTFLAGS, \register
#elif defined(TIMSK1)
        sbi     TIFR1, TOV1
#else
        ldi     \register, 1 << OVERFLOW
        out     TIFR, \register
#endif
        .endm

        .macro  read_overflow register
#ifdef PW_COUNTER_TCA0
        lds     \register, TCA0_SINGLE_INTFLAGS
#elif defined(TIMSK1)
        in      \register, TIFR1
#else
        in      \register, TIFR
#endif
        .endm

        .macro  disable_overflow zero
#ifdef PW_COUNTER_TCA0
        sts     TCA0_SINGLE_INTCTRL, \zero
#elif defined(TIMSK1)
        sts     TIMSK1, \zero
#else
        out     TIMSK, \zero
#endif
        .endm

        .section .text.pw_device, "ax", @progbits

        /* The host starts here. SP: the top of the monitor's stack. */
        .global pw_device_run
        .type   pw_device_run, @function
pw_device_run:
        cli
        ldi     r24, lo8(pw_monitor_stack)
        out     SPL, r24
        ldi     r24, hi8(pw_monitor_stack)
        out     SPH, r24
        clr     r1
        rcall   pw_device_step
        .global pw_device_done
pw_device_done:
        rjmp    pw_device_done
        .size   pw_device_run, . - pw_device_run

#ifdef PW_UART
        /* The reset vector jumps here on boards with a serial line and no probe. */
        .global pw_device_serial
        .type   pw_device_serial, @function
pw_device_serial:
        cli
        ldi     r24, lo8(pw_monitor_stack)
        out     SPL, r24
        ldi     r24, hi8(pw_monitor_stack)
        out     SPH, r24
        clr     r1
        rjmp    pw_serial_loop
        .size   pw_device_serial, . - pw_device_serial
#endif

        .global pw_device_enter
        .type   pw_device_enter, @function
pw_device_enter:
        push    r2
        push    r3
        push    r4
        push    r5
        push    r6
        push    r7
        push    r8
        push    r9
        push    r10
        push    r11
        push    r12
        push    r13
        push    r14
        push    r15
        push    r16
        push    r17
        push    r28
        push    r29
        in      r18, SPL
        in      r19, SPH
        sts     pw_mailbox + PW_SAVED, r18
        sts     pw_mailbox + PW_SAVED + 1, r19
        /* The next free byte. */
        sbiw    r24, 1
        out     SPL, r24
        out     SPH, r25
        /* The negated number of overflows left; the interrupt counts up to 0. */
        lds     r18, pw_mailbox + PW_BUDGET
        lds     r19, pw_mailbox + PW_BUDGET + 1
        com     r18
        com     r19
        subi    r18, lo8(-1)
        sbci    r19, hi8(-1)
        sts     pw_mailbox + PW_OVERFLOWS, r18
        sts     pw_mailbox + PW_OVERFLOWS + 1, r19
        /* Registers for arguments: r8 to r25. */
        ldi     r28, lo8(pw_mailbox + PW_REGISTERS)
        ldi     r29, hi8(pw_mailbox + PW_REGISTERS)
        ld      r8, Y+
        ld      r9, Y+
        ld      r10, Y+
        ld      r11, Y+
        ld      r12, Y+
        ld      r13, Y+
        ld      r14, Y+
        ld      r15, Y+
        ld      r16, Y+
        ld      r17, Y+
        ld      r18, Y+
        ld      r19, Y+
        ld      r20, Y+
        ld      r21, Y+
        ld      r22, Y+
        ld      r23, Y+
        ld      r24, Y+
        ld      r25, Y+
        /* The function, in words. */
        lds     r30, pw_mailbox + PW_ADDRESS
        lds     r31, pw_mailbox + PW_ADDRESS + 1
        lds     r26, pw_mailbox + PW_ADDRESS + 2
        lsr     r26
        ror     r31
        ror     r30
        /* Wait while an overflow is near, so that none occurs between clear and read. */
1:      lds     r26, COUNT_LOW
        lds     r27, COUNT_HIGH
        cpi     r27, 0xc0
        brsh    1b
        clear_overflow r26
        lds     r26, COUNT_LOW
        lds     r27, COUNT_HIGH
        sts     pw_mailbox + PW_START, r26
        sts     pw_mailbox + PW_START + 1, r27
        sei
        icall
        cli
        lds     r26, COUNT_LOW
        lds     r27, COUNT_HIGH
        read_overflow r30
        sts     pw_mailbox + PW_END, r26
        sts     pw_mailbox + PW_END + 1, r27
        clr     r1
        sts     pw_mailbox + PW_END + 2, r1
        sts     pw_mailbox + PW_RESULT, r24
        sts     pw_mailbox + PW_RESULT + 1, r25
        ldi     r24, PW_DONE
        /* A pending overflow occurred before the reading if the value read is small. */
        sbrs    r30, OVERFLOW
        rjmp    pw_device_leave
        sbrc    r27, 7
        rjmp    pw_device_leave
        ldi     r18, 1
        sts     pw_mailbox + PW_END + 2, r18

        /* r24: the status. The stack pointer may have any value. */
pw_device_leave:
        cli
        clr     r1
        disable_overflow r1
        lds     r18, pw_mailbox + PW_SAVED
        lds     r19, pw_mailbox + PW_SAVED + 1
        out     SPL, r18
        out     SPH, r19
        /* Converts overflows left to overflows counted. */
        lds     r18, pw_mailbox + PW_OVERFLOWS
        lds     r19, pw_mailbox + PW_OVERFLOWS + 1
        lds     r20, pw_mailbox + PW_BUDGET
        lds     r21, pw_mailbox + PW_BUDGET + 1
        add     r18, r20
        adc     r19, r21
        sts     pw_mailbox + PW_OVERFLOWS, r18
        sts     pw_mailbox + PW_OVERFLOWS + 1, r19
        sts     pw_mailbox + PW_OVERFLOWS + 2, r1
        sts     pw_mailbox + PW_OVERFLOWS + 3, r1
        pop     r29
        pop     r28
        pop     r17
        pop     r16
        pop     r15
        pop     r14
        pop     r13
        pop     r12
        pop     r11
        pop     r10
        pop     r9
        pop     r8
        pop     r7
        pop     r6
        pop     r5
        pop     r4
        pop     r3
        pop     r2
        ret
        .size   pw_device_enter, . - pw_device_enter

        /* The counter's overflow vector jumps here. It saves registers in unused I/O registers, not on
           the stack. */
        .global pw_device_overflow
        .type   pw_device_overflow, @function
pw_device_overflow:
        out     SAVED_REGISTER, r24
        in      r24, SREG
        out     SAVED_FLAGS, r24
#ifdef PW_COUNTER_TCA0
        clear_overflow r24
#endif
        lds     r24, pw_mailbox + PW_OVERFLOWS
        subi    r24, lo8(-1)
        sts     pw_mailbox + PW_OVERFLOWS, r24
        lds     r24, pw_mailbox + PW_OVERFLOWS + 1
        sbci    r24, hi8(-1)
        sts     pw_mailbox + PW_OVERFLOWS + 1, r24
        breq    2f
        wdr
        in      r24, SAVED_FLAGS
        out     SREG, r24
        in      r24, SAVED_REGISTER
        reti
        /* The budget is used up. `reti` ends the interrupt and continues at 3. */
2:      pop     r25
        pop     r24
        lsl     r24
        rol     r25
        clr     r26
        rol     r26
        sts     pw_mailbox + PW_PC, r24
        sts     pw_mailbox + PW_PC + 1, r25
        sts     pw_mailbox + PW_PC + 2, r26
        ldi     r24, pm_lo8(3f)
        push    r24
        ldi     r24, pm_hi8(3f)
        push    r24
        reti
3:      cli
        ldi     r24, PW_EXPIRED
        rjmp    pw_device_leave
        .size   pw_device_overflow, . - pw_device_overflow

        /* The vector's address in flash. */
        .global pw_overflow_vector
        .set    pw_overflow_vector, VECTOR * 4
