"""All one-shot measurements of a board in one file, for the pages that calculate: choice and maps.

A script, not JSON, because a page that is opened from disk may load only scripts.
"""

from __future__ import annotations

import json
from typing import Any

from pennyweight.analysis.advice import status_of
from pennyweight.analysis.facts import BoardFacts, masked_part
from pennyweight.model import Kind, Operation
from pennyweight.report.data import FIRST, SECOND, ReportData

ONE_SHOT: dict[Kind, list[Operation]] = {
    kind: [op for op in (FIRST[kind], SECOND.get(kind)) if op is not None] for kind in Kind
}
"""The operations of each kind that are compared as a whole."""

# Of the sources of random words, the one that `choose` uses: the part's generator, if there is one.
_ROWS = """
SELECT algorithm, implementation, flags, op, ad, m, cycles, stack, flash, ram, status, reason,
       random, random_words, random_wait_cycles
FROM rows WHERE board = $1 AND list_contains($2, op) AND (random IS NULL OR random = (
    SELECT coalesce(max(random), 'lfsr') FROM rows WHERE board = $1 AND random = 'trng'
))
ORDER BY algorithm, implementation, flags, op, ad, m
"""


def file_of(board: str) -> str:
    """The file's name in the folder `data`."""
    return f"{board}.board.js"


def board_script(data: ReportData, board: BoardFacts) -> str:
    """The file's text: a call with the board's facts, its lengths, and every build's figures at
    them.
    """
    text = json.dumps(_content(data, board), ensure_ascii=False, separators=(",", ":"))
    return f"pennyweightBoard({text});\n"


def _content(data: ReportData, board: BoardFacts) -> dict[str, Any]:
    """The data that the script passes.

    `pairs` are lengths (AD, message) in bytes; `sets` are lists of indices of pairs. In a build,
    `ops` has by operation the index of a set, then cycles and stack at each of its pairs. `drawn`
    of a masked build has random words and cycles of waiting for them. If cycles are null, `why` has
    the reason by operation and index of the pair.
    """
    ops = [op.value for own in ONE_SHOT.values() for op in own]
    rows = data.table(_ROWS, board.id, ops).to_pydict()
    pairs: dict[tuple[int, int], int] = {}
    sets: dict[tuple[int, ...], int] = {}
    builds: dict[tuple[str, str, str], dict[str, Any]] = {}
    points: dict[tuple[str, str, str], dict[str, tuple[list[Any], ...]]] = {}
    for (
        algorithm,
        implementation,
        flags,
        op,
        ad,
        m,
        cycles,
        stack,
        flash,
        ram,
        status,
        reason,
        random,
        words,
        waiting,
    ) in zip(*rows.values(), strict=True):
        key = (algorithm, implementation, flags)
        new = _build(data, *key)
        if random is not None and not new["shares"]:
            continue  # it cannot be compared without the number of its shares
        build = builds.setdefault(key, new)
        at = pairs.setdefault((ad, m), len(pairs))
        lists = points.setdefault(key, {}).setdefault(op, ([], [], [], [], []))
        for values, value in zip(lists, (at, cycles, stack, words, waiting), strict=True):
            values.append(value)
        if cycles is None:
            build["why"].setdefault(op, {})[at] = [status, reason]
        else:
            build["flash"], build["ram"] = flash, ram
    for key, by_op in points.items():
        builds[key]["ops"] = {
            op: [sets.setdefault(tuple(places), len(sets)), cycles, _short(stacks)]
            for op, (places, cycles, stacks, _, _) in by_op.items()
        }
        if builds[key]["shares"]:
            builds[key]["drawn"] = {
                op: [words, waiting] for op, (*_, words, waiting) in by_op.items()
            }
    return {
        "id": board.id,
        "title": board.title,
        "hz": board.hz,
        "current_ma": board.current_ma,
        "voltage_v": board.voltage_v,
        "pairs": [list(pair) for pair in pairs],
        "sets": [list(each) for each in sets],
        "builds": list(builds.values()),
    }


def _build(data: ReportData, algorithm: str, implementation: str, flags: str) -> dict[str, Any]:
    facts = data.implementations.get((algorithm, implementation))
    return {
        "algorithm": algorithm,
        "implementation": implementation,
        "flags": flags,
        "steady": None if facts is None else facts.constant_time,
        "shares": None if facts is None else facts.shares,
        "masked": None if facts is None else masked_part(implementation, facts.shares),
        "flash": None,
        "ram": None,
        "why": {},
    }


def _short(values: list[Any]) -> Any:
    """A single value if all are equal."""
    return values[0] if len(set(values)) == 1 else values


def algorithms_of(data: ReportData) -> dict[str, dict[str, Any]]:
    """The facts about algorithms that a choice needs."""
    return {
        name: {
            "title": facts.title,
            "kind": facts.kind,
            "status": status_of(facts),
            "attack": facts.attack,
            "attack_source": facts.attack_source,
            "tag": facts.tag,
            "digest": facts.digest,
        }
        for name, facts in sorted(data.algorithms.items())
    }
