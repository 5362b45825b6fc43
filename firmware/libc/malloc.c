/*
 * A heap for programs that call malloc, for compilers without a C library: first fit in a list of
 * free blocks in address order, with neighbours merged, as in avr-libc and newlib's small variant.
 * The host defines the heap before each call: it sets pw_heap_now and pw_heap_end, and pw_heap_free
 * to null.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The header before the bytes of a block; `next` is valid only while the block is free. */
struct block {
    size_t size; /* of the whole block */
    struct block *next;
};

extern char *pw_heap_now, *pw_heap_end;
extern struct block *pw_heap_free;

char *pw_heap_now, *pw_heap_end;
struct block *pw_heap_free;

#define ALIGNMENT (2 * sizeof(void *))
#define HEADER ALIGNMENT

static char *end_of(struct block *block)
{
    return (char *)block + block->size;
}

static void *taken(struct block *block)
{
    return (char *)block + HEADER;
}

void *malloc(size_t size)
{
    if (size > SIZE_MAX - HEADER - ALIGNMENT) {
        return NULL;
    }
    size = (HEADER + size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    for (struct block **link = &pw_heap_free; *link != NULL; link = &(*link)->next) {
        struct block *block = *link;
        if (block->size < size) {
            continue;
        }
        if (block->size < size + HEADER + ALIGNMENT) {
            *link = block->next;
        } else {
            struct block *rest = (struct block *)(void *)((char *)block + size);
            rest->size = block->size - size;
            rest->next = block->next;
            *link = rest;
            block->size = size;
        }
        return taken(block);
    }
    if ((size_t)(pw_heap_end - pw_heap_now) < size) {
        return NULL;
    }
    struct block *block = (struct block *)(void *)pw_heap_now;
    pw_heap_now += size;
    block->size = size;
    return taken(block);
}

/* Merges a free block with the next one if they are adjacent. */
static void join(struct block *block)
{
    struct block *next = block->next;
    if (next != NULL && end_of(block) == (char *)next) {
        block->size += next->size;
        block->next = next->next;
    }
}

void free(void *old)
{
    if (old == NULL) {
        return;
    }
    struct block *block = (struct block *)(void *)((char *)old - HEADER);
    struct block *before = NULL, *after = pw_heap_free;
    for (; after != NULL && after < block; after = after->next) {
        before = after;
    }
    block->next = after;
    join(block);
    if (before == NULL) {
        pw_heap_free = block;
    } else {
        before->next = block;
        join(before);
    }
}

void *calloc(size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size) {
        return NULL;
    }
    void *made = malloc(count * size);
    return made != NULL ? memset(made, 0, count * size) : NULL;
}

void *realloc(void *old, size_t size)
{
    if (old == NULL) {
        return malloc(size);
    }
    size_t kept = ((struct block *)(void *)((char *)old - HEADER))->size - HEADER;
    if (size <= kept) {
        return old;
    }
    void *made = malloc(size);
    if (made != NULL) {
        memcpy(made, old, kept);
        free(old);
    }
    return made;
}
