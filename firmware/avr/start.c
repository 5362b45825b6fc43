/*
 * AVR: the code that runs after avr-libc's unmodified start-up code (crt<part>.o: vectors, stack
 * pointer, zero register, copying of initialised data, clearing of RAM).
 *
 * The simulator stops at pw_ready and calls the functions to measure from there.
 */

__attribute__((noreturn, noinline, used)) void pw_ready(void)
{
    for (;;) {
    }
}

/* OS_main saves no registers, so that the stack at pw_ready holds only two return addresses. */
__attribute__((OS_main)) int main(void)
{
    pw_ready();
}
