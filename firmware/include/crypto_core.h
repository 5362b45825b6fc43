/*
 * SUPERCOP's interface for packages: a function with inputs of fixed size on which other packages
 * build. They call it by the name of its algorithm, which is a macro in this header.
 */
#ifndef CRYPTO_CORE_H
#define CRYPTO_CORE_H

int crypto_core(unsigned char *out, const unsigned char *in, const unsigned char *k,
                const unsigned char *c);

#endif
