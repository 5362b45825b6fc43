/* SHA-256's compression function in C, with another name; and its constants. */
#define sha256_compress reference_compress
#include "../../implementations/sha2/sha256.c"
#include "../../implementations/sha2/sha256_fast32.c"
