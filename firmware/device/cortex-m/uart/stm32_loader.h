/*
 * Starts the boot loader in an STM32's ROM: in the state after a reset, as AN2606 requires.
 */
#ifndef PW_STM32_LOADER_H
#define PW_STM32_LOADER_H

enum {
    AIRCR = 0xe000ed0c,
    AIRCR_RESET = 0x05fa0004,
    TO_LOADER = 0x4c4f4144,
};

/* RAM keeps it in a reset. */
#define TOKEN pw_mailbox.spare[0]

void pw_restart(uint8_t loader)
{
    while (!(PW_REGISTER(USART_STATUS) & STATUS_TC)) {
    }
    TOKEN = loader ? TO_LOADER : 0;
    __asm__ volatile("dsb" ::: "memory");
    PW_REGISTER(AIRCR) = AIRCR_RESET;
    for (;;) {
    }
}

/* The reset vector leads here. */
void pw_started(void)
{
    uint32_t sp, pc;

    if (TOKEN != TO_LOADER) {
        return;
    }
    TOKEN = 0;
    pw_stm32_map_loader();
    sp = PW_REGISTER(PW_ROM_LOADER);
    pc = PW_REGISTER(PW_ROM_LOADER + 4);
    __asm__ volatile("msr msp, %0\n\tcpsie i\n\tbx %1" : : "r"(sp), "r"(pc));
    __builtin_unreachable();
}

#endif
