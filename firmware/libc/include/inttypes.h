/* The part of <inttypes.h> that packages use, for compilers without a C library. */
#ifndef PENNYWEIGHT_LIBC_INTTYPES_H
#define PENNYWEIGHT_LIBC_INTTYPES_H

#include <stdint.h>

/* The compiler defines these types; %l and %ll suit those that are long and long long. */
#define PRId8 "d"
#define PRIu8 "u"
#define PRIx8 "x"
#define PRIX8 "X"
#define PRId16 "d"
#define PRIu16 "u"
#define PRIx16 "x"
#define PRIX16 "X"
#define PRId32 "ld"
#define PRIu32 "lu"
#define PRIx32 "lx"
#define PRIX32 "lX"
#define PRId64 "lld"
#define PRIu64 "llu"
#define PRIx64 "llx"
#define PRIX64 "llX"

#endif
