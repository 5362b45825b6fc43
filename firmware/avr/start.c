/*
 * AVR: the code after avr-libc's start-up code (crt<part>.o: vectors, stack pointer, zero register,
 * copying of initialised data, clearing of RAM), which is linked unchanged.
 *
 * pw_ready is where the simulator stops and from where it calls the functions to measure.
 */

__attribute__((noreturn, noinline, used)) void pw_ready(void)
{
    for (;;) {
    }
}

/* OS_main: no registers saved, so that the stack at pw_ready holds two return addresses only. */
__attribute__((OS_main)) int main(void)
{
    pw_ready();
}
