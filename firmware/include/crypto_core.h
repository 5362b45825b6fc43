/*
 * SUPERCOP's interface for packages: a function with inputs of fixed size that other packages are
 * built on. They call it by the name of its algorithm, which is then a macro here.
 */
#ifndef CRYPTO_CORE_H
#define CRYPTO_CORE_H

int crypto_core(unsigned char *out, const unsigned char *in, const unsigned char *k,
                const unsigned char *c);

#endif
