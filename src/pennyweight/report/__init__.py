"""The report: a folder of HTML pages that open from disk, offline.

`data` reads the results; `builds` and `pages` define the content; `figures` and `charts` draw;
`templates` and `assets` define the layout; `site` writes everything; `freshness` detects whether
that is needed.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pennyweight.progress import Progress
    from pennyweight.store import ResultStore

__all__ = ["write_report"]


def write_report(store: ResultStore, output: Path, progress: Progress | None = None) -> Path:
    """Writes the report of `store` to the folder `output`; returns its first page.

    An existing report that is up to date is left unchanged. Otherwise the folder is written next to
    its final location and renamed at the end, so that a report is always complete. Raises UserError
    if there are no results, or if `output` is not a report or cannot be written.
    """
    from pennyweight.report.freshness import is_current, state_of
    from pennyweight.report.output_folder import check_output_folder

    check_output_folder(output)
    state = state_of(store)
    if not is_current(output, state):
        from pennyweight.report.site import write_site

        write_site(store, output, state, progress)
    return output / "index.html"
