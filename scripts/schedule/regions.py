"""Regions: lines that may change places, with the dependences of all their expansions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from scripts.schedule.dependences import Flow, Step, edges
from scripts.schedule.expand import has_labels
from scripts.schedule.program import Image, Setting
from scripts.schedule.source import Block, Source

from pennyweight.model import UserError


@dataclass(frozen=True, slots=True)
class Instance:
    """One expansion of a block: its instructions in order, each with its line."""

    steps: tuple[Step | None, ...]
    """`None` for an instruction that nothing executed."""
    addresses: tuple[int, ...]
    lines: tuple[int, ...]
    end: int


@dataclass(slots=True)
class Region:
    """Lines of a block without a fixed instruction, and their dependences."""

    lines: tuple[int, ...]
    pairs: set[tuple[int, int]] = field(default_factory=set)
    """Lines whose order must stay, the first before the second."""
    executed: int = 0
    """Executions of its instructions in all calls and settings."""
    count: int = 0
    """The instructions in all its expansions in the largest program."""

    def allows(self, order: Sequence[int]) -> bool:
        """Whether an order of the lines respects all dependences."""
        at = {line: position for position, line in enumerate(order)}
        return all(at[first] < at[second] for first, second in self.pairs)


def instances(image: Image, block: Iterable[int]) -> list[Instance]:
    """The expansions of consecutive lines in an image."""
    wanted = set(block)
    found: list[Instance] = []
    current: list[tuple[int, int]] = []
    expansion, end = -1, -1

    def close() -> None:
        if current:
            steps = []
            for address, _ in current:
                instruction = image.instructions[address]
                use = image.use_of(instruction)
                steps.append(None if use is None else Step(instruction, use))
            addresses, lines = zip(*current, strict=True)
            found.append(Instance(tuple(steps), addresses, lines, end))
            current.clear()

    for address, stack in image.stacks.items():
        inside = next(((f, line) for f, line in stack if line in wanted), None)
        goes_on = inside is not None and address == end and inside[0] == expansion
        if not goes_on or (inside and current and inside[1] < current[-1][1]):
            close()
        if inside is not None:
            current.append((address, inside[1]))
            expansion, end = inside[0], image.instructions[address].end
    close()
    return found


def regions(
    source: Source,
    settings: Sequence[Setting],
    images: Sequence[Image],
    lines: tuple[int, int] | None = None,
) -> list[Region]:
    """All regions of a source of at least two lines, as large as possible; `lines` limits them to a
    range of lines.

    A line is between regions if it has an instruction that must not move, or none at all, or one
    that no call executes, or if it calls a macro that defines a label. Raises `UserError` for a
    branch into a region.
    """
    first, last = lines or (1, len(source.lines))
    excluded = {
        number
        for number, line in source.lines.items()
        if not first <= number <= last or has_labels(source, line.word, symbols=False)
    }
    found = [
        Region(piece)
        for block in source.blocks()
        for piece in _pieces(block, images, excluded)
        if len(piece) > 1
    ]
    for region in found:
        for setting, image in zip(settings, images, strict=True):
            _analyse(region, setting, image, source)
    return [region for region in found if region.executed]


def _pieces(block: Block, images: Sequence[Image], excluded: set[int]) -> list[tuple[int, ...]]:
    movable = dict.fromkeys(block.lines, False)
    fixed = set(excluded)
    for image in images:
        for instance in instances(image, block.lines):
            conditional = 0
            for address, line, step in zip(
                instance.addresses, instance.lines, instance.steps, strict=True
            ):
                text = image.instructions[address].text
                movable[line] = True
                # A macro of another file may define a label inside a call.
                is_call = image.stacks[address][-1][1] != line
                has_label = is_call and address in image.labels
                if step is None or text.is_fixed or conditional or has_label:
                    fixed.add(line)
                conditional = max(conditional - 1, text.conditional)
    pieces: list[list[int]] = [[]]
    for line, moves in movable.items():
        if moves and line not in fixed:
            pieces[-1].append(line)
        elif pieces[-1]:
            pieces.append([])
    return [tuple(piece) for piece in pieces]


def _analyse(region: Region, setting: Setting, image: Image, source: Source) -> None:
    flow = Flow(image, setting.family)
    targets = {
        target
        for instruction in image.instructions.values()
        if (target := instruction.text.target) is not None
    }
    instructions = 0
    for instance in instances(image, region.lines):
        for address in instance.addresses[1:]:
            if address in targets:
                line = instance.lines[instance.addresses.index(address)]
                raise UserError(
                    f"line {line}: a branch leads to this line, which has no label: '"
                    f"{source.lines[line].statement}'; give it a label, or exclude it with --lines"
                )
        steps = [step for step in instance.steps if step is not None]
        assert len(steps) == len(instance.steps), "lines with unknown instructions are fixed"
        for first, second in edges(steps, flow.live(instance.end), setting.family):
            one, other = instance.lines[first], instance.lines[second]
            if one != other:
                region.pairs.add((one, other))
        region.executed += sum(
            image.uses[address].times for address in instance.addresses if address in image.uses
        )
        instructions += len(steps)
    region.count = max(region.count, instructions)


@dataclass(slots=True)
class _Node:
    """An expansion of a region: for each line the encodings, and the expansions inside it."""

    region: int
    start: int
    end: int
    parts: dict[int, list[bytes | _Node]] = field(default_factory=dict)


class Patcher:
    """Writes the lines of regions in other orders into an image, in all expansions.

    A line that calls a macro contains expansions of the regions in this macro.
    """

    def __init__(self, image: Image, regions: Sequence[Region]) -> None:
        nodes = [
            (instance, _Node(index, instance.addresses[0], instance.end))
            for index, region in enumerate(regions)
            for instance in instances(image, region.lines)
        ]
        # The outermost of those that start at an address.
        at: dict[int, list[_Node]] = {}
        for _, node in sorted(nodes, key=lambda each: each[1].start - each[1].end):
            at.setdefault(node.start, []).append(node)
        inside: set[int] = set()
        for instance, node in nodes:
            until = -1
            for address, line in zip(instance.addresses, instance.lines, strict=True):
                if address < until:
                    continue
                part = node.parts.setdefault(line, [])
                smaller = [
                    each
                    for each in at.get(address, ())
                    if each.end - each.start < node.end - node.start
                ]
                if smaller:
                    part.append(smaller[0])
                    inside.add(id(smaller[0]))
                    until = smaller[0].end
                else:
                    part.append(image.bytes_of(image.instructions[address]))
        self._outermost = [node for _, node in nodes if id(node) not in inside]
        self.count = sum(
            len([at for at in image.stacks if node.start <= at < node.end])
            for node in self._outermost
        )

    def changes(self, orders: Sequence[Sequence[int]]) -> dict[int, bytes]:
        """Bytes by address."""
        return {node.start: b"".join(_flat(node, orders)) for node in self._outermost}


def _flat(node: _Node, orders: Sequence[Sequence[int]]) -> Iterator[bytes]:
    for line in orders[node.region]:
        for part in node.parts.get(line, ()):
            if isinstance(part, bytes):
                yield part
            else:
                yield from _flat(part, orders)
