"""A results folder as one table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa

from pennyweight.analysis.facts import BoardFacts, facts_from
from pennyweight.analysis.rows import with_rates
from pennyweight.store import ResultStore
from pennyweight.store.campaign_records import oldest_first
from pennyweight.store.reading import open_results, without_results

_ORDER = ("board", "algorithm", "implementation", "flags", "op", "ad", "m")


def read_results(store: ResultStore) -> pa.Table:
    """The newest row of each case of each build, with rates. Raises UserError if there is none."""
    with open_results(store) as results:
        rows = results.query("SELECT * FROM latest")
    if rows.num_rows == 0:
        raise without_results(store.folder, results.remarks)
    found = with_rates(rows, _boards(store.campaigns()))
    return found.sort_by([(key, "ascending") for key in _ORDER])


def _boards(campaigns: Iterable[Mapping[str, Any]]) -> list[BoardFacts]:
    """The boards in the records of campaigns, each once; the newest record counts."""
    found: dict[str, BoardFacts] = {}
    for campaign in oldest_first(campaigns):
        for values in campaign.get("boards", []):
            facts = facts_from(BoardFacts, values)
            found[facts.id] = facts
    return list(found.values())
