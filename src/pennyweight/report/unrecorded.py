"""Facts of what no campaign's record tells of any more: those of the bundled files.

A study that ran again with other boards has a record without the earlier ones, whose rows are
still there. Of what is not bundled either, only the name and what its rows say is known.
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
from pennyweight.model import Kind


def unrecorded_boards(names: Iterable[str]) -> dict[str, BoardFacts]:
    """Facts of these boards, by name."""
    wanted = list(names)
    bundled = load().boards if wanted else {}
    return {
        name: board_facts(bundled[name]) if name in bundled else BoardFacts(name, name)
        for name in wanted
    }


def unrecorded_algorithms(
    names: Iterable[str], rows: pa.Table, kinds: dict[str, Kind]
) -> dict[str, AlgorithmFacts]:
    """Facts of these algorithms, by name.

    The kind of one that is not bundled is that of most of its operations in `rows`, by `kinds`.
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
    """Facts of those of these implementations (algorithm and name) that are bundled."""
    return [
        implementation_facts(each)
        for each in (load().implementations if ids else [])
        if (each.algorithm, each.name) in ids
    ]
