/*
 * avr-libc's <avr/pgmspace.h> for Clang. The functions of avr-libc that read two and four bytes of
 * flash are inline assembly with four-byte operands, which only GCC supports; here they call the
 * one that reads a byte.
 *
 * Reference: avr-libc, <avr/pgmspace.h>, pgm_read_byte.
 */
#pragma clang system_header
#ifndef PENNYWEIGHT_CLANG_AVR_PGMSPACE_H
#define PENNYWEIGHT_CLANG_AVR_PGMSPACE_H

#include_next <avr/pgmspace.h>

static inline __attribute__((always_inline)) uint32_t pw_flash_dword(uint16_t address)
{
    return (uint32_t)pgm_read_byte(address) | (uint32_t)pgm_read_byte(address + 1) << 8 |
           (uint32_t)pgm_read_byte(address + 2) << 16 | (uint32_t)pgm_read_byte(address + 3) << 24;
}

#undef pgm_read_dword
#undef pgm_read_dword_near
#define pgm_read_dword(address) pw_flash_dword((uint16_t)(address))
#define pgm_read_dword_near(address) pw_flash_dword((uint16_t)(address))

#endif
