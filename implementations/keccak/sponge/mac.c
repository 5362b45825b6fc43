/*
 * KMAC128 and KMAC256.
 *
 * References: NIST SP 800-185 (2016), sections 2.3, 3.3 and 4.3: left_encode, right_encode,
 * encode_string, bytepad, cSHAKE, KMAC; same names.
 */
#include "pennyweight/mac.h"

#include "api.h"
#include "crypto_auth.h"
#include "secret.h"
#include "sponge.h"
#include "variant.h"

struct mac_state {
    keccak_sponge sponge; /* after mac_finalize, the state begins with the tag */
};

const uint16_t mac_state_bytes = sizeof(mac_state);

/* left_encode(x): the number of bytes of x, at least one, and these bytes. */
static void left_encode(keccak_sponge *sponge, uint64_t x)
{
    uint8_t code[9];
    uint8_t at = 8;

    for (; at != 0; at--) {
        code[at] = (uint8_t)x;
        x >>= 8;
        if (x == 0) {
            break;
        }
    }
    code[at - 1] = (uint8_t)(9 - at);
    keccak_absorb(sponge, code + at - 1, (size_t)(10 - at));
}

/* encode_string(S): the length of S in bits, and S. */
static void encode_string(keccak_sponge *sponge, const uint8_t *s, size_t length)
{
    left_encode(sponge, (uint64_t)length * 8);
    keccak_absorb(sponge, s, length);
}

/* newX = bytepad(encode_string(K), w) || X, in cSHAKE with the function's name and S. */
void mac_init_custom(mac_state *state, const uint8_t *key, const uint8_t *custom, size_t length)
{
    static const uint8_t name[4] = {'K', 'M', 'A', 'C'};
    keccak_sponge *sponge = &state->sponge;

    keccak_init(sponge);
    left_encode(sponge, KECCAK_RATE);
    encode_string(sponge, name, sizeof name);
    encode_string(sponge, custom, length);
    keccak_fill(sponge);
    left_encode(sponge, KECCAK_RATE);
    encode_string(sponge, key, CRYPTO_KEYBYTES);
    keccak_fill(sponge);
}

void mac_init(mac_state *state, const uint8_t *key)
{
    mac_init_custom(state, key, NULL, 0);
}

void mac_update(mac_state *state, const uint8_t *message, size_t length)
{
    keccak_absorb(&state->sponge, message, length);
}

/* right_encode(L): the bits of the tag and the number of bytes that encode them, one or two. */
void mac_finalize(mac_state *state)
{
#if CRYPTO_BYTES < 32
    static const uint8_t code[2] = {CRYPTO_BYTES * 8, 1};
#else
    static const uint8_t code[3] = {CRYPTO_BYTES * 8 / 256, CRYPTO_BYTES * 8 % 256, 2};
#endif

    keccak_absorb(&state->sponge, code, sizeof code);
    keccak_finish(&state->sponge, KECCAK_CSHAKE);
}

void mac_tag(const mac_state *state, uint8_t *tag)
{
    keccak_read(&state->sponge, 0, tag, CRYPTO_BYTES);
}

int mac_verify(const mac_state *state, const uint8_t *tag)
{
    uint8_t expected[CRYPTO_BYTES];

    mac_tag(state, expected);
    return compare_constant_time(expected, tag, sizeof expected);
}

/* The state of a whole message. */
static void authenticate(mac_state *state, const uint8_t *message, size_t length,
                         const uint8_t *key)
{
    mac_init(state, key);
    mac_update(state, message, length);
    mac_finalize(state);
}

int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen,
                const unsigned char *k)
{
    mac_state state;

    authenticate(&state, in, (size_t)inlen, k);
    mac_tag(&state, out);
    return 0;
}

int crypto_auth_verify(const unsigned char *h, const unsigned char *in, unsigned long long inlen,
                       const unsigned char *k)
{
    mac_state state;

    authenticate(&state, in, (size_t)inlen, k);
    return mac_verify(&state, h);
}
