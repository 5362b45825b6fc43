/*
 * The one-shot API of a customised XOF, as in the Ascon team's packages: `outlen` bytes of output
 * for a message and a customisation string. Returns 0.
 */
#ifndef CRYPTO_CXOF_H
#define CRYPTO_CXOF_H

#ifndef __ASSEMBLER__
#ifdef __cplusplus
extern "C" {
#endif

int crypto_cxof(unsigned char *out, unsigned long long outlen, const unsigned char *in,
                unsigned long long inlen, const unsigned char *cs, unsigned long long cslen);

#ifdef __cplusplus
}
#endif
#endif

#endif
