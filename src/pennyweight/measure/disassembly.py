"""The text of a program's instructions, from the compiler's own disassembler."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

from pennyweight.build import Program
from pennyweight.job import Job
from pennyweight.toolchains import for_job

_LINE = re.compile(r"^ *([0-9a-f]+):\t(.*)$")
_REMARK = re.compile(r"\s*(?:[;@]|//|\s#\s).*$")
_TIME_LIMIT_S = 60


def objdump_of(driver: Path) -> Path | None:
    """The disassembler next to a compiler, if there is one."""
    tool = driver.with_name(re.sub(r"g?cc(?:-[\d.]+)?$", "objdump", driver.name))
    return tool if tool != driver and tool.is_file() else None


def without_remarks(text: str) -> str:
    """An instruction as the disassembler prints it, without its remarks, and with single spaces."""
    return " ".join(_REMARK.sub("", text).split())


def disassembled(job: Job, program: Program) -> dict[int, str]:
    """Instructions by address (ELF), such as `eors r3, r1`; empty if the compiler has no objdump
    next to it.
    """
    objdump = objdump_of(for_job(job).driver)
    if objdump is None:
        return {}
    with tempfile.TemporaryDirectory(prefix="pennyweight-") as folder:
        image = Path(folder) / "program.elf"
        image.write_bytes(program.elf)
        command = [str(objdump), "-d", "--no-show-raw-insn", str(image)]
        try:
            ran = subprocess.run(
                command, capture_output=True, text=True, timeout=_TIME_LIMIT_S, check=False
            )
        except (OSError, subprocess.TimeoutExpired):
            return {}
    found = {}
    for line in ran.stdout.splitlines():
        matched = _LINE.match(line)
        if matched is not None:
            found[int(matched[1], 16)] = without_remarks(matched[2])
    return found
