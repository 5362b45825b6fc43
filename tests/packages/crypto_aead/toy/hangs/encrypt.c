/* Disables interrupts and keeps resetting the watchdog: only a reset from outside ends it. */
#ifdef __AVR__
#define WAIT __asm__ volatile("cli\n\t1: wdr\n\trjmp 1b")
#else
#define WAIT                                                                                       \
    for (;;) {                                                                                     \
    }
#endif
#define TOY_BEFORE_ENCRYPT WAIT;
#include "toy.h"
