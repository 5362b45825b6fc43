/* Built once into lines.elf, for the tests of `Image`:
 *   avr-gcc -mmcu=atmega328p -Os -g -nostdlib -Wl,-u,after -fdebug-prefix-map=$PWD=. \
 *       lines.c -o lines.elf
 */
volatile int counter = 7;

__attribute__((noinline)) int add_three(int a)
{
    return a + counter + 3;
}

/* A function without a size, as is common in assembly sources. */
__asm__(".section .text.after,\"ax\",@progbits\n"
        ".global after\n"
        "after: nop\n"
        "ret\n"
        ".text\n");

int main(void)
{
    counter = add_three(1);
    return 0;
}
