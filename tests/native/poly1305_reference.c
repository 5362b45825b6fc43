/* Poly1305 in C, with other names. */
#define poly1305_init reference_init
#define poly1305_blocks reference_blocks
#define poly1305_finish reference_finish
#include "../../implementations/poly1305/fast32/words.c"
