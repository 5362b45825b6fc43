/*
 * <math.h>, for compilers without a C library: declarations only, for packages that include it and
 * use integers only. Programs that call these functions do not link.
 */
#ifndef PENNYWEIGHT_LIBC_MATH_H
#define PENNYWEIGHT_LIBC_MATH_H

#ifdef __cplusplus
extern "C" {
#endif

double ceil(double x);
double exp(double x);
double fabs(double x);
double floor(double x);
double log(double x);
double log2(double x);
double pow(double x, double y);
double sqrt(double x);

#ifdef __cplusplus
}
#endif

#endif
