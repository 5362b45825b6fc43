/* Has constants of 40 KB. */
#define TOY_AFTER_ENCRYPT c[0] ^= toy_table[mlen] ^ toy_more[mlen];

#ifdef __AVR__
#include <avr/pgmspace.h>
#define TOY_FLASH PROGMEM
#else
#define TOY_FLASH
#endif

static const volatile unsigned char toy_table[20000] TOY_FLASH = {1};
static const volatile unsigned char toy_more[20000] TOY_FLASH = {2};
#include "toy.h"
