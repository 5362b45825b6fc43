/* gcc's own <stdint.h> includes the C library's unless the code is freestanding. */
#ifndef PENNYWEIGHT_LIBC_STDINT_H
#define PENNYWEIGHT_LIBC_STDINT_H

#include <stdint-gcc.h>

#endif
