"""Checks that a reordered source computes the same as before.

For each expansion of each region, before and after, every instruction is named by its text and by
what has computed the values that it reads. Both must have the same names, leave the same values in
all registers, and access memory in the same order where accesses may overlap. This uses the
assembled result, not the dependences that the search has kept. In addition, the calls are made
with random buffers.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Sequence

from scripts.schedule.dependences import Flow, Step, cells, may_overlap
from scripts.schedule.instructions import FLAGS
from scripts.schedule.program import Call, Image, Setting, random_requests
from scripts.schedule.regions import instances

from pennyweight.measure.single_function import call_once
from pennyweight.model import UserError
from pennyweight.target import Failure, Request, Target

RANDOM_CALLS = 20

Summary = tuple[Counter[str], dict[int, str]]
"""Instructions by name, and the values of registers and live flags at the end."""


def summary(steps: Sequence[Step], live_flags: int, family: str) -> Summary:
    """What a straight line computes, whatever the order of its independent instructions."""
    values: dict[int, str] = {}
    names: Counter[str] = Counter()
    accesses: list[tuple[str, tuple[str, int, int] | None, bool]] = []
    for step in steps:
        text, use = step.instruction.text, step.use
        registers = text.registers()
        named = []
        for index, cell in enumerate(registers):
            is_result = index == 0 and use.writes >> cell & 1 and cell in registers[1:]
            is_read = use.reads >> cell & 1 and not is_result
            named.append(values.get(cell, f"in {cell}") if is_read else "result")
        hidden = [
            f"{cell} {values.get(cell, f'in {cell}')}"
            for cell in cells(use.reads)
            if cell not in registers
        ]
        parts = [text.shape(), *named, *hidden]
        place = None
        if step.touches_memory:
            access = text.access()
            if access is not None:
                base = values.get(access.base, f"in {access.base}")
                place = (base, access.offset, access.size)
            parts += sorted(
                f"after {name}"
                for name, other, stores in accesses
                if (stores or use.stores) and _overlap(place, other)
            )
        name = hashlib.sha256("\n".join(parts).encode()).hexdigest()
        if step.touches_memory:
            accesses.append((name, place, use.stores))
        names[name] += 1
        for cell in cells(use.writes):
            # By its place in the text, so that it is the same value in another register.
            where = registers.index(cell) if cell in registers else f"hidden {cell}"
            values[cell] = f"{name} {where}"
    dead = sum(1 << cell for cell in FLAGS[family]) & ~live_flags
    return names, {cell: value for cell, value in values.items() if not dead >> cell & 1}


def _overlap(one: tuple[str, int, int] | None, other: tuple[str, int, int] | None) -> bool:
    if one is None or other is None or one[0] != other[0]:
        return True
    return may_overlap((0, *one[1:]), (0, *other[1:]))


Lines = tuple[int, ...]


def check_regions(
    setting: Setting, before: Image, after: Image, regions: Sequence[tuple[Lines, Lines]]
) -> None:
    """Raises `UserError` if a region, given as its lines before and after, does not compute the
    same.
    """
    flows = [Flow(image, setting.family) for image in (before, after)]
    for lines in regions:
        found = [instances(image, each) for image, each in zip((before, after), lines, strict=True)]
        place = f"lines {min(lines[0])} to {max(lines[0])} on {setting.board.id}"
        if len(found[0]) != len(found[1]):
            raise UserError(f"{place}: the result has other expansions; report this as an error")
        sides = []
        for expansions, flow in zip(found, flows, strict=True):
            # Expansions change places with the lines that call the macro.
            side: Counter[str] = Counter()
            for instance in expansions:
                steps = [step for step in instance.steps if step is not None]
                if len(steps) != len(instance.steps):
                    raise UserError(f"{place}: the result executes other instructions")
                names, values = summary(steps, flow.live(instance.end), setting.family)
                side[repr((sorted(names.items()), sorted(values.items())))] += 1
            sides.append(side)
        if sides[0] != sides[1]:
            raise UserError(
                f"{place}: the result does not compute the same; report this as an error"
            )


def check_outputs(setting: Setting, before: bytes, after: bytes, seed: int) -> None:
    """Raises `UserError` if a call with random buffers has another result or another memory.

    The result must also show no secret in its timing more often: all buffers count as secret.
    """
    generator = random.Random(seed)
    for call in setting.calls:
        targets = setting.target(before), setting.target(after)
        for _ in range(RANDOM_CALLS):
            requests = random_requests(call, generator)
            outcomes = [_outcome(target, call, requests) for target in targets]
            if outcomes[0] != outcomes[1]:
                raise UserError(
                    f"{call.call.function} on {setting.board.id}: the result differs for random "
                    "buffers; report this as an error"
                )
        leaks = [_leaks(setting, target, call) for target in targets]
        if leaks[1] - leaks[0]:
            raise UserError(
                f"{call.call.function} on {setting.board.id}: the result's time depends on its "
                "buffers more than before; report this as an error"
            )


def _outcome(target: Target, call: Call, requests: Sequence[Request]) -> tuple[str, bytes]:
    found = call_once(target, call.call, call.setup, target.lay_out(requests))
    if isinstance(found, Failure):
        return found.reason, b""
    return str(found.outcome.result), found.memory


def _leaks(setting: Setting, target: Target, call: Call) -> Counter[str]:
    """How often the time of a call, without its set-up, depends on a buffer, by kind."""
    target.reset()
    requests = call.requests()
    layout = target.lay_out(requests)
    failure = None
    if call.setup is not None:
        prepared = call_once(target, call.setup, None, layout)
        failure = prepared if isinstance(prepared, Failure) else None
        requests = [
            each._replace(content=target.read(layout.address(each.name), each.size))
            for each in requests
        ]
        layout = target.lay_out(requests)
    followed = failure or target.follow_secrets(
        call.call.function, call.call.values(layout), layout, list(layout.buffers)
    )
    if isinstance(followed, Failure):
        raise UserError(
            f"{call.call.function} on {setting.board.id}: whether its time depends on its buffers "
            f"cannot be checked ({followed.reason}); correct the call"
        )
    return Counter(str(leak.kind) for leak in followed for _ in range(leak.times))
