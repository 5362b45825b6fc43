"""Gives values of a region other registers, so that fewer lines must keep their order.

A value that is computed and last read inside a region may be in any register that nothing needs
from its computation to its last reading. Of the names that the region's results have, it gets the
one that has been unused for the longest time. This considers names in the source only; the
assembled program is then compared with the one before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from scripts.schedule.instructions import FLAGS
from scripts.schedule.program import Image
from scripts.schedule.regions import Region, instances
from scripts.schedule.source import Source

_NAME = re.compile(r"\\?[A-Za-z_]\w*")
_STATEMENT = re.compile(r"(?P<before>\s*[\w.]+\s+)(?P<operands>.*)$")


@dataclass(slots=True)
class _Line:
    """An instruction's operands, as the source names them."""

    before: str
    operands: list[str]
    is_result: bool
    """Whether the first operand is the result."""
    reads_result: bool
    """Whether the instruction also reads the result's register, without naming it again."""
    is_known: bool = True
    """Whether the line is a single instruction with one result at most."""

    def names(self, position: int) -> list[str]:
        """The names in an operand."""
        return _NAME.findall(self.operands[position]) if position < len(self.operands) else []

    def sources(self) -> set[str]:
        """The names that are read."""
        first = 1 if self.is_result and not self.reads_result else 0
        return {
            name for position in range(first, len(self.operands)) for name in self.names(position)
        }

    @property
    def result(self) -> str | None:
        """The name of the result."""
        return self.operands[0].strip() if self.is_result and self.operands else None

    def replace(self, old: str, new: str, result: bool, sources: bool) -> None:
        """Renames a register in the result, in the other operands, or in both."""
        pattern = re.compile(rf"(?<![\w\\]){re.escape(old)}(?!\w)")
        for position in range(len(self.operands)):
            is_result = position == 0 and self.is_result and not self.reads_result
            if result if is_result else sources:
                self.operands[position] = pattern.sub(lambda _: new, self.operands[position])

    @property
    def text(self) -> str:
        """The line."""
        return self.before + ",".join(self.operands)


@dataclass(frozen=True, slots=True)
class Renaming:
    """The value that is computed at a position of a region gets another name."""

    region: int
    position: int
    old: str
    new: str


def proposals(source: Source, regions: Sequence[Region], images: Sequence[Image]) -> list[Renaming]:
    """Renamings that remove dependences, in order; each assumes those before it."""
    found: list[Renaming] = []
    seen: set[int] = set()
    for index, region in enumerate(regions):
        if not seen.isdisjoint(region.lines):
            continue
        seen.update(region.lines)
        lines = _read(source, region, images)
        pool = {line.result for line in lines if line.is_known and line.result}
        for position in range(len(lines)):
            chosen = _better_name(lines, position, sorted(pool))
            if chosen is not None:
                old = lines[position].result or ""
                found.append(Renaming(index, position, old, chosen))
                _apply(lines, position, chosen)
    return found


def renamed(
    source: Source,
    regions: Sequence[Region],
    images: Sequence[Image],
    renamings: Sequence[Renaming],
) -> Source:
    """The source with these renamings."""
    texts = {number: line.text for number, line in source.lines.items()}
    for index in {each.region for each in renamings}:
        region = regions[index]
        lines = _read(source, region, images)
        for each in renamings:
            if each.region == index and _value(lines, each.position) is not None:
                _apply(lines, each.position, each.new)
        for number, line in zip(region.lines, lines, strict=True):
            if line.is_known:
                texts[number] = line.text
    return Source("\n".join(texts.values()) + "\n")


def _read(source: Source, region: Region, images: Sequence[Image]) -> list[_Line]:
    shapes: dict[int, set[tuple[bool, bool]]] = {}
    unknown: set[int] = set()
    for image in images:
        for instance in instances(image, region.lines):
            for line in region.lines:
                steps = [
                    step
                    for step, each in zip(instance.steps, instance.lines, strict=True)
                    if each == line
                ]
                if len(steps) != 1 or steps[0] is None:
                    unknown.add(line)
                    continue
                text, use = steps[0].instruction.text, steps[0].use
                flags = sum(1 << cell for cell in FLAGS[text.family])
                written = (use.writes & ~flags).bit_count()
                registers = text.registers()
                if written > 1 or (written and use.stores) or "{" in text.operands:
                    unknown.add(line)
                    continue
                first = registers[0] if registers else -1
                is_result = written == 1 and bool(use.writes >> max(first, 0) & 1)
                if written == 1 and not is_result:
                    unknown.add(line)
                reads = is_result and bool(use.reads >> first & 1)
                shapes.setdefault(line, set()).add((is_result, reads))
    found = []
    for number in region.lines:
        given = source.lines[number]
        written_text = given.text
        parts = _STATEMENT.match(written_text)
        possible = {result for result, _ in shapes.get(number, ())}
        commented = written_text.strip() != given.statement
        if parts is None or number in unknown or len(possible) != 1 or commented:
            operands = [] if parts is None else parts["operands"].split(",")
            found.append(_Line(written_text, operands, False, False, False))
            continue
        operands = parts["operands"].split(",")
        named_again = any(operands[0].strip() in _NAME.findall(operand) for operand in operands[1:])
        reads = any(each for _, each in shapes[number]) and not named_again
        found.append(_Line(parts["before"], operands, possible.pop(), reads))
    return found


def _value(lines: Sequence[_Line], position: int) -> tuple[str, list[int], int] | None:
    """The name of the value that a line computes, the lines that read it or add to it, and the
    position of the next value of that name; `None` if it cannot be renamed.
    """
    line = lines[position]
    name = line.result
    if not line.is_known or name is None or line.reads_result or not _NAME.fullmatch(name):
        return None
    readers = []
    for at in range(position + 1, len(lines)):
        other = lines[at]
        mentioned = name in other.sources() or other.result == name
        if not mentioned:
            continue
        if not other.is_known:
            return None
        if name in other.sources():
            readers.append(at)
        if other.result == name and not other.reads_result:
            return name, readers, at
    # It may be needed behind the region.
    return None


def _better_name(lines: Sequence[_Line], position: int, pool: Sequence[str]) -> str | None:
    value = _value(lines, position)
    if value is None or not value[1]:
        return None
    name, readers, _ = value
    end = max(readers)

    def last_use(each: str) -> int:
        before = [at for at in range(position) if _mentions(lines[at], each)]
        return max(before, default=-1)

    free = [each for each in pool if each != name and _is_free(lines, position, end, each)]
    best = min(free, key=last_use, default=None)
    return best if best is not None and last_use(best) < last_use(name) else None


def _mentions(line: _Line, name: str) -> bool:
    return any(name in line.names(position) for position in range(len(line.operands)))


def _is_free(lines: Sequence[_Line], first: int, last: int, name: str) -> bool:
    """Whether nothing needs a name between two positions, and the next to name it computes it."""
    for at in range(first + 1, len(lines)):
        if not _mentions(lines[at], name):
            continue
        line = lines[at]
        is_new = line.is_known and line.result == name and name not in line.sources()
        return is_new and at >= last
    return False


def _apply(lines: Sequence[_Line], position: int, new: str) -> None:
    value = _value(lines, position)
    assert value is not None, "only such values are renamed"
    name, readers, _ = value
    lines[position].replace(name, new, result=True, sources=False)
    for at in readers:
        lines[at].replace(name, new, result=False, sources=True)
