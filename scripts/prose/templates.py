"""Extracts the prose of a Jinja template of HTML: comments, text between tags, and labels."""

from __future__ import annotations

import re
from collections.abc import Iterator

_COMMENT = re.compile(r"\{#-?(.*?)-?#\}|<!--(.*?)-->", re.DOTALL)
_EXPRESSION = re.compile(r"\{\{.*?\}\}|<code\b.*?</code>", re.DOTALL)
_LABEL = re.compile(r"""\b(?:aria-label|title|placeholder|alt)="([^"<>]*)\"""")
_PROGRAM = re.compile(r"<(script|style)\b.*?</\1>", re.DOTALL)
_STATEMENT = re.compile(r"\{%.*?%\}", re.DOTALL)
_INLINE_TAG = re.compile(r"</?(?:a|abbr|b|em|i|small|span|strong|sub|sup)\b[^<>]*>")
_TAG = re.compile(r"<[^<>]*>")
_END = "\0"


def prose(template: str, code: str) -> Iterator[tuple[int, str, str]]:
    """Line, text and part of each piece of prose, in which `code` replaces expressions and code."""
    for found in _COMMENT.finditer(template):
        text = found.group(1) or found.group(2) or ""
        yield template.count("\n", 0, found.start()) + 1, text, "comments"
    template = _COMMENT.sub(_lines, template)
    template = _PROGRAM.sub(_ended, template)
    template = _EXPRESSION.sub(lambda found: code + _lines(found), template)
    for found in _LABEL.finditer(template):
        yield template.count("\n", 0, found.start()) + 1, found.group(1), "strings"
    template = _STATEMENT.sub(_ended, template)
    template = _TAG.sub(_ended, _INLINE_TAG.sub(_lines, template))
    line = 1
    for piece in template.split(_END):
        text = piece.lstrip()
        if re.search(r"\w", text):
            yield line + piece[: len(piece) - len(text)].count("\n"), text.rstrip(), "text"
        line += piece.count("\n")


def _lines(found: re.Match[str]) -> str:
    """The line breaks of a match, so that later lines keep their numbers."""
    return "\n" * found.group().count("\n")


def _ended(found: re.Match[str]) -> str:
    return _END + _lines(found)
