/*
 * FE310-G002: the PLL on the 16 MHz crystal, and the serial flash at an eighth of the core's clock.
 *
 * FE310-G002 Manual v19p05: chapter "Clock generation (PRCI)": hfrosccfg, hfxosccfg, pllcfg (input
 * divided to 6 to 12 MHz, VCO 384 to 768 MHz, lock after 100 us), plloutdiv; chapter "SPI": sckdiv.
 */
#include "../../clock.h"

_Static_assert(PW_HZ >= 192000000 && PW_HZ <= 320000000, "clock.hz: 192 to 320 MHz");
_Static_assert(PW_HZ % 8000000 == 0, "clock.hz: the PLL cannot give this frequency");

enum {
    PRCI_HFROSCCFG = 0x10008000,
    PRCI_HFXOSCCFG = 0x10008004,
    PRCI_PLLCFG = 0x10008008,
    PRCI_PLLOUTDIV = 0x1000800c,
    HFROSC_TYPICAL = 16 << 16 | 4,
    ENABLE = 1 << 30,
    PLL_HALVE_INPUT = 1,
    PLL_F = PW_HZ / 8000000 - 1, /* the VCO multiplies by 2 (F + 1) */
    PLL_HALVE_VCO = 1 << 10,
    PLL_SEL = 1 << 16,
    PLL_REFSEL = 1 << 17,
    PLL_BYPASS = 1 << 18,
    OUTDIV_BY_1 = 1 << 8,

    SPI0_SCKDIV = 0x10014000,
    SCKDIV_BY_8 = 3,
};

#define READY UINT32_C(0x80000000)

uint8_t pw_clock_start(void)
{
    uint32_t pll = PLL_REFSEL | PLL_HALVE_VCO | (uint32_t)PLL_F << 4 | PLL_HALVE_INPUT;
    volatile uint32_t wait;

    PW_REGISTER(PRCI_HFROSCCFG) = ENABLE | HFROSC_TYPICAL;
    if (pw_wait(PRCI_HFROSCCFG, READY, READY)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(PRCI_PLLCFG) &= ~(uint32_t)PLL_SEL;
    PW_REGISTER(SPI0_SCKDIV) = SCKDIV_BY_8;
    PW_REGISTER(PRCI_HFXOSCCFG) = ENABLE;
    if (pw_wait(PRCI_HFXOSCCFG, READY, READY)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(PRCI_PLLOUTDIV) = OUTDIV_BY_1;
    PW_REGISTER(PRCI_PLLCFG) = pll | PLL_BYPASS;
    PW_REGISTER(PRCI_PLLCFG) = pll;
    /* The lock bit is valid after 100 us; the ring oscillator gives about 14 MHz. */
    for (wait = 0; wait != 2000; wait++) {
    }
    if (pw_wait(PRCI_PLLCFG, READY, READY)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(PRCI_PLLCFG) = pll | PLL_SEL;
    return PW_CLOCK_RUNS;
}
