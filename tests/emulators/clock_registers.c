/*
 * Runs a board's clock set-up code on the host: registers are memory at the parts' addresses.
 * Before each access, the ready bits that hardware would set are updated.
 *
 * Usage: clock_registers [ADDRESS=VALUE] ... [ADDRESS] ...: presets words, prints the result of
 * `pw_clock_start`, the flash control register at the time of the switch to the PLL, and the words.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static volatile uint32_t *after_hardware(uint32_t address);

#define PW_REGISTER(address) (*after_hardware(address))
#include CLOCK_SOURCE

/* The `ready` bits of one register follow the `on` bits of another; without another, they are
 * always set. */
struct rule {
    uint32_t from, on, to, ready;
};

static const struct rule RULES[] = {
    {0x40021000, 1 << 0, 0x40021000, 1 << 1},    /* STM32F0, F1: HSI */
    {0x40021000, 1 << 24, 0x40021000, 1 << 25},  /* PLL */
    {0x40021000, 1 << HSE, 0x40021000, 1 << 17}, /* HSE; 18: only a bypassed one starts */
    {0x40021004, 2, 0x40021004, 2 << 2},         /* SW, SWS */
    {0x40023800, 1 << 0, 0x40023800, 1 << 1},    /* STM32F4: HSI */
    {0x40023800, 1 << 24, 0x40023800, 1 << 25},  /* PLL */
    {0x40023808, 2, 0x40023808, 2 << 2},         /* SW, SWS */
    {0x40000000, 1, 0x40000100, 1},              /* nRF52: HFCLKSTART */
    {0x40021000, 1 << 8, 0x40021000, 1 << 10},   /* STM32L4, G0: HSI16 */
#ifdef STM32G0
    {0x40021008, 2, 0x40021008, 2 << 3}, /* SW, SWS */
#else
    {0x40021008, 1, 0x40021008, 1 << 2}, /* STM32L4: SW, SWS */
    {0x40021008, 2, 0x40021008, 2 << 2},
#endif
#ifdef STM32L0
    {0x40021000, 1 << 0, 0x40021000, 1 << 2}, /* HSI16 */
    {0x4002100c, 1, 0x4002100c, 1 << 2},      /* SW, SWS */
#endif
    {0x46020c00, 1 << 8, 0x46020c00, 1 << 10}, /* STM32U5: HSI16 */
    {0x46020c00, 1 << 24, 0x46020c00, 1 << 25},
    {0x46020c1c, 1, 0x46020c1c, 1 << 2}, /* SW, SWS */
    {0x46020c1c, 2, 0x46020c1c, 2 << 2},
    {0x4602080c, 3 << 16, 0x4602080c, 1 << 15}, /* VOS, VOSRDY */
    {0x4602080c, 1 << 18, 0x4602080c, 1 << 14}, /* BOOSTEN, BOOSTRDY */
    {0, 0, 0x40024004, 1u << 31},               /* RP2040: XOSC, reset, PLL */
    {0, 0, 0x4000c008, 1 << 12},
    {0, 0, 0x40028000, 1u << 31},
    {0x40008030, 2, 0x40008038, 1 << 2}, /* CLK_REF, CLK_SYS */
    {0x4000803c, 1, 0x40008044, 1 << 1},
    {0, 0, 0x400e0668, 1 << 1 | 1 << 3 | 3 << 16}, /* SAM3X: PMC_SR */
    {0, 0, 0x4000080c, 1 << 4},                    /* SAM D21: DFLLRDY */
    {0x10008000, 1 << 30, 0x10008000, 1u << 31},   /* FE310: HFROSC */
    {0x10008004, 1 << 30, 0x10008004, 1u << 31},   /* HFXOSC */
    {0, 0, 0x10008008, 1u << 31},                  /* PLL's lock */
};

static const uint32_t PAGES[] = {
    0x00806000, 0x10008000, 0x10014000, 0x40000000, 0x40007000, 0x4001e000,
    0x40021000, 0x40022000, 0x40023000, 0x400e0000, 0x400e1000, 0x41004000,
    0x40030000, 0x46020000, 0x40008000, 0x4000c000, 0x40024000, 0x40028000,
};

static uint32_t acr_at_switch = UINT32_MAX;

static volatile uint32_t *word(uint32_t address)
{
    return (volatile uint32_t *)(uintptr_t)address;
}

/* The register at an address, after hardware has reacted to all earlier writes. */
static volatile uint32_t *after_hardware(uint32_t address)
{
    for (size_t i = 0; i < sizeof RULES / sizeof *RULES; i++) {
        const struct rule *rule = &RULES[i];
        int on = rule->from == 0 || (*word(rule->from) & rule->on) != 0;
        uint32_t old = *word(rule->to);
        uint32_t new = on ? old | rule->ready : old & ~rule->ready;

        if (old != new && rule->on == 2) {
            acr_at_switch = *word(rule->to < 0x40023000 ? 0x40022000 : 0x40023c00);
        }
        *word(rule->to) = new;
    }
    return word(address);
}

int main(int count, char **words)
{
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
    result = pw_clock_start();
    after_hardware(0);
    printf("%x %x", (unsigned)result, (unsigned)acr_at_switch);
    for (i = 1; i < count; i++) {
        if (strchr(words[i], '=') == NULL) {
            printf(" %x", (unsigned)*word((uint32_t)strtoul(words[i], NULL, 16)));
        }
    }
    printf("\n");
    return 0;
}
