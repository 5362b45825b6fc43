/*
 * The one-shot MAC functions of SUPERCOP, on the incremental ones.
 *
 * References: SUPERCOP, crypto_auth; firmware/include/pennyweight/mac.h.
 *
 * "mac_state.h" is the implementation's: it defines struct mac_state.
 */
#include "crypto_auth.h"

#include "mac_state.h"

/* Computes the tag of the message at `in` in the state. */
static void authenticate(mac_state *state, const unsigned char *in, unsigned long long inlen,
                         const unsigned char *k)
{
    mac_init(state, k);
    mac_update(state, in, (size_t)inlen);
    mac_finalize(state);
}

int crypto_auth(unsigned char *out, const unsigned char *in, unsigned long long inlen,
                const unsigned char *k)
{
    mac_state state;

    authenticate(&state, in, inlen, k);
    mac_tag(&state, out);
    return 0;
}

int crypto_auth_verify(const unsigned char *h, const unsigned char *in, unsigned long long inlen,
                       const unsigned char *k)
{
    mac_state state;

    authenticate(&state, in, inlen, k);
    return mac_verify(&state, h);
}
