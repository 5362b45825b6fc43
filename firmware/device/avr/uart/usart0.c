/*
 * USART0 of ATmega48 to 328P and ATmega128: double speed, eight bits, no parity, one stop bit.
 * DS40002061B, chapter "USART".
 */
#include <avr/io.h>

#include "../../monitor.h"

void pw_uart_start(void)
{
    const uint16_t divider = (uint16_t)((PW_HZ + PW_BAUD * 4) / (PW_BAUD * 8) - 1);

    UBRR0H = (uint8_t)(divider >> 8);
    UBRR0L = (uint8_t)divider;
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0);
}

uint8_t pw_uart_get(void)
{
    while (!(UCSR0A & _BV(RXC0))) {
    }
    return UDR0;
}

void pw_uart_put(uint8_t byte)
{
    while (!(UCSR0A & _BV(UDRE0))) {
    }
    UDR0 = byte;
}
