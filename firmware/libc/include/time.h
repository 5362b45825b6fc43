/*
 * <time.h>, for compilers that bring no C library: declarations only, for packages that include it
 * for a main() of theirs. A part has no clock of that kind; a package that asks it does not link.
 */
#ifndef PENNYWEIGHT_LIBC_TIME_H
#define PENNYWEIGHT_LIBC_TIME_H

#include <stddef.h>

#define CLOCKS_PER_SEC 1000000L

#ifdef __cplusplus
extern "C" {
#endif

typedef long clock_t;
typedef long long time_t;

clock_t clock(void);
time_t time(time_t *now);

#ifdef __cplusplus
}
#endif

#endif
