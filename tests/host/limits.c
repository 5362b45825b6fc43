/*
 * Tests which lengths an AEAD implementation accepts. Reads lines from standard input:
 *
 *   encrypt MLEN ADLEN   "refused" or "taken"
 *   decrypt MLEN ADLEN   the same for the ciphertext of that many bytes
 *   run MLEN ADLEN       the ciphertext of that many zeros, after decrypting it again
 *
 * Except for `run`, all texts point to an inaccessible page, whatever the length: an implementation
 * that accepts them faults there; one that rejects them must not access it.
 */
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

#include "api.h"
#include "crypto_aead.h"
#include "lines.h"

static unsigned char key[CRYPTO_KEYBYTES], nonce[CRYPTO_NPUBBYTES];
static sigjmp_buf stopped;

static void stop(int number)
{
    (void)number;
    siglongjmp(stopped, 1);
}

static const char *refuses(int decrypts, unsigned long long mlen, unsigned long long adlen,
                           unsigned char *page)
{
    unsigned long long length = 1;
    int status;

    if (sigsetjmp(stopped, 1) != 0) {
        return "taken";
    }
    if (decrypts) {
        status = crypto_aead_decrypt(page, &length, NULL, page, mlen + CRYPTO_ABYTES, page, adlen,
                                     nonce, key);
    } else {
        status = crypto_aead_encrypt(page, &length, page, mlen, page, adlen, NULL, nonce, key);
    }
    return status == -1 && length == 0 ? "refused" : "differs";
}

static void run(size_t mlen, size_t adlen)
{
    bytes m = bytes_new(mlen, 0), ad = bytes_new(adlen, 0), c = bytes_new(mlen + CRYPTO_ABYTES, 0);
    bytes again = bytes_new(mlen, 0);
    unsigned long long clen, length;

    memset(again.data, 1, mlen);
    if (crypto_aead_encrypt(c.data, &clen, m.data, mlen, ad.data, adlen, NULL, nonce, key) != 0 ||
        clen != c.length ||
        crypto_aead_decrypt(again.data, &length, NULL, c.data, clen, ad.data, adlen, nonce, key) !=
            0 ||
        length != mlen || memcmp(again.data, m.data, mlen) != 0) {
        puts("differs");
    } else {
        bytes_print(c.data, c.length);
    }
    bytes_free(m);
    bytes_free(ad);
    bytes_free(c);
    bytes_free(again);
}

int main(void)
{
    unsigned char *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *fields[3];

    if (page == MAP_FAILED) {
        return 1;
    }
    signal(SIGSEGV, stop);
    while (next_line(fields, 3) == 3) {
        const unsigned long long mlen = strtoull(fields[1], NULL, 10);
        const unsigned long long adlen = strtoull(fields[2], NULL, 10);

        if (strcmp(fields[0], "run") == 0) {
            run(mlen, adlen);
        } else {
            puts(refuses(strcmp(fields[0], "decrypt") == 0, mlen, adlen, page));
        }
    }
    return 0;
}
