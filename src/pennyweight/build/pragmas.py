"""Finds `#pragma GCC dependency`, which tests whether a file exists (GCC manual, "Pragmas").

A header that poisons the word precedes each source. If the compiler finds the word, which may be
an identifier or in a comment of assembly, the source is compiled without that header and examined
here. The preprocessor expands no macros in `#pragma GCC`, so these are found in the text. It does
in the operand of `_Pragma`, which is replaced by another word to see the result.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from pennyweight.build.directives import PRAGMA, directives
from pennyweight.toolchains.command import run

_POISONED = re.compile(r'poisoned (?:"?dependency|identifier)')
"""GCC's message, and Clang's, which does not name the word: it is the only one poisoned there."""

_DIRECT = re.compile(r"\bpragma\s++GCC\s++dependency\b")

_MARK = "__pennyweight_pragma"
_MARKED = re.compile(rf'{_MARK}\s*+\(\s*+(?:"(?P<text>(?:\\.|[^"\\\n])*+)"\s*+\)|(?P<rest>[^\n]*))')
_COMMENT = re.compile(r"/\*.*?\*/")
_BUILT = re.compile(r"\s*+GCC\s++dependency\b")


def suspected(output: str) -> bool:
    """Whether the messages of a compiler report the word `dependency`."""
    return _POISONED.search(output) is not None


def in_text(text: str) -> bool:
    """Whether a file contains the pragma as a directive."""
    return _DIRECT.search(directives(text, PRAGMA, without="pragma")) is not None


def in_operators(
    command: Sequence[str | Path], source: str, folder: Path, build_folder: Path
) -> bool | None:
    """Whether `_Pragma` names the pragma after the expansion of all macros; `None` if the source
    cannot be preprocessed. `command` runs the compiler, without the header that poisons the word.
    """
    written = build_folder / "pragmas.i"
    marking: list[str | Path] = [
        f"-D_Pragma(operand)={_MARK}(operand)",
        "-w",
        "-E",
        "-P",
        "-o",
        written,
    ]
    done = run([*command, *marking, source], cwd=folder, temporary=build_folder)
    if not done.ok:
        return None
    text = written.read_text(encoding="utf-8", errors="replace")
    written.unlink()
    return any(_names(found) for found in _MARKED.finditer(text))


def _names(found: re.Match[str]) -> bool:
    if found["text"] is None:
        return "dependency" in found["rest"]
    return _BUILT.match(_COMMENT.sub(" ", found["text"].replace('\\"', '"'))) is not None
