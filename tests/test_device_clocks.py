"""Tables `[device]` of the bundled boards: their monitors build, and their clock set-up code writes
the registers that give the board's clock and wait states.

QEMU models the clock of the FE310 only. For the others the code runs on the host, with registers in
memory; the frequencies are computed from their values by the formulas of the reference manuals.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from emulators.running import BOARDS, qemu_gdb
from packages_for_tests import toy
from pennyweight.build import build
from pennyweight.catalogue import load
from pennyweight.catalogue.boards import Board, load_board
from pennyweight.catalogue.device_clocks import CLOCKS
from pennyweight.catalogue.root import data_root
from pennyweight.devices.errors import DeviceError
from pennyweight.devices.gdb import GdbServer
from pennyweight.devices.gdb_link import GdbLink
from pennyweight.devices.machine import Device
from pennyweight.devices.monitor import build_monitor
from pennyweight.job import Job
from pennyweight.model import UserError
from pennyweight.target import Target

WITH_TABLE = [board for board in load().boards.values() if board.file.device is not None]
SOURCE = Path(__file__).parent / "emulators" / "clock_registers.c"
RCC_F4, RCC_F1, FLASH_F1 = 0x40023800, 0x40021000, 0x40022000
RCC_L4, PWR = 0x40021000, 0x40007000


@pytest.mark.parametrize("board", WITH_TABLE, ids=lambda board: board.id)
def test_the_monitor_of_every_board_fits(board: Board) -> None:
    monitor = build_monitor(board)
    table = board.file.device
    assert table is not None
    assert board.flash.base < monitor.base
    assert monitor.base + monitor.size <= board.flash.end - table.boot_loader
    assert ("pw_clock_start" in monitor.symbols) >= bool(table.clock)


def test_every_clock_file_belongs_to_a_board() -> None:
    used = {board.file.device.clock for board in WITH_TABLE if board.file.device is not None}
    files = {each.stem for each in (data_root() / "firmware" / "device").glob("*/clock/*.c")}
    assert files == used - {""}


class Registers:
    """The registers after `pw_clock_start` ran for a board on the host."""

    def __init__(
        self, folder: Path, family: str, board: Board, hse: int, wanted: list[str]
    ) -> None:
        assert board.file.device is not None
        source = data_root() / "firmware/device" / family / "clock" / f"{board.file.device.clock}.c"
        program = folder / "clock_registers"
        flags = ["-O1", "-Wall", "-Wextra", "-Werror", f"-DPW_HZ={board.hz}UL"]
        line = source.stem.upper()
        flags += [f'-DCLOCK_SOURCE="{source}"', f"-DHSE={hse}", f"-D{line}"]
        subprocess.run(["cc", *flags, str(SOURCE), "-o", str(program)], check=True)
        done = subprocess.run([str(program), *wanted], check=True, capture_output=True, text=True)
        result, self.acr, *values = (int(each, 16) for each in done.stdout.split())
        assert result == 0
        self.values = values


def wait_states(board: Board) -> int:
    extra = board.flash.timing.model_extra or {}
    return int(extra.get("wait_states", 0))


@pytest.mark.parametrize("name", ["stm32f407-168mhz", "stm32f407-24mhz", "stm32f429"])
def test_stm32f4_runs_at_its_clock(tmp_path: Path, name: str) -> None:
    board = load().boards[name]
    wanted = [hex(RCC_F4 + 4), hex(RCC_F4 + 8)]
    found = Registers(tmp_path, "cortex-m", board, 16, wanted)
    pll, switch = found.values
    vco = 16_000_000 // (pll & 63) * (pll >> 6 & 511)
    assert 192_000_000 <= vco <= 432_000_000
    assert vco // (2 * (pll >> 16 & 3) + 2) == board.hz
    assert switch & 15 == 0b1010
    assert board.hz / {4: 2, 5: 4}[switch >> 10 & 7] <= 42_000_000
    assert found.acr & 15 == wait_states(board)
    assert (found.acr >> 8 & 7 == 7) is (wait_states(board) > 0)


@pytest.mark.parametrize(
    ("name", "hse"),
    [("stm32f103-72mhz", 16), ("stm32f103-72mhz", 18), ("stm32f103-24mhz", 16)],
    ids=["crystal", "external-clock", "internal"],
)
def test_stm32f1_runs_at_its_clock(tmp_path: Path, name: str, hse: int) -> None:
    board = load().boards[name]
    found = Registers(tmp_path, "cortex-m", board, hse, [hex(RCC_F1 + 4)])
    [switch] = found.values
    source = 8_000_000 if switch >> 16 & 1 else 4_000_000
    assert source * ((switch >> 18 & 15) + 2) == board.hz
    assert switch & 15 == 0b1010
    assert found.acr == wait_states(board) | 1 << 4


@pytest.mark.parametrize("name", ["stm32f030", "stm32f030-48mhz"])
def test_stm32f0_runs_at_its_clock(tmp_path: Path, name: str) -> None:
    board = load().boards[name]
    found = Registers(tmp_path, "cortex-m", board, 16, [hex(RCC_F1 + 4), hex(FLASH_F1)])
    switch, flash = found.values
    hz = 4_000_000 * ((switch >> 18 & 15) + 2) if switch & 15 == 0b1010 else 8_000_000
    assert hz == board.hz
    assert flash & 7 == wait_states(board)


@pytest.mark.parametrize(
    ("name", "states"),
    [
        ("stm32l476-16mhz", 0),
        ("stm32l476-80mhz", 4),
        ("stm32l4r5-20mhz", 0),
        ("stm32l4r5-120mhz", 5),
    ],
)
def test_stm32l4_runs_at_its_clock(tmp_path: Path, name: str, states: int) -> None:
    board = load().boards[name]
    wanted = [
        f"{PWR + 0x80:x}=100",
        hex(RCC_L4 + 8),
        hex(RCC_L4 + 12),
        hex(FLASH_F1),
        hex(PWR + 0x80),
    ]
    switch, pll, flash, power = Registers(tmp_path, "cortex-m", board, 16, wanted).values
    assert switch >> 4 & 15 == 0, "the AHB's clock is not divided"
    if switch & 3 == 1:
        hz = 16_000_000
    else:
        assert (switch & 3, pll & 3) == (3, 2), "the PLL, on HSI16"
        vco = 16_000_000 // ((pll >> 4 & 7) + 1) * (pll >> 8 & 127)
        assert 64_000_000 <= vco <= 344_000_000
        assert pll >> 24 & 1
        hz = vco // (2 * (pll >> 25 & 3) + 2)
    assert hz == board.hz
    assert flash & 7 == states
    assert (flash >> 8 & 1, flash >> 9 & 3) == (0, 3), "both caches, no prefetching"
    assert (power >> 8 & 1 == 0) is (hz > 80_000_000), "boost mode"


@pytest.mark.parametrize("name", ["stm32g071-16mhz", "stm32g071-64mhz"])
def test_stm32g0_runs_at_its_clock(tmp_path: Path, name: str) -> None:
    board = load().boards[name]
    wanted = [hex(RCC_L4 + 8), hex(RCC_L4 + 12), hex(FLASH_F1)]
    switch, pll, flash = Registers(tmp_path, "cortex-m", board, 16, wanted).values
    hz = 16_000_000
    if switch & 7 == 2:
        vco = hz // ((pll >> 4 & 7) + 1) * (pll >> 8 & 127)
        assert 64_000_000 <= vco <= 344_000_000
        assert (pll & 3, pll >> 28 & 1) == (2, 1)
        hz = vco // ((pll >> 29 & 7) + 1)
    assert hz == board.hz
    assert flash & 7 == wait_states(board)
    assert flash >> 8 & 3 == (3 if wait_states(board) else 0)


def test_stm32f303_runs_at_its_clock(tmp_path: Path) -> None:
    board = load().boards["stm32f303-72mhz"]
    found = Registers(tmp_path, "cortex-m", board, 16, [hex(RCC_F1 + 4)])
    [switch] = found.values
    assert 8_000_000 * ((switch >> 18 & 15) + 2) == board.hz and switch >> 16 & 1
    assert (switch & 15, found.acr) == (0b1010, wait_states(board) | 1 << 4)


def test_stm32l0_runs_at_its_clock_in_range_1(tmp_path: Path) -> None:
    board = load().boards["stm32l053-16mhz"]
    wanted = [f"{PWR:x}=1000", f"{FLASH_F1:x}=1", hex(RCC_L4 + 12), hex(PWR), hex(FLASH_F1)]
    switch, power, flash = Registers(tmp_path, "cortex-m", board, 16, wanted).values
    assert (switch & 15, power >> 11 & 3, flash & 1) == (0b0101, 1, 0)


def test_stm32u5_runs_at_its_clock_with_its_cache(tmp_path: Path) -> None:
    board = load().boards["stm32u585"]
    registers = (0x46020C28, 0x46020C34, 0x46020C1C, 0x46020C20, 0x4602080C, FLASH_F1, 0x40030400)
    pll, divider, switch, ahb, power, flash, cache = Registers(
        tmp_path, "cortex-m", board, 16, [hex(each) for each in registers]
    ).values
    assert (pll & 3, pll >> 2 & 3, pll >> 8 & 15, pll >> 12 & 15, pll >> 18 & 1) == (2, 3, 0, 0, 1)
    vco = 16_000_000 * ((divider & 511) + 1)
    assert 128_000_000 <= vco <= 544_000_000
    assert vco // ((divider >> 24 & 127) + 1) == board.hz
    assert (switch & 15, ahb & 15) == (0b1111, 0)
    assert (power >> 16 & 3, power >> 18 & 1) == (3, 1), "voltage range 1 with its booster"
    assert (flash & 15, flash >> 8 & 1) == (4, 0), "four wait states, no prefetching"
    assert cache & 5 == 5, "the cache is on, with two ways"


def test_rp2040_runs_at_its_clock(tmp_path: Path) -> None:
    board = load().boards["rp2040"]
    wanted = [0x40028000, 0x40028004, 0x40028008, 0x4002800C, 0x4000803C, 0x40008040, 0x4000C000]
    control, power, multiplier, dividers, system, divider, resets = Registers(
        tmp_path, "cortex-m", board, 16, ["4000c000=1ffffff", *map(hex, wanted)]
    ).values
    vco = 12_000_000 // (control & 63) * multiplier
    assert 750_000_000 <= vco <= 1_600_000_000
    assert vco // (dividers >> 16 & 7) // (dividers >> 12 & 7) == board.hz
    assert power & 0b101001 == 0, "PLL, its VCO and its dividers have power"
    assert (system & 1, system >> 5 & 7, divider) == (1, 0, 1 << 8)
    assert resets == 0x1FFFFFF & ~(1 << 12)


def test_sam3x_runs_at_its_clock(tmp_path: Path) -> None:
    board = load().boards["sam3x8e"]
    wanted = ["400e0620", "400e0628", "400e0630", "400e0a00", "400e0c00", "400e1a54"]
    oscillator, pll, clock, one, two, watchdog = Registers(
        tmp_path, "cortex-m", board, 16, wanted
    ).values
    assert oscillator >> 4 & 7 == 2, "12 MHz"
    hz = 12_000_000 * ((pll >> 16 & 0x7FF) + 1) // (pll & 255)
    assert 96_000_000 <= hz <= 192_000_000
    assert (clock & 3, hz >> (clock >> 4 & 7)) == (2, board.hz)
    assert {one >> 8 & 15, two >> 8 & 15} == {wait_states(board)}
    assert watchdog >> 15 & 1


def test_samd21_runs_at_its_clock(tmp_path: Path) -> None:
    board = load().boards["samd21"]
    wanted = [f"806024={0x1B << 26:x}", "40000824", "40000828", "40000c04", "41004004"]
    control, value, generator, flash = Registers(tmp_path, "cortex-m", board, 16, wanted).values
    assert control & 0xFFFF == 2, "enabled, open loop, not on demand"
    assert value >> 10 == 0x1B, "the factory's value"
    assert (generator & 255, generator >> 8 & 31, generator >> 16 & 1) == (0, 7, 1)
    assert flash >> 1 & 15 == wait_states(board)
    assert flash >> 18 & 1 == 0, "the cache is on"


def test_nrf52_enables_its_cache(tmp_path: Path) -> None:
    found = Registers(tmp_path, "cortex-m", load().boards["nrf52840"], 16, ["4001e540"])
    assert found.values == [1]


def test_fe310_runs_at_its_clock(tmp_path: Path) -> None:
    board = load().boards["fe310-g002"]
    pll, divider, flash = Registers(
        tmp_path, "riscv", board, 16, ["10008008", "1000800c", "10014000"]
    ).values
    check_fe310(pll, board.hz)
    assert (divider, flash) == (1 << 8, 3)


def check_fe310(pll: int, hz: int) -> None:
    vco = 16_000_000 // ((pll & 7) + 1) * 2 * ((pll >> 4 & 63) + 1)
    assert 384_000_000 <= vco <= 768_000_000
    assert vco >> (pll >> 10 & 3) == hz
    assert pll >> 16 & 7 == 0b011, "PLL selected, on the crystal, not bypassed"


def loaded(board: Board, place: str) -> GdbServer:
    host, port = place.removeprefix("gdb:").split(":")
    server = GdbServer(host, int(port))
    monitor = build_monitor(board)
    device = Device(GdbLink(server, board, monitor), board, monitor)
    program = build(Job(toy("ref"), board, "-Os")).programs["full"]
    Target(board, program, 5_000_000, device.load)
    return server


def changed(tmp_path: Path, name: str, *changes: tuple[str, str]) -> Board:
    text = (BOARDS / f"{name}.toml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return load_board(path)


def test_fe310_clock_code_runs_on_an_emulated_part(tmp_path: Path) -> None:
    board = changed(tmp_path, "sifive_e", ("[device]", '[device]\nclock = "fe310"'))
    with qemu_gdb("sifive_e") as emulator:
        server = loaded(board, emulator.place)
        check_fe310(int.from_bytes(server.read(0x10008008, 4), "little"), board.hz)
        server.close()


def test_pic32mx_clock_code_runs_on_an_emulated_core() -> None:
    """Registers are RAM there, and OSCCON has the value of a chipKIT uC32."""
    part = load().boards["pic32mx340"]
    with qemu_gdb("pic32mx340") as emulator:
        server = loaded(part, emulator.place)
        check, matrix = (
            int.from_bytes(server.read(at, 4), "little") for at in (0xBF884000, 0xBF882000)
        )
        server.close()
    assert (check & 7, check >> 4 & 3) == (wait_states(part), 3)
    assert matrix >> 6 & 1 == 0


def test_a_pic32mx_whose_configuration_bits_differ_is_reported() -> None:
    eight_mhz = ("-device", "loader,addr=0x1f80f000,data=0x0,data-len=4")
    with (
        qemu_gdb("pic32mx340", *eight_mhz) as emulator,
        pytest.raises(DeviceError, match="the clock of PIC32MX340F512H does not start"),
    ):
        loaded(load().boards["pic32mx340"], emulator.place)


def test_a_clock_that_does_not_start_is_reported(tmp_path: Path) -> None:
    """QEMU has no clock controller for its STM32: the oscillator never becomes ready."""
    timing = '{ model = "stream", wait_states = 5, line = 16, cached_lines = 64, data_lines = 8 }'
    board = changed(
        tmp_path,
        "netduinoplus2",
        ("[device]", '[device]\nclock = "stm32f4"'),
        ('0x10_0000\ntiming = { model = "zero-wait" }', f"0x10_0000\ntiming = {timing}"),
    )
    with (
        qemu_gdb("netduinoplus2") as emulator,
        pytest.raises(DeviceError, match="the clock of STM32F405RG does not start at 168000000 Hz"),
    ):
        loaded(board, emulator.place)


def test_unknown_clock_code_is_reported_with_the_known(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no clock set-up code 'stm32f5'.*stm32f1, stm32f4"):
        changed(tmp_path, "netduinoplus2", ("[device]", '[device]\nclock = "stm32f5"'))
    with pytest.raises(UserError, match=r"clock set-up code 'avrxt' for avre; remove the field$"):
        uno_with(tmp_path, "avrxt")


def uno_with(folder: Path, clock: str) -> Board:
    """The ATmega328P with clock set-up code, of which AVRe parts have none."""
    text = (load().root / "boards" / "atmega328p.toml").read_text(encoding="utf-8")
    path = folder / "uno.toml"
    text = text.replace('id = "atmega328p"', 'id = "uno"')
    path.write_text(text.replace("[device]", f'[device]\nclock = "{clock}"'), encoding="utf-8")
    return load_board(path)


COMPILERS = {
    "cortex-m": ("arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb"),
    "mips": ("mipsel-linux-gnu-gcc", "-march=m4k"),
    "riscv": ("riscv64-unknown-elf-gcc", "-march=rv32imac", "-mabi=ilp32"),
}


@pytest.mark.parametrize("clock", sorted(set(CLOCKS) - {"avrxt"}))
def test_the_catalogue_states_the_frequencies_that_clock_code_sets(clock: str) -> None:
    """The code fails to compile at any other frequency."""
    [setting] = CLOCKS[clock]
    [source] = (data_root() / "firmware" / "device").glob(f"*/clock/{clock}.c")
    command = (*COMPILERS[source.parent.parent.name], "-ffreestanding", "-fsyntax-only", "-w")
    edges = (min(setting.mhz), max(setting.mhz))
    tried = {8, 16, 20, 24, 48, 60, 64, 68, 72, 84, 100, 168}
    tried |= {edge + step for edge in edges for step in (-1, 0, 1)}

    def compiles(mhz: int) -> bool:
        done = subprocess.run(
            [*command, f"-DPW_HZ={mhz}000000UL", str(source)], capture_output=True, check=False
        )
        return done.returncode == 0

    assert {mhz for mhz in tried if compiles(mhz)} == tried & set(setting.mhz)
