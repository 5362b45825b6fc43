"""Ranks algorithms for given lengths and limits, with the reason for each exclusion.

From measurements on one board, it selects the best build (implementation and flags) of each
algorithm within all limits, best first. For each algorithm without such a build, it gives the
reason in a sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from pennyweight.analysis.facts import (
    AlgorithmFacts,
    BoardFacts,
    ImplementationFacts,
    masked_part,
)
from pennyweight.analysis.rates import energy_uj, throughput, time_us

Aim = Literal["cycles", "flash", "ram", "stack"]

STATUSES = ("standard", "finalist", "other", "unknown", "round 2", "caesar", "broken", "withdrawn")
"""All statuses, as the catalogue writes them; `unknown`: the algorithm has no entry in it."""
RECOMMENDED = ("standard", "finalist", "other", "unknown")
"""The statuses that are ranked unless others are asked for."""

NOT_CHECKED = "not checked"

Builds = dict[tuple[str, str], list[Mapping[str, Any]]]
"""Rows by implementation and flags."""

_JOULES_PER_MAH_AND_VOLT = 3.6


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a choice; sizes in bytes, None for no limit.

    `ram` is static RAM, `stack` the high-water mark. `constant_time` excludes implementations with
    secret-dependent table lookups, and those that do not state it. Only algorithms of one of
    `statuses` are ranked. `protected` is an order of masking: only implementations with more shares
    are ranked; 0 for all.
    """

    flash: int | None = None
    ram: int | None = None
    stack: int | None = None
    tag: int | None = None
    constant_time: bool = False
    statuses: tuple[str, ...] = RECOMMENDED
    protected: int = 0


@dataclass(frozen=True, slots=True)
class Choice:
    """An algorithm's best build. Cycles are summed over the operations of one message."""

    algorithm: str
    title: str
    status: str
    attack: str
    """The best known attack, in a sentence; empty if none is recorded."""
    attack_source: str
    implementation: str
    flags: str
    cycles: int
    stack: int
    flash: int | None
    ram: int | None
    tag: int
    shares: int | None = None
    """The number of shares of a masked implementation; its order is one less."""
    masked: str | None = None
    """What it masks: all blocks, the ends only, or not stated."""
    leakage: str | None = None
    """What is documented on its leakage, or `NOT_CHECKED`; None without masks."""
    random_words: int | None = None
    """Random words of 32 bits for one message; None if the implementation uses none."""
    random_wait_cycles: int | None = None
    """Of `cycles`, those of waiting for them."""
    time_us: float | None = None
    bytes_per_second: float | None = None
    energy_uj_estimate: float | None = None
    messages_per_battery_estimate: int | None = None
    times_the_best: float | None = None
    """The value of the ranked metric, divided by that of the first in the ranking."""


@dataclass(frozen=True, slots=True)
class Exclusion:
    """An algorithm that is not in the ranking, with the reason."""

    algorithm: str
    reason: str
    status: str = ""
    """Its status, if that alone excludes it."""
    unprotected: bool = False
    """Whether it has no implementation of the order of masking that is asked for."""


def status_of(facts: AlgorithmFacts) -> str:
    """An algorithm's status: one of `STATUSES`."""
    return facts.status or "unknown"


def advise(
    rows: Iterable[Mapping[str, Any]],
    algorithms: Mapping[str, AlgorithmFacts],
    implementations: Mapping[tuple[str, str], ImplementationFacts],
    board: BoardFacts,
    limits: Limits,
    aim: Aim = "cycles",
    battery_mah: float | None = None,
) -> tuple[list[Choice], list[Exclusion]]:
    """The ranking and the exclusions, both in order.

    `rows` are measurements on `board`, all with the same lengths; all rows of a build must have
    been measured. `implementations` are by algorithm and name. A battery of `battery_mah` at the
    board's voltage gives the number of messages.
    """
    found: list[Choice] = []
    excluded: list[Exclusion] = []
    for name, own in _by_algorithm(rows).items():
        facts = algorithms.get(name, AlgorithmFacts(name, name))
        if status_of(facts) not in limits.statuses:
            excluded.append(by_status(facts))
            continue
        unfit = _unfit(facts, limits)
        if unfit:
            excluded.append(Exclusion(name, unfit))
            continue
        stated = {key: _stated(implementations, name, key[0]) for key in own}
        if limits.protected:
            own = {key: rows for key, rows in own.items() if is_masked(stated[key], limits)}
        if not own:
            excluded.append(by_order(name, limits.protected))
            continue
        for part in _parts(own, stated) if limits.protected else [own]:
            best = _best(facts, part, stated, board, limits, aim)
            if isinstance(best, Choice):
                found.append(best)
            else:
                excluded.append(best)
    found.sort(key=lambda each: _order(each, aim))
    return [_with_rates(each, found[0], aim, board, battery_mah) for each in found], sorted(
        excluded, key=lambda each: each.algorithm
    )


def _parts(own: Builds, stated: Mapping[tuple[str, str], ImplementationFacts]) -> list[Builds]:
    """Builds by the part that they mask: what costs more is not hidden by what masks less."""
    found: dict[str | None, Builds] = {}
    for key, rows in own.items():
        part = masked_part(key[0], stated[key].shares)
        found.setdefault(part, {})[key] = rows
    return list(found.values())


