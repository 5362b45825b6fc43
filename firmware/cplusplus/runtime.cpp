/*
 * What C++ expects of the library that it is linked with: storage, as Arduino's cores and newlib
 * have it, and the end of a call to a function that has no body. Linked with packages that have C++
 * sources; what they do not use is dropped.
 *
 * A class with a virtual destructor refers to operator delete, whether it is ever called or not.
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
