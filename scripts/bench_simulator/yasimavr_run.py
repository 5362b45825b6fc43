"""Runs an image in yasimavr until it loops forever: yasimavr_run.py PART HZ IMAGE.

Prints the cycles that yasimavr counts and the seconds that the run took.
"""

import sys
import time

import yasimavr.lib.core as yasimavr
from yasimavr.device_library import load_device

FOR_EVER = 1 << 50


def main() -> None:
    """Loads, runs and prints."""
    part, hz, image = sys.argv[1:]
    device = load_device(part)
    loop = yasimavr.SimLoop(device)
    loop.set_fast_mode(True)
    firmware = yasimavr.Firmware.read_elf(image)
    firmware.frequency = int(hz)
    device.load_firmware(firmware)
    started = time.perf_counter()
    loop.run(FOR_EVER)
    print(loop.cycle(), time.perf_counter() - started)


if __name__ == "__main__":
    main()
