"""Checks with the compiler whether it supports a user's flags, before anything is compiled."""

from __future__ import annotations

import functools
import re
import tempfile
from pathlib import Path

from pennyweight.build.failure import first_error
from pennyweight.catalogue.boards import Board
from pennyweight.model import UserError
from pennyweight.toolchains import Toolchain
from pennyweight.toolchains.clang import translated
from pennyweight.toolchains.command import run

_PREFIX = re.compile(r"^(\S*(gcc|cc1|clang)\S*: )?(fatal )?error: ")


def check_flags(toolchain: Toolchain, board: Board, flags: tuple[str, ...]) -> None:
    """Raises `UserError` if the compiler rejects the board's flags or the user's."""
    refused = _refusal(*_command(toolchain, board.file.compiler.flags))
    if refused:
        raise UserError(
            f"{board.path}: field 'compiler.flags': {toolchain.identity.name} rejects them: "
            f"{refused}; correct them"
        )
    refused = _refusal(*_command(toolchain, (*board.file.compiler.flags, *flags)))
    if refused:
        raise UserError(
            f"flags '{' '.join(flags)}': {toolchain.identity.version} rejects them for board "
            f"'{board.id}': {refused}; remove that flag"
        )


def _command(toolchain: Toolchain, flags: tuple[str, ...]) -> tuple[Path, tuple[str, ...]]:
    """The C compiler and its flags in its own syntax."""
    if toolchain.clang is None:
        return toolchain.driver, flags
    return toolchain.clang, translated(toolchain.family, toolchain.driver, flags)


@functools.cache
def _refusal(driver: Path, flags: tuple[str, ...]) -> str:
    """The compiler's error about flags, or an empty string."""
    with tempfile.TemporaryDirectory(prefix="pennyweight-") as folder:
        source = Path(folder) / "empty.c"
        source.write_text("int pw_nothing;\n", encoding="utf-8")
        done = run(
            [driver, *flags, "-c", source.name, "-o", "empty.o"],
            cwd=Path(folder),
            time_limit=30,
        )
    return "" if done.ok else _PREFIX.sub("", first_error(done.output)).rstrip("; ")
