"""Is there assembly in what the compiler sees of an implementation on a board?

The compiler is asked to follow the conditions for the board and to expand nothing, so that what it
drops there does not count, nor what macros of its own headers are made of (avr-libc reads flash by
inline assembly). Inline assembly without an instruction, which only keeps the compiler from moving
something, is none.
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
"""Inline assembly that has an instruction, or names a register, in a text without comments."""

_COMMENT_OR_STRING = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*+"|'(?:\\.|[^'\\\n])*+'""", re.DOTALL
)
_LINE_MARKER = re.compile(r'# \d+ "(?P<file>[^"]*)"(?P<flags>[ \d]*)')
_OF_THE_COMPILER = "3"
"""The flag of a line marker that stands for a header of the compiler's."""


def without_comments(text: str) -> str:
    """The same lines with nothing in the place of comments."""

    def blank(found: re.Match[str]) -> str:
        comment = found[0].startswith("/")
        return "\n" * found[0].count("\n") + " " if comment else found[0]

    return _COMMENT_OR_STRING.sub(blank, text)


def has_assembly(implementation: Implementation, board: Board) -> bool:
    """Whether any is compiled there; so it is of a file in assembly that is for another core.

    Not of C that is for another core: it will not build, and tells why.
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

    `None` if it refuses them.
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
            # What the compiler defines by itself comes from a file called <built-in>.
            is_own = _OF_THE_COMPILER not in marker["flags"] and not marker["file"].startswith("<")
        elif is_own:
            own.append(line)
    return without_comments("\n".join(own))
