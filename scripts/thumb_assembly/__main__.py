"""Compares the instructions of the Thumb simulator's tests with GNU as.

    python -m scripts.thumb_assembly [--write]

Assembles every instruction of `simulator/thumb/tests/common/assembled.txt` and reports those whose
halfwords differ; the status is 1 if there are any. `--write` corrects the file instead, and sorts
it.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
LISTED = ROOT / "simulator" / "thumb" / "tests" / "common" / "assembled.txt"
ASSEMBLER = ("arm-none-eabi-as", "-mcpu=cortex-m33", "-mthumb")


def listed(text: str) -> dict[str, str]:
    """The halfwords by instruction, as a file has them."""
    lines = (line for line in text.splitlines() if line.strip())
    return {line[9:].strip(): line[:9].strip() for line in lines}


def assembled(instructions: list[str]) -> dict[str, str]:
    """The halfwords that GNU as makes of each instruction, in hexadecimal. Raises `ValueError`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        source, target, code = folder / "in.s", folder / "out.o", folder / "code"
        # A section each: nothing depends on what stands before it.
        sections = [f'.section .t{n},"ax"\n{each}\n' for n, each in enumerate(instructions)]
        source.write_text(".syntax unified\n" + "".join(sections))
        done = subprocess.run(
            [*ASSEMBLER, str(source), "-o", str(target)],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise ValueError(done.stderr.replace(str(source), "line"))
        found = {}
        for number, each in enumerate(instructions):
            words = ["arm-none-eabi-objcopy", "-O", "binary", "-j", f".t{number}"]
            subprocess.run([*words, str(target), str(code)], check=True)
            data = code.read_bytes()
            halves = (data[at : at + 2] for at in range(0, len(data), 2))
            found[each] = " ".join(f"{int.from_bytes(half, 'little'):04x}" for half in halves)
        return found


def main(arguments: list[str], path: Path = LISTED) -> int:
    """Compares, or corrects with `--write`; 1 if something differs, 2 if it cannot be assembled."""
    parser = argparse.ArgumentParser(prog="thumb-assembly", description=__doc__)
    parser.add_argument("--write", action="store_true", help="correct the file")
    given = parser.parse_args(arguments)
    before = listed(path.read_text(encoding="utf-8"))
    try:
        right = assembled(list(before))
    except ValueError as error:
        print(f"{path.name}: {error}", file=sys.stderr)
        return 2
    if given.write:
        ordered = sorted(right.items(), key=lambda item: (item[0].split()[0], item[0]))
        path.write_text("".join(f"{code:9}  {each}\n" for each, code in ordered), encoding="utf-8")
        return 0
    wrong = {each: code for each, code in right.items() if before[each] != code}
    for each, code in wrong.items():
        print(f"{path.name}: {each} is {code}, not {before[each]}; run with --write to correct it")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
