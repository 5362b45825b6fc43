"""Runs the official RISC-V instruction tests, unchanged, on a simulated FE310 with Zba, Zbb, Zbkb.

    make riscv-tests CLONE=path-of-a-clone-of-riscv-software-src/riscv-tests

Each file of `isa/rv32ui`, `um`, `ua`, `uc`, `uzba`, `uzbb` and `uzbkb` is assembled with a
`riscv_test.h` of this project and called twice; a case that fails ends the call with a fault. The
exit status is 1 if a file fails, 2 if the clone is invalid.
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import tempfile
from pathlib import Path

from pennyweight.catalogue import Board, load
from pennyweight.catalogue.boards import load_board
from pennyweight.measure.function_call import FunctionCall
from pennyweight.measure.single_function import find_sources, time_function
from pennyweight.model import Status, UserError

SETS = ("rv32ui", "rv32um", "rv32ua", "rv32uc", "rv32uzba", "rv32uzbb", "rv32uzbkb")
CASES = re.compile(r"^\s*(?:RVC_)?TEST_\w+\s*\(", re.MULTILINE)
NOT_RUN = {
    "rv32ui/fence_i": "it modifies its own code, which is in flash here",
    "rv32ui/ma_data": "it accesses unaligned words, which trap on the E31",
    "rv32uc/rvc": "its stack pointer is invalid; other tests cover each of its instructions",
}
CLEARS_DATA = ("rv32ua/lrsc",)
BUDGET = 10_000_000


def main() -> int:
    """Runs the tests and prints those that do not pass; returns the exit status. Raises
    `UserError`.
    """
    parser = argparse.ArgumentParser(prog="riscv_tests", description=__doc__.splitlines()[0])
    parser.add_argument("clone", type=Path, help="a clone of riscv-software-src/riscv-tests")
    clone: Path = parser.parse_args().clone
    macros = clone / "isa/macros/scalar/test_macros.h"
    if not macros.is_file():
        raise UserError(f"{clone}: not a clone of riscv-software-src/riscv-tests; give its path")
    failed = passed = cases = 0
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        shutil.copy(macros, place)
        shutil.copy(Path(__file__).with_name("riscv_test.h"), place)
        board = _board(place)
        for test in sorted(path for name in SETS for path in (clone / "isa" / name).glob("*.S")):
            name = f"{test.parent.name}/{test.stem}"
            if name in NOT_RUN:
                print(f"{name}: not run: {NOT_RUN[name]}")
                continue
            text = _text(test)
            source = place / f"{test.parent.name}-{test.name}"
            source.write_text(text)
            flags = "-O2 -DCLEARS_DATA" if name in CLEARS_DATA else "-O2"
            work = FunctionCall("work")
            cost = time_function(find_sources([source]), board, flags, work, None, BUDGET)
            if cost.status == Status.OK:
                passed += 1
                cases += len(CASES.findall(text))
            else:
                failed += 1
                print(f"{name}: {cost.status}: {cost.reason}")
    print(f"{passed} files passed, with {cases:,} cases in their text; {failed} failed")
    return 1 if failed or not passed else 0


def _text(test: Path) -> str:
    """The test file; if it includes one for 64 bits, that file, because no macro depends on the
    width.
    """
    text = test.read_text()
    other = re.search(r'#include "(\.\./rv64[^"]+)"', text)
    return text if other is None else (test.parent / other[1]).read_text()


def _board(place: Path) -> Board:
    """The FE310's board file with the extensions that the tests need."""
    text = load().board("fe310-g002").text
    text = text.replace('id = "fe310-g002"', 'id = "with-extensions"')
    text = text.replace('"sifive-e31"', '"sifive-e31"\nextensions = ["zba", "zbb", "zbkb"]')
    text = text.replace("rv32imac", "rv32imac_zba_zbb_zbkb")
    path = place / "board.toml"
    path.write_text(text)
    return load_board(path)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UserError as error:
        print(f"riscv-tests: {error}", file=sys.stderr)
        sys.exit(2)
