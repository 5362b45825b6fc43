/*
 * Runs a board's clock set-up code on the host: registers are memory at the parts' addresses, and a
 * thread sets the ready bits that hardware sets.
 *
 * Usage: clock_registers [ADDRESS=VALUE] ... [ADDRESS] ...: presets words, prints the result of
 * `pw_clock_start`, the flash control register at the time of the switch to the PLL, and the words.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include CLOCK_SOURCE

/* `ready` bits of a register follow the `on` bits of another, or of none: always set. */
struct rule {
    uint32_t from, on, to, ready;
};

static const struct rule RULES[] = {
    {0x40021000, 1 << 0, 0x40021000, 1 << 1},      /* STM32F0, F1: HSI */
    {0x40021000, 1 << 24, 0x40021000, 1 << 25},    /* PLL */
    {0x40021000, 1 << HSE, 0x40021000, 1 << 17},   /* HSE; 18: only a bypassed one starts */
    {0x40021004, 2, 0x40021004, 2 << 2},           /* SW, SWS */
    {0x40023800, 1 << 0, 0x40023800, 1 << 1},      /* STM32F4: HSI */
    {0x40023800, 1 << 24, 0x40023800, 1 << 25},    /* PLL */
    {0x40023808, 2, 0x40023808, 2 << 2},           /* SW, SWS */
    {0x40000000, 1, 0x40000100, 1},                /* nRF52: HFCLKSTART */
    {0, 0, 0x400e0668, 1 << 1 | 1 << 3 | 3 << 16}, /* SAM3X: PMC_SR */
    {0, 0, 0x4000080c, 1 << 4},                    /* SAM D21: DFLLRDY */
    {0x10008000, 1 << 30, 0x10008000, 1u << 31},   /* FE310: HFROSC */
    {0x10008004, 1 << 30, 0x10008004, 1u << 31},   /* HFXOSC */
    {0, 0, 0x10008008, 1u << 31},                  /* PLL's lock */
};

static const uint32_t PAGES[] = {
    0x00806000, 0x10008000, 0x10014000, 0x40000000, 0x4001e000, 0x40021000,
    0x40022000, 0x40023000, 0x400e0000, 0x400e1000, 0x41004000,
};

static atomic_int ending;
static uint32_t acr_at_switch = UINT32_MAX;

static _Atomic uint32_t *word(uint32_t address)
{
    return (_Atomic uint32_t *)(uintptr_t)address;
}

static void *hardware(void *unused)
{
    while (!ending) {
        for (size_t i = 0; i < sizeof RULES / sizeof *RULES; i++) {
            const struct rule *rule = &RULES[i];
            int on = rule->from == 0 || (*word(rule->from) & rule->on) != 0;
            uint32_t old = *word(rule->to);
            uint32_t new = on ? old | rule->ready : old & ~rule->ready;

            if (old != new && atomic_compare_exchange_strong(word(rule->to), &old, new) &&
                rule->on == 2) {
                acr_at_switch = *word(rule->to == 0x40021004 ? 0x40022000 : 0x40023c00);
            }
        }
    }
    return unused;
}

int main(int count, char **words)
{
    pthread_t thread;
    int i, result;

    for (size_t page = 0; page < sizeof PAGES / sizeof *PAGES; page++) {
        void *at = (void *)(uintptr_t)PAGES[page];

        if (mmap(at, 4096, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != at) {
            perror("mmap");
            return 1;
        }
    }
    for (i = 1; i < count; i++) {
        char *equals = strchr(words[i], '=');

        if (equals != NULL) {
            *word((uint32_t)strtoul(words[i], NULL, 16)) = (uint32_t)strtoul(equals + 1, NULL, 16);
        }
    }
    pthread_create(&thread, NULL, hardware, NULL);
    result = pw_clock_start();
    ending = 1;
    pthread_join(thread, NULL);
    printf("%x %x", (unsigned)result, (unsigned)acr_at_switch);
    for (i = 1; i < count; i++) {
        if (strchr(words[i], '=') == NULL) {
            printf(" %x", (unsigned)*word((uint32_t)strtoul(words[i], NULL, 16)));
        }
    }
    printf("\n");
    return 0;
}
