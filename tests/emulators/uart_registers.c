/*
 * Starts the monitor's serial port on the host. Registers are words in a list.
 *
 * Usage: uart_registers [ADDRESS=VALUE] ...: presets words, and prints all words that the code
 * used.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    uint32_t address, value;
} words[64];

static uint32_t *word(uint32_t address)
{
    size_t i;

    for (i = 0; i < sizeof words / sizeof *words - 1 && words[i].address != 0; i++) {
        if (words[i].address == address) {
            break;
        }
    }
    words[i].address = address;
    return &words[i].value;
}

#define PW_REGISTER(address) (*word(address))
/* It is in assembly. */
#define PW_STM32_LOADER_H
#include UART_SOURCE

int main(int count, char **arguments)
{
    int i;

    for (i = 1; i < count; i++) {
        char *equals = strchr(arguments[i], '=');

        if (equals == NULL) {
            return 1;
        }
        *word((uint32_t)strtoul(arguments[i], NULL, 16)) = (uint32_t)strtoul(equals + 1, NULL, 16);
    }
    pw_uart_start();
    for (i = 0; words[i].address != 0; i++) {
        printf("%x=%x\n", (unsigned)words[i].address, (unsigned)words[i].value);
    }
    return 0;
}
