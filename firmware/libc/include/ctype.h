/* <ctype.h>, for compilers that bring no C library: the "C" locale's letters. */
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
