/* <ctype.h>, for compilers without a C library: for the "C" locale. */
#ifndef PENNYWEIGHT_CTYPE_H
#define PENNYWEIGHT_CTYPE_H

#ifdef __cplusplus
extern "C" {
#endif

int tolower(int letter);
int toupper(int letter);

#ifdef __cplusplus
}
#endif

#endif
