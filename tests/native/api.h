/* Definitions that the modes of operation need; the kernels need none. */
#define CRYPTO_KEYBYTES 16
#define CRYPTO_NPUBBYTES 16
#define CRYPTO_ABYTES 16
#ifndef CRYPTO_BYTES
#define CRYPTO_BYTES 32
#endif