def _best(
    facts: AlgorithmFacts,
    own: Builds,
    stated: Mapping[tuple[str, str], ImplementationFacts],
    board: BoardFacts,
    limits: Limits,
    aim: Aim,
) -> Choice | Exclusion:
    """The best of an algorithm's builds within the limits, or the reason for its absence."""
    builds = [_build(facts, stated[key], each, board) for key, each in own.items()]
    whole = [each for each in builds if isinstance(each, Choice)]
    if not whole:
        reasons = [each for each in builds if isinstance(each, str)]
        return Exclusion(facts.name, reasons[0])
    faults = {
        each: _faults(each, stated[each.implementation, each.flags].constant_time, limits)
        for each in whole
    }
    kept = [each for each in whole if not faults[each]]
    if kept:
        return min(kept, key=lambda each: _order(each, aim))
    nearest = min(
        whole,
        key=lambda each: (len(faults[each]), _excess(each, limits), _order(each, aim)),
    )
    where = f"{nearest.implementation} {nearest.flags}"
    return Exclusion(facts.name, f"{where}, the closest build, {' and '.join(faults[nearest])}")


def _by_algorithm(rows: Iterable[Mapping[str, Any]]) -> dict[str, Builds]:
    found: dict[str, Builds] = {}
    for row in rows:
        builds = found.setdefault(row["algorithm"], {})
        builds.setdefault((row["implementation"], row["flags"]), []).append(row)
    return found


def by_status(facts: AlgorithmFacts) -> Exclusion:
    """An algorithm that is excluded because of its status."""
    status = status_of(facts)
    return Exclusion(facts.name, f"its status is {status}", status)


def by_order(algorithm: str, order: int) -> Exclusion:
    """An algorithm without an implementation that is masked at an order or a higher one."""
    reason = f"no implementation of it is masked at order {order} or more"
    return Exclusion(algorithm, reason, unprotected=True)


def is_masked(facts: ImplementationFacts, limits: Limits) -> bool:
    """Whether an implementation is masked at the order of the limits or a higher one."""
    return (facts.shares or 1) > limits.protected


def _stated(
    implementations: Mapping[tuple[str, str], ImplementationFacts], algorithm: str, name: str
) -> ImplementationFacts:
    """The facts about an implementation, empty without an entry."""
    return implementations.get((algorithm, name)) or ImplementationFacts(algorithm, name)


def _unfit(facts: AlgorithmFacts, limits: Limits) -> str:
    """Why an algorithm is excluded, whatever it costs; empty if it is not."""
    size = facts.tag or facts.digest
    if limits.tag is not None and size < limits.tag:
        return f"its tag has {size} bytes, less than {limits.tag}"
    return ""


def _build(
    facts: AlgorithmFacts,
    stated: ImplementationFacts,
    rows: list[Mapping[str, Any]],
    board: BoardFacts,
) -> Choice | str:
    """The costs of one build from its rows, or why it has none."""
    failed = next((row for row in rows if row["cycles"] is None), None)
    if failed is not None:
        where = f"{failed['implementation']} {failed['flags']}"
        return f"{where}: {failed['status']}" + (
            f", {failed['reason']}" if failed["reason"] else ""
        )
    first = rows[0]
    cycles = sum(row["cycles"] for row in rows)
    choice = Choice(
        algorithm=facts.name,
        title=facts.title,
        status=status_of(facts),
        attack=facts.attack,
        attack_source=facts.attack_source,
        implementation=first["implementation"],
        flags=first["flags"],
        cycles=cycles,
        stack=max(row["stack"] for row in rows),
        flash=first["flash"],
        ram=first["ram"],
        tag=facts.tag or facts.digest,
        shares=stated.shares,
        masked=masked_part(first["implementation"], stated.shares),
        leakage=(stated.leakage or NOT_CHECKED) if stated.shares else None,
        random_words=_sum(rows, "random_words"),
        random_wait_cycles=_sum(rows, "random_wait_cycles"),
    )
    rate = throughput(cycles, first["ad"], first["m"], board.hz)
    energy = energy_uj(cycles, board.hz, board.current_ma, board.voltage_v)
    return replace(
        choice,
        time_us=time_us(cycles, board.hz),
        bytes_per_second=rate,
        energy_uj_estimate=energy,
    )


def _sum(rows: list[Mapping[str, Any]], column: str) -> int | None:
    """The sum of a column; None if it has no values."""
    values = [row[column] for row in rows if row.get(column) is not None]
    return sum(values) if values else None


def _excess(build: Choice, limits: Limits) -> int:
    """The bytes by which a build exceeds the limits, in total."""
    needs = ((build.flash, limits.flash), (build.ram, limits.ram), (build.stack, limits.stack))
    return sum(max(0, (need or 0) - limit) for need, limit in needs if limit is not None)


def _faults(build: Choice, steady: bool | None, limits: Limits) -> list[str]:
    """The limits that a build exceeds, in words."""
    faults = []
    for what, need, limit in (
        ("flash", build.flash, limits.flash),
        ("static RAM", build.ram, limits.ram),
        ("stack", build.stack, limits.stack),
    ):
        if limit is not None and (need is None or need > limit):
            size = "an unknown number of" if need is None else f"{need:,}"
            faults.append(f"needs {size} bytes of {what}, more than the limit of {limit:,}")
    if limits.constant_time and not steady:
        faults.append(
            "is not constant-time" if steady is False else "is not known to be constant-time"
        )
    return faults


def _order(build: Choice, aim: Aim) -> tuple[Any, ...]:
    value = getattr(build, aim)
    return (
        value is None,
        value or 0,
        build.cycles,
        build.flash or 0,
        build.implementation,
        build.flags,
    )


def _with_rates(
    build: Choice, best: Choice, aim: Aim, board: BoardFacts, battery_mah: float | None
) -> Choice:
    least, own = getattr(best, aim), getattr(build, aim)
    energy = build.energy_uj_estimate
    messages = None
    if battery_mah is not None and energy and board.voltage_v:
        messages = int(battery_mah * board.voltage_v * _JOULES_PER_MAH_AND_VOLT * 1e6 / energy)
    return replace(
        build,
        messages_per_battery_estimate=messages,
        times_the_best=own / least if least and own is not None else None,
    )
