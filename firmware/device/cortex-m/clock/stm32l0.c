/*
 * STM32L05x and L06x: the internal 16 MHz oscillator (HSI16), in voltage range 1, in which flash
 * has no wait states up to 16 MHz.
 *
 * RM0367: 3.3.3 (wait states), 3.7.1 (FLASH_ACR), 6.4.1 and 6.4.2 (PWR_CR, PWR_CSR), 7.3 (RCC_CR,
 * RCC_CFGR, RCC_APB1ENR).
 */
#include "../../clock.h"

_Static_assert(PW_HZ == 16000000, "clock.hz: only 16 MHz");

enum {
    FLASH_ACR = 0x40022000,
    ACR_LATENCY = 1,

    RCC_CR = 0x40021000,
    RCC_CFGR = 0x4002100c,
    RCC_APB1ENR = 0x40021038,
    CR_HSION = 1 << 0,
    CR_HSIRDY = 1 << 2,
    CR_HSIDIVEN = 1 << 3,
    CR_HSIDIVF = 1 << 4,
    CFGR_SW_HSI = 1,
    CFGR_SWS = 3 << 2,
    APB1ENR_PWREN = 1 << 28,

    PWR_CR = 0x40007000,
    PWR_CSR = 0x40007004,
    CR_VOS = 3 << 11,
    CR_VOS_RANGE_1 = 1 << 11,
    CSR_VOSF = 1 << 4,
};

uint8_t pw_clock_start(void)
{
    PW_REGISTER(RCC_APB1ENR) |= APB1ENR_PWREN;
    if (pw_wait(PWR_CSR, CSR_VOSF, 0)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(PWR_CR) = (PW_REGISTER(PWR_CR) & ~(uint32_t)CR_VOS) | CR_VOS_RANGE_1;
    if (pw_wait(PWR_CSR, CSR_VOSF, 0)) {
        return PW_CLOCK_STOPPED;
    }

    PW_REGISTER(RCC_CR) |= CR_HSION;
    PW_REGISTER(RCC_CR) &= ~(uint32_t)CR_HSIDIVEN;
    if (pw_wait(RCC_CR, CR_HSIRDY | CR_HSIDIVF, CR_HSIRDY)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(RCC_CFGR) = CFGR_SW_HSI;
    if (pw_wait(RCC_CFGR, CFGR_SWS, CFGR_SW_HSI << 2)) {
        return PW_CLOCK_STOPPED;
    }
    PW_REGISTER(FLASH_ACR) &= ~(uint32_t)ACR_LATENCY;
    return pw_wait(FLASH_ACR, ACR_LATENCY, 0);
}
