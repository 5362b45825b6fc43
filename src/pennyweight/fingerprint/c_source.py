r"""C as the compiler sees it: comments dropped, lines kept, since `__LINE__` may be used.

Comments and literals as in ISO C11 6.4.9, 6.4.5 and 6.4.4.4, splices as in 5.1.1.2 (gcc allows
blanks behind the backslash). The linker's scripts have C's comments and quotes.
"""

from __future__ import annotations

import contextlib
import hashlib
import re

SUFFIXES = (".c", ".h", ".cc", ".cpp", ".hpp", ".ld")
"""Files of that kind. Assembly has other comments and quotes: it is taken as it is."""

_SPLICE = r"\\[ \t\v\f\r]*\n"
_TOKEN = re.compile(
    rf"""
    (?P<literal>"(?:{_SPLICE}|\\.|[^"\\\n])*"?|'(?:{_SPLICE}|\\.|[^'\\\n])*'?
        |^[ \t]*\#[ \t]*include[ \t]*<[^>\n]*>)
    | (?:/(?:{_SPLICE})*\*.*?(?:\*(?:{_SPLICE})*/|\Z)
        |/(?:{_SPLICE})*/(?:{_SPLICE}|[^\n])*
        |[ \t\v\f\r]+)+
    """,
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
_BEYOND = re.compile(r'\b(?:u8|[uUL])?R"|\?\?/|\0')
"""C++'s raw strings, which may hold anything, and a backslash by another name (5.2.1.1)."""

_LINE = "\0"
"""In place of an end of line in a comment, which ends no directive."""


def without_comments(text: str) -> str:
    """The text with comments and blanks beside each other as one space, and all its lines.

    Text that this cannot read with certainty is given back as it is.
    """
    if _BEYOND.search(text):
        return text
    return re.sub(r" +$", "", _TOKEN.sub(_replaced, text), flags=re.MULTILINE)


def _replaced(found: re.Match[str]) -> str:
    if found["literal"] is not None:
        return found[0]
    return " " + _LINE * found[0].count("\n")


def digest(name: str, content: bytes) -> str:
    """SHA-256 over a file: of C without comments, of anything else as it is."""
    if name.endswith(SUFFIXES):
        with contextlib.suppress(UnicodeDecodeError):
            content = without_comments(content.decode("utf-8")).encode()
    return hashlib.sha256(content).hexdigest()
