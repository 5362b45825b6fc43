/* Where Mbed TLS's contexts lie on parts without a heap (MBEDTLS_PLATFORM_MEMORY): one after the
 * other in a static buffer, for one message or key at a time. */
#ifndef ADAPTER_MEMORY_H
#define ADAPTER_MEMORY_H

/* Forgets all that was allocated. */
void adapter_forget(void);

#endif
