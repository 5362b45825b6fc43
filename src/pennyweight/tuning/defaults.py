"""The flags that an optimisation level implies; a build with them is the same."""

from __future__ import annotations

import re
from pathlib import Path

from pennyweight.toolchains import Toolchain
from pennyweight.toolchains.command import run

_SWITCH = re.compile(r"^\s+-f(?P<name>[a-z0-9-]+)\s+\[(?P<state>enabled|disabled)\]", re.MULTILINE)


def redundant_flags(toolchain: Toolchain, flags: tuple[str, ...], level: str) -> frozenset[str]:
    """The switches that change nothing at a level; `flags` are the board's.

    GCC prints the state of each switch (GCC manual, "Overall Options", `-Q --help=optimizers`);
    Clang does not, so the set is empty for it.
    """
    if toolchain.clang is not None:
        return frozenset()
    command: list[str | Path] = [toolchain.driver, *flags, level, "-Q", "--help=optimizers"]
    done = run(command, cwd=Path("/"), time_limit=30)
    return frozenset(parse(done.output)) if done.ok else frozenset()


def parse(output: str) -> list[str]:
    r"""The flags that restate what the compiler prints.

    >>> parse("  -fgcse  [enabled]\n  -fweb  [disabled]\n  -falign-loops=  4")
    ['-fgcse', '-fno-web']
    """
    return [
        f"-f{each['name']}" if each["state"] == "enabled" else f"-fno-{each['name']}"
        for each in _SWITCH.finditer(output)
    ]
