/* gcc's own <stdint.h> asks for the C library's unless it compiles freestanding code. */
#ifndef PENNYWEIGHT_LIBC_STDINT_H
#define PENNYWEIGHT_LIBC_STDINT_H

#include <stdint-gcc.h>

#endif
