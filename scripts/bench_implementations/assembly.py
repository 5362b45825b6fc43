"""Detects assembly in what the compiler sees of an implementation on a board.

The compiler evaluates the conditions for the board but expands no macros. Code that it drops for
the board does not count, nor do macros of its own headers (avr-libc reads flash with inline
assembly). Inline assembly without an instruction, which only keeps the compiler from moving code,
does not count either.
"""

from __future__ import annotations

import functools
import re
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from pennyweight.build.failure import BuildError
from pennyweight.build.firmware import headers_folder
from pennyweight.build.sources import ASSEMBLY_SUFFIXES, Sources, collect
from pennyweight.catalogue import Board, Implementation, data_root
from pennyweight.toolchains import for_board

_SPACE = r"(?:[\s\\]|\b(?:volatile|__volatile__|__volatile|goto|inline)\b)*+"
INLINE = re.compile(rf'\b(?:asm|__asm|__asm__)\b{_SPACE}(?:\{{|\((?![\s\\]*+""[\s\\]*+[:)]))')
"""Inline assembly with an instruction or a register name, in a text without comments."""

_COMMENT_OR_STRING = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*+"|'(?:\\.|[^'\\\n])*+'""", re.DOTALL
)
_LINE_MARKER = re.compile(r'# \d+ "(?P<file>[^"]*)"(?P<flags>[ \d]*)')
_OF_THE_COMPILER = "3"
"""The flag of a line marker for the compiler's own headers."""


def without_comments(text: str) -> str:
    """The same lines with comments removed."""

    def blank(found: re.Match[str]) -> str:
        comment = found[0].startswith("/")
        return "\n" * found[0].count("\n") + " " if comment else found[0]

    return _COMMENT_OR_STRING.sub(blank, text)


def has_assembly(implementation: Implementation, board: Board) -> bool:
    """Whether assembly is compiled there; also true for assembly files for another core.

    Not true for C for another core, which does not build and reports why.
    """
    try:
        sources = collect(implementation)
        files = [path for _, path in sources.files()]
    except BuildError:
        return False
    if not any(_may_have(path) for path in files):
        return False
    defined = tuple(f"-D{each.replace(' ', '=', 1)}" for each in implementation.manifest.defines)
    in_c = [name for name in sources.compiled if not name.endswith(ASSEMBLY_SUFFIXES)]
    for name in sources.compiled:
        if name not in in_c:
            seen = None if name.endswith(".s") else _seen(sources, [name], defined, board)
            if seen is None or _is_more_than_directives(seen):
                return True
    return INLINE.search(_seen(sources, in_c, defined, board) or "") is not None


@functools.cache
def _may_have(path: Path) -> bool:
    if path.name.endswith(ASSEMBLY_SUFFIXES):
        return True
    text = path.read_text(encoding="utf-8", errors="replace")
    return INLINE.search(without_comments(text)) is not None


def _is_more_than_directives(seen: str) -> bool:
    return any(line.strip() and not line.lstrip().startswith("#") for line in seen.splitlines())


def _seen(sources: Sources, names: list[str], defined: tuple[str, ...], board: Board) -> str | None:
    """What the compiler sees of sources for the board, without its own headers and comments.

    `None` if it rejects them.
    """
    if not names:
        return ""
    with TemporaryDirectory() as place:
        sources.write_generated(Path(place))
        done = subprocess.run(
            [
                for_board(board).driver,
                *board.file.compiler.flags,
                *("-Os", "-E", "-fdirectives-only"),
                *defined,
                *sources.own_headers(Path(place)),
                *(f"-I{folder}" for folder in sources.include),
                f"-I{headers_folder(data_root() / 'firmware')}",
                *(f"./{name}" for name in names),
            ],
            cwd=sources.folder,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
    if done.returncode != 0:
        return None
    own = []
    is_own = True
    for line in done.stdout.splitlines():
        marker = _LINE_MARKER.match(line)
        if marker:
            # Predefined macros come from a file named <built-in>.
            is_own = _OF_THE_COMPILER not in marker["flags"] and not marker["file"].startswith("<")
        elif is_own:
            own.append(line)
    return without_comments("\n".join(own))
