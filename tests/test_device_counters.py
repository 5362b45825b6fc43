"""The monitor's cycle counts of long calls, whose counters overflow: the code of Cortex-M on the
host, because QEMU has no DWT and counts no cycles.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from pennyweight.catalogue.root import data_root
from pennyweight.devices.families import FAMILIES

SOURCE = Path(__file__).parent / "emulators" / "cortex_m_counter.c"
PENDING = 1 << 26
"""SysTick's exception is pending in ICSR."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    port = data_root() / "firmware" / "device" / "cortex-m" / "port.c"
    made = tmp_path_factory.mktemp("counters")
    for counter in ("DWT", "SYSTICK"):
        flags = ["-O1", "-Wall", "-Wextra", "-Wno-int-to-pointer-cast", f"-DPW_COUNTER_{counter}"]
        command = ["cc", *flags, f'-DPORT_SOURCE="{port}"', str(SOURCE), "-o", str(made / counter)]
        subprocess.run(command, check=True)
    return made


def counted(program: Path, start: int, end: int, overflows: int, icsr: int) -> int:
    words = [f"{each:x}" for each in (start, end, overflows, icsr)]
    return int(subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout)


@pytest.mark.parametrize("cycles", [0, 93, (1 << 24) - 1, 1 << 24, (1 << 32) - 1, 1 << 32, 9 << 40])
@pytest.mark.parametrize("start", [0, 0x1234, 0xFFFF_FFF0])
def test_dwt_counts_beyond_32_bits(folder: Path, cycles: int, start: int) -> None:
    """SysTick started up to one of its periods earlier, and its last overflow may be pending."""
    end = (start + cycles) & 0xFFFF_FFFF
    for earlier in (0, 100, (1 << 24) - 1):
        overflows, rest = divmod(earlier + cycles, 1 << 24)
        assert counted(folder / "DWT", start, end, overflows, 0) == cycles
        if overflows and rest < 100:
            assert counted(folder / "DWT", start, end, overflows - 1, PENDING) == cycles


@pytest.mark.parametrize("cycles", [0, 93, (1 << 24) - 1, 1 << 24, 1 << 32, 9 << 40])
def test_systick_counts_beyond_24_bits(folder: Path, cycles: int) -> None:
    """It counts down from its longest period."""
    for start in (0xFF_FFF0, 0xFF_FF00):
        overflows = (cycles + 0xFF_FFFF - start) >> 24
        end = (start - cycles) & 0xFF_FFFF
        assert counted(folder / "SYSTICK", start, end, overflows, 0) == cycles
        if overflows and end > 0xFF_FF00:
            assert counted(folder / "SYSTICK", start, end, overflows - 1, PENDING) == cycles


def test_the_longest_calls_end_before_their_overflows_do() -> None:
    for family in FAMILIES.values():
        if family.widest:
            assert family.overflows(family.longest) < 1 << family.widest
            assert family.longest < 1 << 64
        else:
            assert family.longest == (1 << family.counter_bits) - 1
    assert FAMILIES["cortex-m"].longest > 1 << 55


def test_a_call_ends_before_its_counter_wraps() -> None:
    riscv, cortex_m = FAMILIES["riscv"], FAMILIES["cortex-m"]
    assert riscv.seconds(200_000_000, 300e6, 320_000_000) == pytest.approx(6.333, abs=0.001)
    assert riscv.seconds(4_000_000_000, 300e6, 320_000_000) == pytest.approx(13.422, abs=0.001)
    assert FAMILIES["mips"].seconds(8_000_000_000, 80e6, 80_000_000) * 80e6 == 2 * (1 << 32)
    assert cortex_m.seconds(8_000_000_000, 160e6, 168_000_000) == 105
