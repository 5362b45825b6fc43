"""A board file that cannot be right is a mistake of its author, not of an implementation."""

from __future__ import annotations

from pathlib import Path

import pytest

from packages_for_tests import ARM, AVR, board, enc, toy
from pennyweight.catalogue.boards import load_board
from pennyweight.job import Job
from pennyweight.measure import run_job
from pennyweight.model import Status, UserError

WRONG = {
    "flash larger than the core can have": (
        AVR,
        ("size = 0x8000", "size = 0x80_0000"),
        "flash must start at 0 and have an even size of at most 131072 bytes; correct base",
    ),
    "RAM where the core has registers": (
        AVR,
        ("base = 0x800100", "base = 0x800000"),
        "ram must lie in data space, 0x800060 to 0x810000; correct base and size",
    ),
    "memory timing of another core": (
        ARM,
        (
            'size = 0x4000\ntiming = { model = "zero-wait" }',
            'size = 0x4000\ntiming = { model = "instruction-cache", size = 64, line = 16, '
            "ways = 1, miss = 9, data_read = 9 }",
        ),
        '[[memory]] flash: timing.model is "instruction-cache", which the core "cortex-m0"',
    ),
    "wait states on an AVR": (
        AVR,
        ('model = "zero-wait"', 'model = "cache", wait_states = 1, line = 8, lines = 8'),
        'an AVR\'s memories have no wait states; write timing = { model = "zero-wait" }',
    ),
    "compiler of another core": (
        ARM,
        ('"arm-none-eabi-gcc"', '"avr-gcc"'),
        "field 'compiler.toolchain': ",
    ),
    "flags of another order of bytes": (
        ARM,
        ('"-mthumb"', '"-mthumb", "-mbig-endian"'),
        "field 'compiler.flags': ",
    ),
    "a serial port that the part does not have": (
        ARM,
        ('name = "stm32f0"', 'name = "usart0"'),
        "field 'device.uart': the serial port 'usart0' is for ATmega48, 88, 168 and 328 (also A, "
        "P, PA, PB) and ATmega128, not STM32F030F4P6; remove the field",
    ),
    "a serial port of another name": (
        AVR,
        ('name = "usart0"', 'name = "usart1"'),
        "field 'device.uart.name': input should be 'usart0', 'stm32f0', 'stm32f1' or 'stm32f4', "
        "not 'usart1'",
    ),
    "an STM32's serial port without its boot loader": (
        ARM,
        (", rom_loader = 0x1fff_ec00", ""),
        "field 'device.uart.rom_loader': STM32 have a boot loader in ROM, and no other part; give "
        "its address (AN2606)",
    ),
    "a serial port without the tool that loads the part": (
        ARM,
        (', "stm32flash"]', "]"),
        "field 'device.tools': stm32flash is missing, which loads the part on its serial port; add",
    ),
    "the debug unit's counter on a Cortex-M0": (
        ARM,
        ('counter = "systick"', 'counter = "dwt"'),
        "field 'device.counter': armv6-m has no 'dwt'; give 'systick'",
    ),
    "an Arm's counter on an AVR": (
        AVR,
        ('counter = "timer1"', 'counter = "dwt"'),
        "field 'device.counter': avre has no 'dwt'; give 'timer1'",
    ),
    "a real board without an identity": (
        AVR,
        ('signature = "1e950f"\n', ""),
        "field 'device': nothing identifies the part, and a different one must not be written; "
        "give 'identity', 'signature' (AVR) or 'misa' (RISC-V)",
    ),
    "an identity that matches every part": (
        ARM,
        ("mask = 0xfff, value = 0x444", "mask = 0, value = 0"),
        "field 'device.identity': 'mask' is 0, so that every part matches; give the bits to",
    ),
    "an identity that matches no part": (
        ARM,
        ("mask = 0xfff, value = 0x444", "mask = 0xfff, value = 0x1444"),
        "field 'device.identity': 'value' has bits outside 'mask' (0xfff), so that no part",
    ),
    "an identity word across two words": (
        ARM,
        ("address = 0x4001_5800", "address = 0x4001_5801"),
        "field 'device.identity.address': input should be a multiple of 4, not 1073829889",
    ),
    "an AVR's signature on an Arm part": (
        ARM,
        (
            "identity = { address = 0x4001_5800, mask = 0xfff, value = 0x444 }",
            'signature = "1e950f"',
        ),
        "field 'device.signature': only an AVR has a signature; give 'identity' instead",
    ),
    "a RISC-V core's register on an Arm part": (
        ARM,
        ("identity = { address = 0x4001_5800, mask = 0xfff, value = 0x444 }", "misa = 0x4010_1105"),
        "field 'device.misa': only a RISC-V core has it; give 'identity' instead",
    ),
    "an identity word on an AVR": (
        AVR,
        ('signature = "1e950f"', "identity = { address = 0, mask = 1, value = 0 }"),
        "field 'device.identity': an AVRe core has no identity word; give 'signature'",
    ),
    "a signature of two bytes": (
        AVR,
        ('signature = "1e950f"', 'signature = "1e95"'),
        "field 'device.signature': '1e95' is not three bytes; give six hexadecimal digits, such as",
    ),
    "a boot loader larger than flash": (
        AVR,
        ("boot_loader = 512", "boot_loader = 40000"),
        "field 'device.boot_loader': 40000 bytes do not fit into the flash of 32768; correct it",
    ),
    "a tool that loads nothing": (
        AVR,
        ('tools = ["avrdude"]', 'tools = ["esptool"]'),
        "field 'device.tools[1]': input should be 'openocd', 'pyocd', 'probe-rs', 'avrdude', "
        "'mspdebug' or 'stm32flash', not 'esptool'",
    ),
    "a tool for other parts": (
        AVR,
        ('tools = ["avrdude"]', 'tools = ["openocd"]'),
        "field 'device.tools': 'openocd' is not used for avre; give 'avrdude'",
    ),
    "an AVR without its name in avrdude": (
        AVR,
        ('target = "m328p"\n', ""),
        "field 'device.target': is missing for avrdude; add the part's name in `avrdude -p ?`",
    ),
    "a part without its script for OpenOCD": (
        ARM,
        ('target = "target/stm32f0x.cfg"', 'target = "stm32f030x4"'),
        "field 'device.target': is missing for openocd; add the part's script, such as "
        "'target/stm32f4x.cfg'",
    ),
    "a part without its name in probe-rs": (
        ARM,
        ('tools = ["openocd", "stm32flash"]', 'tools = ["probe-rs", "stm32flash"]'),
        "field 'device.chip': is missing for probe-rs; add the part's name in `probe-rs chip list`",
    ),
    "flags that the compiler does not know": (
        ARM,
        ('"-mthumb"', '"-mthunb"'),
        "field 'compiler.flags': arm-none-eabi-gcc rejects them",
    ),
}


