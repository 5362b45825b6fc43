"""Keeps the boards of a study's earlier runs in its record, so that a report shows a real board
next to its simulation, whichever ran last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pennyweight.analysis.compilers import LABELLED_FLAGS
from pennyweight.campaign.plan import Plan
from pennyweight.catalogue.real_board import SUFFIX
from pennyweight.store import ResultStore
from pennyweight.store.reading import open_results

Record = dict[str, Any]


def with_earlier_boards(record: Record, plan: Plan, store: ResultStore) -> Record:
    """The record of a run of `plan`, with the boards of earlier runs whose rows are in the store.

    A run on a real board keeps all boards. A simulated run keeps the real ones of its boards: a
    simulated board that it lacks is no longer in the study.
    """
    earlier = next((each for each in store.campaigns() if each["id"] == record["id"]), {})
    measured = {each["id"] for each in record["boards"]}
    is_real = any(job.on for job in plan.jobs)

    def is_wanted(board: str) -> bool:
        twin = board.removesuffix(SUFFIX)
        return board not in measured and (
            is_real or (board != twin and (twin in measured or twin in plan.absent))
        )

    real = [each for each in earlier.get("real", []) if is_wanted(each["board"])]
    if real:
        keys = [key for each in real for key in each["jobs"]]
        record = {
            **record,
            "real": [*record["real"], *real],
            "jobs": list(dict.fromkeys([*record["jobs"], *keys])),
        }
    wanted = {each["id"] for each in earlier.get("boards", []) if is_wanted(each["id"])}
    planned = set(earlier.get("jobs", []))
    rows = [
        row
        for row in (_stored(store) if wanted else ())
        if row["board"] in wanted and row["job"] in planned
    ]
    kept = {row["board"] for row in rows}
    if not kept:
        return record
    flags = {row["flags"] for row in rows}
    algorithms = {row["algorithm"] for row in rows}
    builds = {(row["algorithm"], row["implementation"]) for row in rows}

    def joined(name: str, is_kept: Callable[[Any], bool]) -> list[Any]:
        """A list of the record, and the entries of the earlier record that belong to kept rows."""
        found = list(record[name])
        return [*found, *(e for e in earlier.get(name, []) if is_kept(e) and e not in found)]

    return {
        **record,
        "jobs": list(dict.fromkeys([*record["jobs"], *(row["job"] for row in rows)])),
        "flags": joined("flags", lambda each: each in flags),
        "boards": _side_by_side(joined("boards", lambda each: each["id"] in kept)),
        "absent": [each for each in record["absent"] if each["board"] not in kept],
        "compilers": joined("compilers", lambda each: each.get("board") in kept),
        "algorithms": joined("algorithms", lambda each: each["name"] in algorithms),
        "implementations": joined(
            "implementations", lambda each: (each["algorithm"], each["name"]) in builds
        ),
    }


def _stored(store: ResultStore) -> list[dict[str, Any]]:
    """The builds with a result."""
    with open_results(store, with_symbols=False) as results:
        found: list[dict[str, Any]] = results.query(
            f"SELECT DISTINCT job, board, algorithm, implementation, {LABELLED_FLAGS} AS flags "
            "FROM measurements WHERE NOT lost ORDER BY ALL"
        ).to_pylist()
    return found


def _side_by_side(boards: list[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Each real board after its simulation."""
    places = {board["id"]: place for place, board in enumerate(boards)}

    def place(board: Mapping[str, Any]) -> tuple[int, bool]:
        twin = board["id"].removesuffix(SUFFIX)
        return places.get(twin, places[board["id"]]), board["id"] != twin

    return sorted(boards, key=place)
