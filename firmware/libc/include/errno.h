/* As much of <errno.h> as packages use on parts without an operating system. */
#ifndef PENNYWEIGHT_ERRNO_H
#define PENNYWEIGHT_ERRNO_H

#define ENOMEM 12
#define EINVAL 22
#define EFBIG 27
#define EDOM 33
#define ERANGE 34
#define ENOSYS 38

#ifdef __cplusplus
extern "C" {
#endif

extern int errno;

#ifdef __cplusplus
}
#endif

#endif