def changed(tmp_path: Path, name: str, old: str, new: str) -> Path:
    text = board(name).text
    assert old in text
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(old, new).replace(f'id = "{name}"', 'id = "mine"'))
    return path


@pytest.mark.parametrize("mistake", WRONG)
def test_a_wrong_board_file_is_reported_with_its_field(mistake: str, tmp_path: Path) -> None:
    name, (old, new), reported = WRONG[mistake]
    path = changed(tmp_path, name, old, new)
    with pytest.raises(UserError) as caught:
        run_job(Job(toy("ref"), load_board(path), "-Os", [enc(0, 0)], verify="none"))
    message = str(caught.value)
    assert message.startswith(f"{path}: {reported}")
    assert "\n" not in message


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [(AVR, "size = 0x800", "size = 200"), (ARM, "size = 0x1000", "size = 0xa0")],
)
def test_a_ram_that_is_too_small_does_not_fit_and_its_size_is_stated(
    name: str, old: str, new: str, tmp_path: Path
) -> None:
    path = changed(tmp_path, name, f"{old}\n", f"{new}\n")
    result = run_job(Job(toy("ref"), load_board(path), "-Os", [enc(0, 0)], verify="full"))
    [row] = result.measurements
    assert row.status == Status.DOES_NOT_FIT
    assert row.reason.startswith("even for the shortest messages, the stack needs more than the ")


def test_a_ram_without_room_for_the_buffers_states_how_many_bytes_are_over(tmp_path: Path) -> None:
    path = changed(tmp_path, ARM, "size = 0x1000\n", "size = 64\n")
    [row] = run_job(Job(toy("ref"), load_board(path), "-Os", [enc(0, 0)])).measurements
    assert row.status == Status.DOES_NOT_FIT
    bytes_over = int(row.reason.split()[0])
    assert row.reason.endswith(" bytes too many: even the shortest messages do not fit the RAM")
    path = changed(tmp_path, ARM, "size = 0x1000\n", f"size = {64 + (bytes_over + 7) // 8 * 8}\n")
    [row] = run_job(Job(toy("ref"), load_board(path), "-Os", [enc(0, 0)])).measurements
    assert row.reason.startswith("even for the shortest messages, the stack needs more")
