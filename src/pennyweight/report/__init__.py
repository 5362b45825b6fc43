"""The report: a folder of pages that opens from disk, offline.

`data` reads the results, `builds` and `pages` decide what is said, `figures` and `charts` what is
drawn, `templates` and `assets` how it looks; `site` writes it all, `freshness` tells whether that
is needed.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pennyweight.progress import Progress
    from pennyweight.store import ResultStore

__all__ = ["write_report"]


def write_report(store: ResultStore, output: Path, progress: Progress | None = None) -> Path:
    """Writes the report of `store` to the folder `output`; gives its first page.

    A report that is there already and still right is left as it is. Else the folder is made
    beside its final place and takes it at the end, so that a report is there whole or as it was.
    UserError if there are no results, or if `output` is something else than a report, or cannot
    be written.
    """
    from pennyweight.report.freshness import is_current, state_of
    from pennyweight.report.output_folder import check_output_folder

    check_output_folder(output)
    state = state_of(store)
    if not is_current(output, state):
        from pennyweight.report.site import write_site

        write_site(store, output, state, progress)
    return output / "index.html"
