/*
 * USART1 of the STM32F4: RM0090, 7.3.10 (RCC_AHB1ENR), 7.3.14 (RCC_APB2ENR), 8.4 (GPIOx_MODER,
 * GPIOx_AFRH), 30.6.
 */
#include "../../clock.h"

enum {
    USART_STATUS = 0x40011000,
    USART_SENT = 0x40011004,
    USART_RECEIVED = 0x40011004,
    USART_BRR = 0x40011008,
    USART_CR1 = 0x4001100c,
    CR1_UE = 1 << 13,

    RCC_CFGR = 0x40023808,
    RCC_AHB1ENR = 0x40023830,
    RCC_APB2ENR = 0x40023844,
    AHB1ENR_PORT_A = 1 << 0,
    APB2ENR_USART1 = 1 << 4,
    CFGR_SWS = 3 << 2,
    HSI = 16000000,

    GPIOA_MODER = 0x40020000,
    GPIOA_AFRH = 0x40020024,
    MODES = 0xf << 18,
    ALTERNATE_FUNCTIONS = 0xa << 18,
    FUNCTIONS = 0xff << 4,
    USART1 = 0x77 << 4,
};

static void pw_stm32_pins(void)
{
    PW_REGISTER(RCC_AHB1ENR) |= AHB1ENR_PORT_A;
    PW_REGISTER(RCC_APB2ENR) |= APB2ENR_USART1;
    PW_REGISTER(GPIOA_AFRH) = (PW_REGISTER(GPIOA_AFRH) & ~(uint32_t)FUNCTIONS) | USART1;
    PW_REGISTER(GPIOA_MODER) = (PW_REGISTER(GPIOA_MODER) & ~(uint32_t)MODES) | ALTERNATE_FUNCTIONS;
}

/* The clock set-up code divides PCLK2 by two. */
static uint32_t pw_stm32_hz(void)
{
    return PW_REGISTER(RCC_CFGR) & CFGR_SWS ? PW_HZ / 2 : HSI;
}

static void pw_stm32_map_loader(void) {}

#include "stm32.h"
