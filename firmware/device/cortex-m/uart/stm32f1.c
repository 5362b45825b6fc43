/*
 * USART1 of the STM32F1: RM0008, 7.3.7 (RCC_APB2ENR), 9.2.2 (GPIOx_CRH), 27.6.
 */
#include "../../clock.h"

enum {
    USART_STATUS = 0x40013800,
    USART_SENT = 0x40013804,
    USART_RECEIVED = 0x40013804,
    USART_BRR = 0x40013808,
    USART_CR1 = 0x4001380c,
    CR1_UE = 1 << 13,

    RCC_CFGR = 0x40021004,
    RCC_APB2ENR = 0x40021018,
    APB2ENR_PORT_A = 1 << 2,
    APB2ENR_USART1 = 1 << 14,
    CFGR_SWS = 3 << 2,
    HSI = 8000000,

    GPIOA_CRH = 0x40010804,
    PINS = 0xff << 4,
    PA9_SENDS_PA10_RECEIVES = 0x4b << 4, /* push-pull output at 50 MHz, floating input */
};

static void pw_stm32_pins(void)
{
    PW_REGISTER(RCC_APB2ENR) |= APB2ENR_PORT_A | APB2ENR_USART1;
    PW_REGISTER(GPIOA_CRH) = (PW_REGISTER(GPIOA_CRH) & ~(uint32_t)PINS) | PA9_SENDS_PA10_RECEIVES;
}

/* The clock set-up code does not divide PCLK2. */
static uint32_t pw_stm32_hz(void)
{
    return PW_REGISTER(RCC_CFGR) & CFGR_SWS ? PW_HZ : HSI;
}

static void pw_stm32_map_loader(void) {}

#include "stm32.h"
