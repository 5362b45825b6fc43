/*
 * Position of the message's domain in the submitted reference code, which departs from the
 * specification: the first byte of Z.
 *
 * References: S. Gueron, A. Jha, M. Nandi, "COMET" (2019), section 2, and its reference code.
 */
#ifndef PENNYWEIGHT_COMET_DOMAIN_H
#define PENNYWEIGHT_COMET_DOMAIN_H

#define MESSAGE_BYTE 0

#endif
