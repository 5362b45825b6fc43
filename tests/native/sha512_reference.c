/* SHA-512's compression function in C, with another name; and its constants. */
#define sha512_compress reference_compress
#include "../../implementations/sha512/sha512.c"
#include "../../implementations/sha512/sha512_fast32.c"
