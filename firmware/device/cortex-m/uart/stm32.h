/*
 * What the USART1 of STM32F0, F1 and F4 have in common, and starting the boot loader in their ROM.
 * PA9 sends and PA10 receives: the boot loader uses the same pins (AN2606).
 *
 * A file defines the registers and flags, pw_stm32_pins and pw_stm32_hz before it includes this
 * one. The bits RXNE, TC and TXE of the status, and of CR1 those that enable both directions, are
 * the same in all: RM0008 27.6, RM0090 30.6, RM0360 23.8.
 */
#ifndef PW_STM32_UART_H
#define PW_STM32_UART_H

enum {
    STATUS_RXNE = 1 << 5,
    STATUS_TC = 1 << 6,
    STATUS_TXE = 1 << 7,
    CR1_RE = 1 << 2,
    CR1_TE = 1 << 3,
};

void pw_uart_start(void)
{
    pw_stm32_pins();
    PW_REGISTER(USART_CR1) = 0;
    PW_REGISTER(USART_BRR) = (pw_stm32_hz() + PW_BAUD / 2) / PW_BAUD;
    PW_REGISTER(USART_CR1) = CR1_UE | CR1_TE | CR1_RE;
}

uint8_t pw_uart_get(void)
{
    uint32_t pause;

    /* Reads the status once per bit. An emulator receives nothing while its registers are read. */
    while (!(PW_REGISTER(USART_STATUS) & STATUS_RXNE)) {
        for (pause = PW_HZ / PW_BAUD / 4; pause != 0; pause--) {
            __asm__ volatile("");
        }
    }
    return (uint8_t)PW_REGISTER(USART_RECEIVED);
}

void pw_uart_put(uint8_t byte)
{
    while (!(PW_REGISTER(USART_STATUS) & STATUS_TXE)) {
    }
    PW_REGISTER(USART_SENT) = byte;
}

#include "stm32_loader.h"

#endif
