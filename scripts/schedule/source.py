"""An assembly source as lines: which of them are instructions, and which may change places.

A *block* is a run of consecutive lines of instructions and macro calls, with the comments between
them, in one macro or outside of all. Labels, directives and the preprocessor's lines end a block.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

MARKER = "pennyweight-schedule"
"""The file name under which debugging information has the lines of the source."""

_COMMENT = re.compile(r"/\*.*?\*/|//.*$|(?<!\\)@.*$")
_CODE = re.compile(r"[A-Za-z\\][\w.\\()]*(?:\s|$)")
_INVOCATION = re.compile(r"[A-Za-z_]\w*\s*\(.*\)$")
"""A macro of the preprocessor, which may expand to instructions."""
_LABEL = re.compile(r"[\w.$\\()@]+:")
_BEGINS = re.compile(r"\.macro\s+([\w.$]+)", re.IGNORECASE)
_ENDS = re.compile(r"\.endm\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the source."""

    text: str
    statement: str
    """The text without comments and surrounding blanks."""
    macro: str | None
    """The macro that contains it."""
    is_code: bool
    """An instruction or a macro call, without a label."""
    has_code: bool
    """The same, perhaps after a label."""
    is_blank: bool
    """Empty, or a comment only."""

    @property
    def word(self) -> str:
        """The instruction or the called macro."""
        return self.statement.split(None, 1)[0] if self.statement else ""


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive lines that may change places, by line number."""

    lines: tuple[int, ...]
    """The lines with instructions."""
    leads: tuple[tuple[int, ...], ...]
    """For each of them the lines with comments before it, which move with it."""


class Source:
    """The lines of a file, numbered from 1."""

    def __init__(self, text: str) -> None:
        self.lines: dict[int, Line] = dict(enumerate(_read(text), start=1))
        self.macros = {line.macro for line in self.lines.values() if line.macro is not None}

    @property
    def text(self) -> str:
        """The file's text."""
        return "".join(f"{line.text}\n" for line in self.lines.values())

    def marked(self) -> str:
        """The text with directives that carry the line numbers into debugging information."""
        marked = [f'\t.file 1 "{MARKER}"\n']
        for number, line in self.lines.items():
            if line.has_code:
                marked.append(f"\t.loc 1 {number}\n")
            marked.append(f"{line.text}\n")
        return "".join(marked)

    def blocks(self) -> list[Block]:
        """All blocks of at least two lines with instructions."""
        found: list[Block] = []
        lines: list[int] = []
        leads: list[tuple[int, ...]] = []
        lead: list[int] = []
        for number, line in [*self.lines.items(), (0, _END)]:
            if (lines and line.macro != self.lines[lines[-1]].macro) or not (
                line.is_code or line.is_blank
            ):
                if len(lines) > 1:
                    found.append(Block(tuple(lines), tuple(leads)))
                lines, leads, lead = [], [], []
            if line.is_code:
                lines.append(number)
                leads.append(tuple(lead))
                lead = []
            elif line.is_blank and lines:
                lead.append(number)
        return found

    def reordered(self, orders: Sequence[Sequence[int]]) -> str:
        """The text with the lines of each order in that order, in the places of these lines.

        Comments before a line move with it.
        """
        leads = {
            line: lead
            for block in self.blocks()
            for line, lead in zip(block.lines, block.leads, strict=True)
        }
        numbers = list(self.lines)
        for order in orders:
            first = min(order)
            leads[first] = ()  # What is before the first line stays there.
            moved = [each for line in order for each in (*leads.get(line, ()), line)]
            at = numbers.index(first)
            numbers[at : at + len(moved)] = moved
        return "".join(f"{self.lines[number].text}\n" for number in numbers)


def _read(text: str) -> list[Line]:
    found: list[Line] = []
    macro: str | None = None
    in_comment = continued = False
    for line in text.splitlines():
        rest = line
        if in_comment:
            _, ends, rest = line.partition("*/")
            in_comment = not ends
            rest = rest if ends else ""
        rest = _COMMENT.sub(" ", rest)
        if "/*" in rest:
            rest, in_comment = rest.partition("/*")[0], True
        is_preprocessor = continued or rest.lstrip().startswith("#")
        continued = is_preprocessor and line.endswith("\\")
        statement = rest.strip()
        begins = _BEGINS.match(statement)
        if begins:
            macro = begins[1]
        labelled = _LABEL.match(statement)
        remaining = statement[labelled.end() :].strip() if labelled else statement
        is_invocation = bool(not is_preprocessor and _INVOCATION.match(remaining))
        has_code = bool(not is_preprocessor and remaining and _CODE.match(remaining))
        has_code = is_invocation or (has_code and not _is_definition(remaining))
        found.append(
            Line(
                line,
                statement,
                macro,
                has_code and not is_invocation and labelled is None and ";" not in remaining,
                has_code,
                not statement and not is_preprocessor,
            )
        )
        if _ENDS.match(statement):
            macro = None
    return found


def _is_definition(statement: str) -> bool:
    """Whether it gives a symbol a value: `name = value`."""
    return bool(re.match(r"[\w.$]+\s*=", statement))


_END = Line("", ".end", None, False, False, False)
