/* GHASH in C, with other names, and with products of 32 bits. */
#define GHASH_LONG_PRODUCTS 0
#define ghash_init reference_init
#define ghash_update reference_update
#define ghash_digest reference_digest
#include "../../implementations/ghash/ct32/ghash_ct32.c"
