/*
 * Encryption of the nonce if associated data and message are empty: as in the submitted reference
 * code.
 *
 * References: A. Chakraborti, N. Datta, A. Jha, C. Mancillas Lopez, M. Nandi, Y. Sasaki, "ESTATE"
 * (submission to NIST's lightweight cryptography project, round 2, 2019),
 * section 2.
 */
#ifndef PENNYWEIGHT_ESTATE_DOMAIN_H
#define PENNYWEIGHT_ESTATE_DOMAIN_H

#define ESTATE_NONCE_TWICE 1

#endif
