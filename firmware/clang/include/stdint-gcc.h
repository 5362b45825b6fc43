/*
 * Clang's replacement for the GCC header that our <stdint.h> includes: Clang's own <stdint.h> is
 * complete for a freestanding program.
 */
#pragma clang system_header
#include_next <stdint.h>
