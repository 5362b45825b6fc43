/* What the modes of operation ask for; the kernels ask for nothing. */
#define CRYPTO_KEYBYTES 16
#define CRYPTO_NPUBBYTES 16
#define CRYPTO_ABYTES 16
#define CRYPTO_BYTES 32
