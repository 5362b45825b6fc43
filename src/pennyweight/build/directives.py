"""Finds a preprocessor's directives in C and in assembly.

Comments, literals, digraphs and spliced lines follow ISO C11 5.1.1.2 and 6.4. The preprocessor
reads assembly by the same rules, except that a quote without its partner extends to the end of the
line (GCC, libcpp/lex.cc, `lex_string`). The assembler's own comments, such as `@` and `;`, are text
to it, and so are lines that begin with `#` but with no directive's name. Trigraphs depend on the
compiler's flags, so a text with trigraphs is read in both ways.
"""

from __future__ import annotations

import re

TESTS = re.compile(r"\s*+(?:el)?if(?:n?def)?\b|\s*+(?:define|include(?:_next)?|import|embed)\b")
"""Directives that evaluate tests for files, or define macros for them."""
PRAGMA = re.compile(r"\s*+pragma\b")

_SPLICE = re.compile(r"\\[ \t\v\f\r]*\n")
_TRIGRAPH = re.compile(r"\?\?([=/'()!<>-])")
_TRIGRAPHS = dict(zip("=/'()!<>-", "#\\^[]|{}~", strict=True))
"""ISO C11 5.2.1.1."""

_TOKEN = re.compile(
    r"""
    (?P<kept>^[ \t]*\#[ \t]*include[ \t]*<[^>\n]*>)
    | (?P<literal>"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)
    | (?:/\*.*?(?:\*/|\Z) | //[^\n]* | [ \t\v\f\r]+)+
    """,
    re.DOTALL | re.MULTILINE | re.VERBOSE,
)
_DIRECTIVE = re.compile(r"^[ \t\v\f\r]*+(?:#|%:)([^\n]*)", re.MULTILINE)
_UNCERTAIN = re.compile(r'\b(?:u8|[uUL])?R"[^()\\\s"]{0,16}\(|\0')
"""C++ raw strings, which may contain anything."""


def directives(text: str, kind: re.Pattern[str], without: str) -> str:
    """The directives of a kind, one a line, without comments, and without literals that contain the
    word `without`. A text that cannot be read with certainty is returned as a whole.
    """
    readings = [text]
    if _TRIGRAPH.search(text):
        readings.append(_TRIGRAPH.sub(lambda found: _TRIGRAPHS[found[1]], text))
    lines: dict[str, None] = {}
    for reading in readings:
        spliced = _SPLICE.sub("", reading)
        if _UNCERTAIN.search(spliced):
            lines |= dict.fromkeys(spliced.splitlines())
            continue
        bare = _TOKEN.sub(lambda found: _without(found, without), spliced)
        found = (each[1] for each in _DIRECTIVE.finditer(bare))
        lines |= dict.fromkeys(f"#{each}" for each in found if kind.match(each))
    return "\n".join(lines)


def _without(found: re.Match[str], word: str) -> str:
    if found["kept"] is not None:
        return found[0]
    literal = found["literal"]
    if literal is None:
        return " "
    return '""' if word in literal else literal
