/*
 * Constant tables that take no RAM, and some that do.
 *
 * On AVR, `const` objects are copied into RAM at start-up, because LD cannot reach flash. Tables
 * declared `static const uint8_t NAME[] IN_FLASH = {...}` stay in flash there, and are read with
 * flash_u8(&NAME[i]), flash_u32(&NAME[i]), ... by LPM. Elsewhere both are plain C.
 *
 * On larger cores, flash has wait states, which its buffers do not hide for single bytes at
 * scattered addresses. `static uint8_t NAME[] IN_RAM = {...}`, which nothing writes, is copied at
 * start-up and read from RAM. It is not `const`: that would make the section read-only, and linkers
 * keep such sections in flash.
 *
 * References: AVR Instruction Set Manual (DS40002198), LPM; avr-libc, <avr/pgmspace.h>.
 */
#ifndef PENNYWEIGHT_UTIL_FLASH_H
#define PENNYWEIGHT_UTIL_FLASH_H

#include <stdint.h>

#if defined(__GNUC__) && !defined(__APPLE__)
#define IN_RAM __attribute__((section(".data.table")))
#else
#define IN_RAM
#endif

#if defined(__AVR__)

#include <avr/pgmspace.h>

#define IN_FLASH PROGMEM

/* The object at `p`, which must be in a table declared IN_FLASH. */
static inline uint8_t flash_u8(const uint8_t *p)
{
    return pgm_read_byte(p);
}

/* The same for 16 bits. */
static inline uint16_t flash_u16(const uint16_t *p)
{
    return pgm_read_word(p);
}

/* The same for 32 bits. */
static inline uint32_t flash_u32(const uint32_t *p)
{
    return pgm_read_dword(p);
}

/* The same for 64 bits. */
static inline uint64_t flash_u64(const uint64_t *p)
{
    const uint32_t *const halves = (const uint32_t *)p;

    return (uint64_t)pgm_read_dword(halves) | (uint64_t)pgm_read_dword(halves + 1) << 32;
}

#else

#define IN_FLASH

/* The object at `p`, which must be in a table declared IN_FLASH. */
static inline uint8_t flash_u8(const uint8_t *p)
{
    return *p;
}

/* The same for 16 bits. */
static inline uint16_t flash_u16(const uint16_t *p)
{
    return *p;
}

/* The same for 32 bits. */
static inline uint32_t flash_u32(const uint32_t *p)
{
    return *p;
}

/* The same for 64 bits. */
static inline uint64_t flash_u64(const uint64_t *p)
{
    return *p;
}

#endif
#endif
