/* As much of <sys/types.h> as packages use on parts without an operating system. */
#ifndef PENNYWEIGHT_SYS_TYPES_H
#define PENNYWEIGHT_SYS_TYPES_H

#include <stddef.h>

typedef ptrdiff_t ssize_t;
typedef long off_t;

#endif
