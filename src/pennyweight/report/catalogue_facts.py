"""Facts that no campaign's record contains, from the bundled files.

If a study ran again with other boards, its record lacks the earlier ones, whose rows still exist.
If they are not bundled either, only the name and the content of their rows is known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pyarrow as pa

from pennyweight.analysis.facts import (
    AlgorithmFacts,
    BoardFacts,
    ImplementationFacts,
    algorithm_facts,
    board_facts,
    implementation_facts,
)
from pennyweight.catalogue import load
from pennyweight.catalogue.real_board import as_real
from pennyweight.model import Kind


def unrecorded_boards(names: Iterable[str]) -> dict[str, BoardFacts]:
    """Facts of these boards, by name."""
    wanted = list(names)
    known = load().boards if wanted else {}
    known = known | {
        real.id: real for board in known.values() if (real := as_real(board, "")).id in wanted
    }
    return {
        name: board_facts(known[name]) if name in known else BoardFacts(name, name)
        for name in wanted
    }


def unrecorded_algorithms(
    names: Iterable[str], rows: pa.Table, kinds: dict[str, Kind]
) -> dict[str, AlgorithmFacts]:
    """Facts of these algorithms, by name.

    For algorithms that are not bundled, the kind is that of most of their operations in `rows`, by
    `kinds`.
    """
    wanted = list(names)
    bundled = load().algorithms if wanted else {}
    counts: dict[str, Counter[Kind]] = {}
    for each in rows.group_by(["algorithm", "op"]).aggregate([([], "count_all")]).to_pylist():
        own = counts.setdefault(each["algorithm"], Counter())
        own[kinds.get(each["op"], Kind.AEAD)] += each["count_all"]
    return {
        name: algorithm_facts(bundled[name])
        if name in bundled
        else AlgorithmFacts(name, name, kind=counts[name].most_common(1)[0][0].value)
        for name in wanted
    }


def unrecorded_implementations(ids: set[tuple[str, str]]) -> list[ImplementationFacts]:
    """Facts of the bundled ones among these implementations (algorithm and name)."""
    return [
        implementation_facts(each)
        for each in (load().implementations if ids else [])
        if (each.algorithm, each.name) in ids
    ]
