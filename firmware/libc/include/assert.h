/* <assert.h>, for compilers without a C library: a failed assertion aborts without a message. */
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
