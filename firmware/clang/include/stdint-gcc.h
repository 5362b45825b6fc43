/*
 * The header that our <stdint.h> takes from GCC, for Clang: its own <stdint.h> is complete for a
 * freestanding program.
 */
#pragma clang system_header
#include_next <stdint.h>
