/* AES-GCM of LibTomCrypt as SUPERCOP and NIST call it. AES is entry 0 of the cipher table, which
 * modes index. The state is on the stack; gcm_memory would allocate it on the heap. */
#include "tomcrypt.h"

#include "api.h"
#include "crypto_aead.h"

static int start(gcm_state *state, const unsigned char *k, const unsigned char *npub,
                 const unsigned char *ad, unsigned long length)
{
    cipher_descriptor[0] = aes_desc;
    int failure = gcm_init(state, 0, k, CRYPTO_KEYBYTES);
    if (failure == CRYPT_OK) {
        failure = gcm_add_iv(state, npub, CRYPTO_NPUBBYTES);
    }
    if (failure == CRYPT_OK) {
        failure = gcm_add_aad(state, ad, length);
    }
    return failure;
}

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k)
{
    gcm_state state;
    unsigned long size = CRYPTO_ABYTES;
    (void)nsec;
    int failure = start(&state, k, npub, ad, (unsigned long)adlen);
    if (failure == CRYPT_OK) {
        failure = gcm_process(&state, (unsigned char *)m, (unsigned long)mlen, c, GCM_ENCRYPT);
    }
    if (failure == CRYPT_OK) {
        failure = gcm_done(&state, c + mlen, &size);
    }
    *clen = mlen + CRYPTO_ABYTES;
    return failure == CRYPT_OK ? 0 : -1;
}

int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub, const unsigned char *k)
{
    gcm_state state;
    unsigned char tag[CRYPTO_ABYTES];
    unsigned long size = sizeof tag;
    (void)nsec;
    if (clen < CRYPTO_ABYTES) {
        return -1;
    }
    const unsigned long length = (unsigned long)(clen - CRYPTO_ABYTES);
    int failure = start(&state, k, npub, ad, (unsigned long)adlen);
    if (failure == CRYPT_OK) {
        failure = gcm_process(&state, m, length, (unsigned char *)c, GCM_DECRYPT);
    }
    if (failure == CRYPT_OK) {
        failure = gcm_done(&state, tag, &size);
    }
    *mlen = length;
    if (failure == CRYPT_OK && XMEM_NEQ(tag, c + length, sizeof tag) == 0) {
        return 0;
    }
    zeromem(m, length);
    return -1;
}
