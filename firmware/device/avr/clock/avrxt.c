/*
 * AVRxt: the internal oscillator without the prescaler. The AVR DA's code selects its frequency; on
 * the other parts a fuse does.
 *
 * CLKCTRL, FUSE.OSCCFG and CCP: ATmega4809 data sheet (DS40002173) and AVR128DA48 data sheet
 * (DS40002183), the chapters of these names.
 */
#include <avr/io.h>
#include <avr/xmega.h>

#include "../../clock.h"

#ifdef CLKCTRL_OSCHFCTRLA
_Static_assert(PW_HZ == 24000000, "clock.hz: only 24 MHz is supported");
enum { SELECT_24_MHZ = 9 << 2 };
#else
_Static_assert(PW_HZ == 16000000 || PW_HZ == 20000000, "clock.hz: 16 or 20 MHz");
enum { FUSE_FREQUENCY = 3, FUSE_16_MHZ = 1, FUSE_20_MHZ = 2 };
#endif

uint8_t pw_clock_start(void)
{
#ifdef CLKCTRL_OSCHFCTRLA
    _PROTECTED_WRITE(CLKCTRL_OSCHFCTRLA, SELECT_24_MHZ);
#else
    if ((FUSE_OSCCFG & FUSE_FREQUENCY) != (PW_HZ == 16000000 ? FUSE_16_MHZ : FUSE_20_MHZ)) {
        return PW_CLOCK_STOPPED;
    }
#endif
    _PROTECTED_WRITE(CLKCTRL_MCLKCTRLB, 0);
    return PW_CLOCK_RUNS;
}
