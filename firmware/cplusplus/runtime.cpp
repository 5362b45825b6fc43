/*
 * The library functions that C++ needs: memory allocation, as in Arduino's cores and newlib, and
 * the handler for calls to pure virtual functions. They are linked with packages that have C++
 * sources; unused ones are dropped.
 *
 * A class with a virtual destructor refers to operator delete even if it is never called.
 */
#include <stddef.h>
#include <stdlib.h>

void *operator new(size_t size)
{
    return malloc(size);
}

void *operator new[](size_t size)
{
    return malloc(size);
}

void operator delete(void *place) noexcept
{
    free(place);
}

void operator delete[](void *place) noexcept
{
    free(place);
}

void operator delete(void *place, size_t) noexcept
{
    free(place);
}

void operator delete[](void *place, size_t) noexcept
{
    free(place);
}

extern "C" void __cxa_pure_virtual(void)
{
    abort();
}
