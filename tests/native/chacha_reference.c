/* ChaCha20 in C, with other names. */
#define chacha20_block reference_block
#define chacha20_encrypt reference_encrypt
#define chacha20_init reference_init
#define chacha20_set_nonce reference_set_nonce
#define chacha20_next reference_next
#include "../../implementations/chacha/fast32/block.c"
#undef UNROTATED_B
#include "../../implementations/chacha/chacha20.c"
