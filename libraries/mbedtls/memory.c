/* calloc and free for Mbed TLS; see memory.h. */
#include "memory.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Enough for an AES context (32-bit round keys) or the contexts of SHA-256 and HMAC. */
#define BYTES 320
#define ALIGNMENT 8

static uint64_t buffer[BYTES / 8];
static size_t used;

void adapter_forget(void)
{
    used = 0;
}

void *adapter_calloc(size_t count, size_t size)
{
    const size_t wanted = (count * size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (wanted > sizeof buffer - used) {
        return NULL;
    }
    void *given = (unsigned char *)buffer + used;
    memset(given, 0, wanted);
    used += wanted;
    return given;
}

void adapter_free(void *memory)
{
    (void)memory;
}
