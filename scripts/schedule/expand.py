"""Replaces calls of the source's own macros by their instructions, so that these can mix."""

from __future__ import annotations

from scripts.schedule.program import Image
from scripts.schedule.source import Source

_HARMLESS = (".if", ".el", ".end", ".macro", ".rept", ".irp", "#")
"""Beginnings of lines that leave the instructions around them where they are."""


def expandable(source: Source, image: Image) -> dict[int, list[str]]:
    """For each line outside of macros that calls a macro of the file: its instructions.

    Calls with a branch, a reference to an address, or a label in their expansion are skipped.
    """
    found: dict[int, list[str]] = {}
    excluded: set[int] = set()
    for address, stack in image.stacks.items():
        line = stack[0][1]
        if len(stack) < 2 or not source.lines[line].is_code:
            continue
        instruction = image.instructions[address]
        if instruction.text.is_fixed:
            excluded.add(line)
        found.setdefault(line, []).append(instruction.shown)
    excluded.update(line for line in found if has_labels(source, source.lines[line].word))
    return {line: texts for line, texts in found.items() if line not in excluded}


def has_labels(
    source: Source, macro: str, symbols: bool = True, above: frozenset[str] = frozenset()
) -> bool:
    """Whether a macro, or one that it calls, defines a label, a section or, with `symbols`, the
    value of a symbol.
    """
    if macro not in source.macros or macro in above:
        return False
    harmless = (*_HARMLESS, *(() if symbols else (".set",)))
    for line in source.lines.values():
        if line.macro != macro:
            continue
        is_code = line.is_code or line.is_blank
        if not is_code and not line.statement.startswith(harmless):
            return True
        if has_labels(source, line.word, symbols, above | {macro}):
            return True
    return False


def expanded(source: Source, lines: dict[int, list[str]]) -> Source:
    """The source with the instructions of the lines in their places."""
    text = []
    for number, line in source.lines.items():
        if number not in lines:
            text.append(line.text)
            continue
        text.append(f"\t/* {line.statement} */")
        text += [f"\t{each.replace(' ', chr(9), 1)}" for each in lines[number]]
    return Source("\n".join(text) + "\n")
