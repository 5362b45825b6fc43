/*
 * GIFT-128 on shares, with the names that the mode COFB uses.
 *
 * References: see ../masked.h.
 */
#ifndef PENNYWEIGHT_GIFT_MASKED_GIFT128_H
#define PENNYWEIGHT_GIFT_MASKED_GIFT128_H

#include "masked.h"

#define gift128_state masked_state
#define gift128_key masked_key
#define gift128_set_key masked_set_key
#define gift128_encrypt masked_encrypt
#define gift128_load masked_load
#define gift128_store masked_store

#endif
