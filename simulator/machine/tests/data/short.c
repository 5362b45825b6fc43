/* Built once into short.elf, for the tests of `Image` with 16-bit code:
 *   mipsel-linux-gnu-gcc -march=m4k -mabi=32 -msoft-float -mno-abicalls -fno-pic -Os -g -mips16 \
 *       -nostdlib -static -no-pie -Wl,-n,--build-id=none,-e,wide,-Ttext=0x400000 \
 *       -fdebug-prefix-map=$PWD=. short.c -o short.elf
 *   mipsel-linux-gnu-objcopy -w -R .comment -R '.MIPS*' -R .reginfo -R .pdr -R '.gnu*' \
 *       -R '.note*' short.elf */
__attribute__((noinline)) int add_three(int a)
{
    return a + 3;
}

__attribute__((nomips16)) int wide(int a)
{
    return add_three(a) + 1;
}
