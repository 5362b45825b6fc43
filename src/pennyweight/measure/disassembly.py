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
_COMMENT = re.compile(r"\s*(?:[;@]|//).*$")
_TIME_LIMIT_S = 60


def disassembled(job: Job, program: Program) -> dict[int, str]:
    """Instructions by address (ELF), such as `eors r3, r1`; empty if the compiler has no objdump
    next to it.
    """
    driver = for_job(job).driver
    objdump = driver.with_name(re.sub(r"g?cc(?:-[\d.]+)?$", "objdump", driver.name))
    if objdump == driver or not objdump.is_file():
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
            text = _COMMENT.sub("", matched[2])
            found[int(matched[1], 16)] = " ".join(text.split())
    return found
