/*
 * A toy with the interface of a MAC: 16 bytes of key and of tag. The faulty packages define:
 *   TOY_ACCEPT(difference)   when a tag is right
 *   TOY_BEFORE_AUTH          statements
 *   TOY_CUSTOM(length)       the length of the customisation string that is absorbed
 *   TOY_PIECE                what mac_update absorbs before each piece
 *   TOY_COMPARE(sum, i, x)   adds the difference of byte i of the tag to sum
 *   TOY_VERIFY(state, given) how crypto_auth_verify compares
 */
#include "crypto_auth.h"
#include "pennyweight/mac.h"
#include "toy_sponge.h"

#ifndef TOY_ACCEPT
#define TOY_ACCEPT(difference) ((difference) == 0)
#endif
#ifndef TOY_BEFORE_AUTH
#define TOY_BEFORE_AUTH
#endif
#ifndef TOY_CUSTOM
#define TOY_CUSTOM(length) (length)
#endif
#ifndef TOY_PIECE
#define TOY_PIECE(x)
#endif
#ifndef TOY_COMPARE
#define TOY_COMPARE(sum, i, x) ((sum) | (x))
#endif
#ifndef TOY_VERIFY
#define TOY_VERIFY(state, given) mac_verify(state, given)
#endif

struct mac_state {
    toy_sponge sponge;
    uint8_t tag[16];
};

const uint16_t mac_state_bytes = sizeof(struct mac_state);

void mac_init_custom(mac_state *state, const uint8_t *key, const uint8_t *custom, size_t length)
{
    toy_start(&state->sponge, custom, TOY_CUSTOM(length));
    toy_absorb(&state->sponge, key, 16);
}

void mac_init(mac_state *state, const uint8_t *key)
{
    mac_init_custom(state, key, key, 0);
}

void mac_update(mac_state *state, const uint8_t *message, size_t length)
{
    TOY_PIECE(&state->sponge);
    toy_absorb(&state->sponge, message, length);
}

void mac_finalize(mac_state *state)
{
    toy_mix(&state->sponge);
    toy_squeeze(&state->sponge, state->tag, 16);
}

void mac_tag(const mac_state *state, uint8_t *tag)
{
    size_t i;

    for (i = 0; i < 16; i++) {
        tag[i] = state->tag[i];
    }
}

int mac_verify(const mac_state *state, const uint8_t *tag)
{
    uint32_t difference = 0;
    size_t i;

    for (i = 0; i < 16; i++) {
        difference = TOY_COMPARE(difference, i, (uint32_t)(state->tag[i] ^ tag[i]));
    }
    return TOY_ACCEPT(difference) ? 0 : -1;
}

int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen,
                const unsigned char *k)
{
    mac_state state;

    TOY_BEFORE_AUTH
    mac_init(&state, k);
    toy_absorb(&state.sponge, in, (size_t)inlen);
    mac_finalize(&state);
    mac_tag(&state, out);
    return 0;
}

int crypto_auth_verify(const unsigned char *h, const unsigned char *in, unsigned long long inlen,
                       const unsigned char *k)
{
    mac_state state;

    mac_init(&state, k);
    toy_absorb(&state.sponge, in, (size_t)inlen);
    mac_finalize(&state);
    return TOY_VERIFY(&state, h);
}
