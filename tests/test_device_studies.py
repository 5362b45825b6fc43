"""A bundled study, run on an emulated board over a debug server and over a serial line."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_runs import Command, runner
from emulators.running import BOARDS, avr_serial, qemu_gdb
from pennyweight.catalogue.root import data_root
from pennyweight.store import open_store
from pennyweight.store.reading import open_results

pytestmark = pytest.mark.devices


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Command:
    return runner(capsys)


def one_euro(folder: Path, board: str, bits: int) -> Path:
    """The study `one-euro` for another board."""
    text = (data_root() / "studies" / "one-euro.toml").read_text(encoding="utf-8")
    for old, new in (
        ('boards = ["stm32f030", "stm32f030-48mhz"]', f'boards = ["{board}"]'),
        ('boards = ["stm32f030"]', f'boards = ["{board}"]'),
        ("bits = [32]", f"bits = [{bits}]"),
        ('id = "one-euro"', 'id = "one-euro-there"'),
    ):
        assert old in text
        text = text.replace(old, new)
    path = folder / "one-euro-there.toml"
    path.write_text(text, encoding="utf-8")
    return path


def checked(run: Command, folder: Path, study: Path, place: str) -> list[dict[str, object]]:
    """Runs the study with its report; the rows."""
    words = ("run", "--study", study, "--quick", "--on", place, "--yes")
    done = run(*words, "--results", folder / "results", "--report", folder / "report")
    assert done.status == 0, done.err
    assert (folder / "report" / "index.html").is_file()
    with open_results(open_store(folder / "results")) as found:
        rows: list[dict[str, object]] = found.query(
            "SELECT algorithm, board, device, op, ad, m, cycles, status FROM latest"
        ).to_pylist()
    return rows


def test_one_euro_runs_on_a_cortex_m0_over_a_debug_server(run: Command, tmp_path: Path) -> None:
    study = one_euro(tmp_path, str(BOARDS / "microbit.toml"), 32)
    with qemu_gdb("microbit") as emulator:
        rows = checked(run, tmp_path, study, emulator.place)
    assert len({row["algorithm"] for row in rows}) == 8
    assert {row["status"] for row in rows} == {"ok"}
    assert all(str(row["device"]).startswith("nRF51822") for row in rows)
    assert len(rows) == 8 * (2 * 65 + 1)


def test_one_euro_runs_on_an_arduino_uno_over_a_serial_line(run: Command, tmp_path: Path) -> None:
    """With fewer lengths and known answers: the emulated board and its line run in real time."""
    study = one_euro(tmp_path, "atmega328p", 8)
    text = study.read_text(encoding="utf-8")
    assert "step = 4 " in text and "[quick]" in text
    text = text.replace("step = 4 ", "step = 256 ").replace("flags =", 'verify = "quick"\nflags =')
    study.write_text(text, encoding="utf-8")
    with avr_serial() as emulator:
        rows = checked(run, tmp_path, study, emulator.place)
    assert len({row["algorithm"] for row in rows}) == 8
    assert {row["status"] for row in rows} == {"ok"}
    assert all(str(row["device"]).startswith("ATmega328P, signature 1e950f") for row in rows)
