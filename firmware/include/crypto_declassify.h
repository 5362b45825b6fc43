/*
 * SUPERCOP's interface for packages: marks bytes that are no longer secret, for its test of
 * constant time. It does nothing on a part.
 */
#ifndef CRYPTO_DECLASSIFY_H
#define CRYPTO_DECLASSIFY_H

#define crypto_declassify(bytes, length) ((void)(bytes), (void)(length))

#endif
