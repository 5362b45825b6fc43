/*
 * A self-contained program for Pennyweight's simulators and their peers: calls one function on 512
 * bytes, as often as the number after the mark states, and stops at bench_done.
 *
 * On AVR avr-libc starts it. On other parts it starts itself. On those that QEMU supports, it exits
 * through semihosting: Arm "Semihosting for AArch32 and AArch64", SYS_EXIT; Xtensa SIMCALL,
 * SYS_exit; MIPS "Unified Hosting Interface" (MD01069), exit. QEMU has no semihosting for AVR:
 * there, the program sends a character to the serial port (ATmega328P data sheet, UCSR0B, UDR0).
 * Pennyweight's simulator does not run bench_done.
 */
#include <stdint.h>

#include "crypto_aead.h"
#include "crypto_hash.h"

#define LENGTH 512

/* The mark that `programs.py` searches for, followed by the number of calls. */
__attribute__((used)) static const volatile struct {
    uint32_t mark[2];
    uint32_t times;
} calls = {{0x6e657070, 0x72777967}, 1};

static unsigned char input[LENGTH], output[LENGTH + 32], key[32], nonce[16];

__attribute__((noreturn, noinline, used)) void bench_done(void)
{
#ifdef __AVR_ATmega328P__
    *(volatile uint8_t *)0xc1 = 8;
    *(volatile uint8_t *)0xc6 = '.';
#endif
#ifdef __XTENSA__
    register uint32_t operation __asm__("a2") = 1;
    register uint32_t status __asm__("a3") = 0;
    __asm__ volatile("simcall" : : "r"(operation), "r"(status));
#endif
#ifdef __mips__
    register uint32_t operation __asm__("$25") = 1;
    register uint32_t status __asm__("$4") = 0;
    __asm__ volatile("sdbbp 1" : : "r"(operation), "r"(status));
#endif
#ifdef __arm__
    register uint32_t operation __asm__("r0") = 0x18;
    register uint32_t reason __asm__("r1") = 0x20026;
    __asm__ volatile("bkpt 0xab" : : "r"(operation), "r"(reason));
#endif
#ifdef __riscv
    register uint32_t operation __asm__("a0") = 0x18;
    register uint32_t reason __asm__("a1") = 0x20026;
    /* The three instructions must be these, uncompressed (RISC-V Semihosting, version 0.3). */
    __asm__ volatile(".balign 16\n.option push\n.option norvc\n"
                     "slli x0, x0, 0x1f\nebreak\nsrai x0, x0, 7\n.option pop"
                     :
                     : "r"(operation), "r"(reason));
#endif
    for (;;) {
    }
}

__attribute__((noinline, used)) void bench_calls(void)
{
    for (uint32_t i = 0; i < calls.times; i++) {
#ifdef PW_HASH
        crypto_hash(output, input, LENGTH);
#else
        unsigned long long length;
        crypto_aead_encrypt(output, &length, input, LENGTH, input, 16, 0, nonce, key);
#endif
    }
}

/* Pennyweight runs the start-up code up to this function, and calls bench_calls. */
__attribute__((noinline, used)) int main(void)
{
    bench_calls();
    bench_done();
}

#ifndef __AVR__
extern uintptr_t pw_ram_end, pw_data_start, pw_data_end, pw_data_load, pw_bss_start, pw_bss_end;

#ifdef __arm__
#define START pw_reset
#else
#define START bench_start
#endif

__attribute__((noreturn, used)) void START(void)
{
    const uintptr_t *from = &pw_data_load;
    for (uintptr_t *to = &pw_data_start; to < &pw_data_end; to++) {
        *to = *from++;
    }
    for (uintptr_t *to = &pw_bss_start; to < &pw_bss_end; to++) {
        *(volatile uintptr_t *)to = 0;
    }
    main();
    bench_done();
}

#ifdef __arm__
__attribute__((section(".pw_vectors"), used)) static const void *const vectors[2] = {
    &pw_ram_end, (const void *)pw_reset};
#endif

#ifdef __MSP430__
__attribute__((section(".pw_start"), naked, used)) void pw_reset(void)
{
    __asm__("mov #pw_ram_end, r1\n\tbr #bench_start");
}

/* Symbols of the start-up code that the compiler references. */
void __crt0_init_bss(void) __attribute__((alias("pw_reset")));
void __crt0_movedata(void) __attribute__((alias("pw_reset")));

__attribute__((section(".pw_vectors"), used)) static const void *const vectors[16] = {
    [15] = (const void *)pw_reset};
#endif

#ifdef __riscv
__attribute__((section(".pw_start"), naked, used)) void pw_reset(void)
{
    __asm__(".option push\n.option norelax\nla gp, __global_pointer$\n.option pop\n"
            "la sp, pw_ram_end\ncall bench_start");
}
#endif

#ifdef __XTENSA__
#ifdef __XTENSA_WINDOWED_ABI__
#error "the loop is for the call0 ABI"
#endif
__asm__(".section .pw_start, \"ax\"\n.literal_position\n.align 4\n.global pw_reset\npw_reset:\n"
        "movi a1, pw_ram_end\ncall0 bench_start\n.text");
#endif

#ifdef __mips__
__asm__(".section .pw_start, \"ax\"\n.set noreorder\n.global pw_reset\n.ent pw_reset\npw_reset:\n"
        "la $sp, pw_ram_end\njal bench_start\nnop\n.end pw_reset\n.set reorder\n.text");
#endif
#endif
