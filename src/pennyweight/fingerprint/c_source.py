r"""C as the compiler sees it, without comments. Line breaks are kept because of `__LINE__`.

Comments and literals follow ISO C11 6.4.9, 6.4.5 and 6.4.4.4, spliced lines 5.1.1.2 (gcc allows
blanks after the backslash). Linker scripts have the same comments and quotes.
"""

from __future__ import annotations

import contextlib
import hashlib
import re

SUFFIXES = (".c", ".h", ".cc", ".cpp", ".hpp", ".ld")
"""Suffixes of such files. Assembly has other comments and quotes and is hashed unchanged."""

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
"""C++ raw strings, which may contain anything, and the trigraph of a backslash (5.2.1.1)."""

_LINE = "\0"
"""Replaces a line break in a comment; it does not end a directive."""


def without_comments(text: str) -> str:
    """The text with each sequence of comments and blanks replaced by one space. Lines are kept.

    Text that cannot be parsed with certainty is returned unchanged.
    """
    if _BEYOND.search(text):
        return text
    return re.sub(r" +$", "", _TOKEN.sub(_replaced, text), flags=re.MULTILINE)


def _replaced(found: re.Match[str]) -> str:
    if found["literal"] is not None:
        return found[0]
    return " " + _LINE * found[0].count("\n")


def digest(name: str, content: bytes) -> str:
    """SHA-256 of a file: of C without comments, of other files unchanged."""
    if name.endswith(SUFFIXES):
        with contextlib.suppress(UnicodeDecodeError):
            content = without_comments(content.decode("utf-8")).encode()
    return hashlib.sha256(content).hexdigest()
