/* Ascon-128, for the seven functions of FELICS-AEAD; sizes in bytes. */
#ifndef CONSTANTS_H
#define CONSTANTS_H

#define BLOCK_SIZE 8
#define KEY_SIZE 16
#define NONCE_SIZE 16
#define STATE_SIZE (5 * BLOCK_SIZE)
#define TAG_SIZE 16

#define TEST_MESSAGE_SIZE 4
#define TEST_ASSOCIATED_DATA_SIZE 5

#endif
