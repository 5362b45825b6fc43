/*
 * Position of the message's domain in the specification: the last byte of
 * Z.
 *
 * References: S. Gueron, A. Jha, M. Nandi, "COMET" (2019), section 2, and its reference code.
 */
#ifndef PENNYWEIGHT_COMET_DOMAIN_H
#define PENNYWEIGHT_COMET_DOMAIN_H

#define MESSAGE_BYTE 15

#endif
