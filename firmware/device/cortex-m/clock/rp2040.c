/*
 * RP2040: the system PLL on the Pico's 12 MHz crystal.
 *
 * RP2040 datasheet: 2.14 (RESETS), 2.15.7 (CLK_REF_CTRL, CLK_SYS_CTRL and their SELECTED registers,
 * which have a bit for each source), 2.16.7 (XOSC), 2.18.4 (PLL: the VCO runs at 750 to 1600 MHz).
 */
#include "../../clock.h"

enum {
    RESETS_RESET = 0x4000c000,
    RESETS_DONE = 0x4000c008,
    RESET_PLL_SYS = 1 << 12,

    XOSC_CTRL = 0x40024000,
    XOSC_STATUS = 0x40024004,
    XOSC_STARTUP = 0x4002400c,
    XOSC_ENABLE_1_TO_15_MHZ = 0xfabaa0,
    XOSC_MILLISECOND = 47, /* times 256 periods */

    PLL_CS = 0x40028000,
    PLL_PWR = 0x40028004,
    PLL_FBDIV = 0x40028008,
    PLL_PRIM = 0x4002800c,
    PWR_DSMPD = 1 << 2,
    PWR_POSTDIVPD = 1 << 3,
    PRIM_BY_6_AND_2 = 6 << 16 | 2 << 12,

    CLK_REF_CTRL = 0x40008030,
    CLK_REF_SELECTED = 0x40008038,
    CLK_SYS_CTRL = 0x4000803c,
    CLK_SYS_DIV = 0x40008040,
    CLK_SYS_SELECTED = 0x40008044,
    REF_XOSC = 2,
    SYS_AUX = 1, /* the auxiliary source 0 is the system PLL */
    DIV_1 = 1 << 8,

    MHZ = PW_HZ / 1000000, /* 12 MHz times MHZ, divided by 12 */
};

static const uint32_t STABLE = UINT32_C(1) << 31;

_Static_assert(MHZ * 1000000 == PW_HZ && MHZ >= 63 && MHZ <= 133,
               "clock.hz: the PLL cannot give this frequency");

uint8_t pw_clock_start(void)
{
    PW_REGISTER(XOSC_STARTUP) = XOSC_MILLISECOND;
    PW_REGISTER(XOSC_CTRL) = XOSC_ENABLE_1_TO_15_MHZ;
    if (pw_wait(XOSC_STATUS, STABLE, STABLE)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(CLK_SYS_CTRL) = 0;
    if (pw_wait(CLK_SYS_SELECTED, 1 << SYS_AUX, 0)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(CLK_REF_CTRL) = REF_XOSC;
    if (pw_wait(CLK_REF_SELECTED, 1 << REF_XOSC, 1 << REF_XOSC)) {
        return PW_CLOCK_STOPPED;
    }

    PW_REGISTER(RESETS_RESET) |= RESET_PLL_SYS;
    PW_REGISTER(RESETS_RESET) &= ~(uint32_t)RESET_PLL_SYS;
    if (pw_wait(RESETS_DONE, RESET_PLL_SYS, RESET_PLL_SYS)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(PLL_CS) = 1;
    PW_REGISTER(PLL_FBDIV) = MHZ;
    PW_REGISTER(PLL_PWR) = PWR_DSMPD | PWR_POSTDIVPD;
    if (pw_wait(PLL_CS, STABLE, STABLE)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(PLL_PRIM) = PRIM_BY_6_AND_2;
    PW_REGISTER(PLL_PWR) = PWR_DSMPD;

    PW_REGISTER(CLK_SYS_DIV) = DIV_1;
    PW_REGISTER(CLK_SYS_CTRL) = SYS_AUX;
    return pw_wait(CLK_SYS_SELECTED, 1 << SYS_AUX, 1 << SYS_AUX);
}
