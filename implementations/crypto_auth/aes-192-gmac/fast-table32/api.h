#define CRYPTO_KEYBYTES 36
#define CRYPTO_BYTES 16

/* The rest of the key is the nonce. */
#define AES_KEY_BYTES 24
