/*
 * SKINNY-128 on two blocks: on an AVR one after the other, elsewhere as table32 does it.
 *
 * References: "The SKINNY Family" (2016), section 2 (see skinny128.h); same names.
 */
#if defined(__AVR__)
#include "../both.c"
#else
#include "../table32/both.c"
#endif
