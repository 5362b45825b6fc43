/* Known-answer test of crypto_aead_encrypt and crypto_aead_decrypt. Exit status 0: all passed. */
#include "../api.h"
#include "../one_shot.h"
#include "hex.h"
#include "known_answers.h"

static unsigned char key[LONGEST], nonce[LONGEST], ad[LONGEST], message[LONGEST], sealed[LONGEST];
static unsigned char output[LONGEST + CRYPTO_ABYTES];
static size_t ad_length, message_length, sealed_length;

static int opens(void)
{
    unsigned long long length = 0;

    return crypto_aead_decrypt(output, &length, NULL, sealed, sealed_length, ad, ad_length, nonce,
                               key) == 0 &&
           length == message_length && memcmp(output, message, message_length) == 0;
}

static void test_valid(const char *source)
{
    unsigned long long length = 0;

    check(crypto_aead_encrypt(output, &length, message, message_length, ad, ad_length, NULL, nonce,
                              key) == 0,
          "encryption failed", source);
    check(length == sealed_length && memcmp(output, sealed, sealed_length) == 0,
          "wrong ciphertext or tag", source);
    check(opens(), "decryption failed", source);
#if IN_PLACE
    memcpy(output, message, message_length);
    check(crypto_aead_encrypt(output, &length, output, message_length, ad, ad_length, NULL, nonce,
                              key) == 0 &&
              memcmp(output, sealed, sealed_length) == 0,
          "wrong ciphertext in the message's place", source);
#endif
    for (size_t i = 0; i < sealed_length; i++) {
        sealed[i] ^= 1;
        check(!opens(), "a forgery was accepted", source);
        sealed[i] ^= 1;
    }
}

int main(void)
{
    for (size_t i = 0; i < ANSWERS; i++) {
        const struct known_answer *each = &known_answers[i];

        read_hex(key, each->key);
        read_hex(nonce, each->nonce);
        ad_length = read_hex(ad, each->ad);
        message_length = read_hex(message, each->message);
        sealed_length = read_hex(sealed, each->sealed);
        if (each->valid) {
            test_valid(each->source);
        } else {
            unsigned long long length = 0;

            check(crypto_aead_decrypt(output, &length, NULL, sealed, sealed_length, ad, ad_length,
                                      nonce, key) != 0,
                  "a forgery was accepted", each->source);
        }
    }
    printf("one-shot: %zu known answers passed\n", ANSWERS);
    return 0;
}
