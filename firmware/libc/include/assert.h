/* <assert.h>, for compilers that bring no C library: a false assertion aborts, without a word. */
#include <stdlib.h>

#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : abort())
#endif

#ifndef __cplusplus
#undef static_assert
#define static_assert _Static_assert
#endif
