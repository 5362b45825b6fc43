/*
 * USART1 of the STM32F0: RM0360, 7.4.6 (RCC_AHBENR), 7.4.7 (RCC_APB2ENR), 8.4 (GPIOx_MODER,
 * GPIOx_AFRH), 9.1.1 (SYSCFG_CFGR1), 23.8.
 */
#include "../../clock.h"

enum {
    USART_CR1 = 0x40013800,
    USART_BRR = 0x4001380c,
    USART_STATUS = 0x4001381c,
    USART_RECEIVED = 0x40013824,
    USART_SENT = 0x40013828,
    CR1_UE = 1 << 0,
    USART_CR3 = 0x40013808,
    CR3_OVRDIS = 1 << 12,

    RCC_CFGR = 0x40021004,
    RCC_AHBENR = 0x40021014,
    RCC_APB2ENR = 0x40021018,
    AHBENR_PORT_A = 1 << 17,
    APB2ENR_SYSCFG = 1 << 0,
    APB2ENR_USART1 = 1 << 14,
    CFGR_SWS = 3 << 2,
    HSI = 8000000,

    GPIOA_MODER = 0x48000000,
    GPIOA_AFRH = 0x48000024,
    MODES = 0xf << 18,
    ALTERNATE_FUNCTIONS = 0xa << 18,
    FUNCTIONS = 0xff << 4,
    USART1 = 0x11 << 4,

    SYSCFG_CFGR1 = 0x40010000,
    CFGR1_MEM_MODE = 3,
    SYSTEM_MEMORY = 1,
};

static void pw_stm32_pins(void)
{
    PW_REGISTER(RCC_AHBENR) |= AHBENR_PORT_A;
    PW_REGISTER(RCC_APB2ENR) |= APB2ENR_USART1;
    PW_REGISTER(GPIOA_AFRH) = (PW_REGISTER(GPIOA_AFRH) & ~(uint32_t)FUNCTIONS) | USART1;
    PW_REGISTER(GPIOA_MODER) = (PW_REGISTER(GPIOA_MODER) & ~(uint32_t)MODES) | ALTERNATE_FUNCTIONS;
    PW_REGISTER(USART_CR1) = 0;
    /* A byte that is not read in time is lost, without stopping the receiver. */
    PW_REGISTER(USART_CR3) = CR3_OVRDIS;
}

/* The clock set-up code does not divide PCLK. */
static uint32_t pw_stm32_hz(void)
{
    return PW_REGISTER(RCC_CFGR) & CFGR_SWS ? PW_HZ : HSI;
}

/* A Cortex-M0 has no VTOR: the vectors are at 0. */
static void pw_stm32_map_loader(void)
{
    PW_REGISTER(RCC_APB2ENR) |= APB2ENR_SYSCFG;
    PW_REGISTER(SYSCFG_CFGR1) =
        (PW_REGISTER(SYSCFG_CFGR1) & ~(uint32_t)CFGR1_MEM_MODE) | SYSTEM_MEMORY;
}

#include "stm32.h"
