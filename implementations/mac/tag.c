/*
 * The last two functions of a MAC whose final state holds a tag of CRYPTO_BYTES bytes in `tag`.
 *
 * "mac_state.h" and "api.h" are the implementation's.
 *
 * References: firmware/include/pennyweight/mac.h.
 */
#include "api.h"
#include "bytes.h"
#include "mac_state.h"
#include "secret.h"

void mac_tag(const mac_state *state, uint8_t *tag)
{
    copy_bytes(tag, (const uint8_t *)state->tag, CRYPTO_BYTES);
}

int mac_verify(const mac_state *state, const uint8_t *tag)
{
    return compare_constant_time((const uint8_t *)state->tag, tag, CRYPTO_BYTES);
}
