/*
 * SUPERCOP's interface for packages: the byte order, under the names of Brian Gladman's header. All
 * parts here are little-endian.
 */
#ifndef BRG_ENDIAN_H
#define BRG_ENDIAN_H

#define IS_BIG_ENDIAN 4321
#define IS_LITTLE_ENDIAN 1234
#define PLATFORM_BYTE_ORDER IS_LITTLE_ENDIAN

#endif
