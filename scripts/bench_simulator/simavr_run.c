/*
 * Runs an ELF file in simavr until the program counter is STOP and prints "cycles seconds". simavr
 * (GPL-3.0) is used as a library from the system's packages; none of its code is copied here.
 *
 *   simavr_run PART HZ IMAGE.elf STOP
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: simavr_run PART HZ IMAGE.elf STOP\n");
        return 2;
    }
    elf_firmware_t firmware;
    memset(&firmware, 0, sizeof firmware);
    if (elf_read_firmware(argv[3], &firmware) != 0) {
        fprintf(stderr, "%s: simavr does not read it\n", argv[3]);
        return 1;
    }
    avr_t *avr = avr_make_mcu_by_name(argv[1]);
    if (avr == NULL || avr_init(avr) != 0) {
        fprintf(stderr, "simavr has no part %s\n", argv[1]);
        return 1;
    }
    firmware.frequency = (uint32_t)strtoul(argv[2], NULL, 0);
    avr_load_firmware(avr, &firmware);
    avr_flashaddr_t stop = (avr_flashaddr_t)strtoul(argv[4], NULL, 0);

    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    while (avr->pc != stop) {
        int state = avr_run(avr);
        if (state == cpu_Done || state == cpu_Crashed) {
            fprintf(stderr, "simavr stopped at %#x\n", (unsigned)avr->pc);
            return 1;
        }
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    double seconds =
        (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    printf("%llu %.6f\n", (unsigned long long)avr->cycle, seconds);
    return 0;
}
