/*
 * SUPERCOP's interface for packages: marks bytes that are no longer secret, for its constant-time
 * test. Does nothing on a microcontroller.
 */
#ifndef CRYPTO_DECLASSIFY_H
#define CRYPTO_DECLASSIFY_H

#define crypto_declassify(bytes, length) ((void)(bytes), (void)(length))

#endif
