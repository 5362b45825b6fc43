/* Allocates Mbed TLS's contexts on parts without a heap (MBEDTLS_PLATFORM_MEMORY): one after the
 * other in a static buffer, for one message or key at a time. */
#ifndef ADAPTER_MEMORY_H
#define ADAPTER_MEMORY_H

/* Frees all allocations. */
void adapter_forget(void);

#endif
