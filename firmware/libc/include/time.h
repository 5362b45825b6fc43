/*
 * <time.h>, for compilers without a C library: declarations only, for packages that include it for
 * their own main(). A microcontroller has no such clock; packages that read it do not link.
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
