"""Extracts the prose of a file: the text of a page or template; comments and strings of code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Comment, Name, String, _TokenType
from pygments.util import ClassNotFound
from scripts.prose.templates import prose

CODE = "\N{WHITE SQUARE}"
"""Replaces inline code, so that a rule never matches what a program defines."""

PARTS = ("text", "comments", "docstrings", "strings", "names")
"""What a file can be checked for. `text` is the prose of a Markdown page or an HTML template."""

_ASSEMBLY = (".S", ".s", ".inc", ".ld")
"""Assembly and linker scripts go through the C preprocessor or have its comments."""

_WORD_BOUNDARY = re.compile(r"_+|(?<=[a-z0-9])(?=[A-Z])")
_LITERAL = re.compile(r"`[^`\n]+`")
_STRING_SEAM = re.compile(r"""(["'])(\s*)[bfru]{0,2}\1""")
_LINE_CONTINUATION = re.compile(r"\\(?=\n)")
_COMMENT_MARKS = re.compile(r"^\s*(?:#+!?|//[/!]?|;+|/?\*+/?)\s?|\s*\*/\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Passage:
    """One piece of prose: a paragraph, a table cell, a comment, a string."""

    line: int
    """Line of the file where the text begins, counted from 1."""
    text: str
    part: str
    """One of `PARTS`."""


def passages(path: Path) -> Iterator[Passage]:
    """The prose of a file, in order. None if Pygments does not support its language."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        yield from _markdown(text)
        return
    if path.suffix == ".j2":
        yield from (_cleaned(Passage(*each)) for each in prose(text, CODE))
        return
    try:
        lexer = _lexer(path)
    except ClassNotFound:
        return
    line = 1
    pending: Passage | None = None
    for kind, value in lexer.get_tokens(text):
        part = _part(kind)
        if part and pending and part == pending.part != "names":
            pending = Passage(pending.line, pending.text + value, part)
        elif part:
            if pending:
                yield _cleaned(pending)
            pending = Passage(line, value, part)
        elif pending and value.strip():
            yield _cleaned(pending)
            pending = None
        elif pending:  # Blanks between two comments or two parts of one string.
            pending = Passage(pending.line, pending.text + value, pending.part)
        line += value.count("\n")
    if pending:
        yield _cleaned(pending)


def _lexer(path: Path) -> Lexer:
    """Raises `ClassNotFound` for a language that Pygments does not support."""
    if path.suffix in _ASSEMBLY:
        return get_lexer_by_name("c")
    return get_lexer_for_filename(path.name)


def _markdown(text: str) -> Iterator[Passage]:
    """Paragraphs, headings, list items and table cells; neither code nor HTML."""
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type == "inline" and token.map is not None:
            yield Passage(token.map[0] + 1, _inline(token.children or []), "text")


def _inline(children: list[Token]) -> str:
    texts = {"softbreak": "\n", "hardbreak": "\n", "code_inline": CODE}
    return "".join(texts.get(child.type, child.content) for child in children)


def _part(kind: _TokenType) -> str | None:
    if kind in String.Doc:
        return "docstrings"
    if kind in String:
        return "strings"
    if kind in Comment and kind not in Comment.Preproc and kind not in Comment.PreprocFile:
        return "comments"
    return "names" if kind in Name else None


def _cleaned(passage: Passage) -> Passage:
    if passage.part == "names":
        return Passage(passage.line, _WORD_BOUNDARY.sub(" ", passage.text), "names")
    text = _LITERAL.sub(CODE, passage.text)
    if passage.part == "comments":
        text = _COMMENT_MARKS.sub("", text)
    elif passage.part == "strings":
        text = _LINE_CONTINUATION.sub("", _STRING_SEAM.sub(r"\2", text))
    return Passage(passage.line, text, passage.part)
