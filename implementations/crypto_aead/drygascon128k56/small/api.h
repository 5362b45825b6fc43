#define CRYPTO_KEYBYTES 56
#define CRYPTO_NSECBYTES 0
#define CRYPTO_NPUBBYTES 16
#define CRYPTO_ABYTES 16
#define CRYPTO_DISTINCT_WORDS 4 /* at the end of the key: if two are equal, it is no key */
