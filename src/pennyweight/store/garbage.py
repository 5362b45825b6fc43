"""Files of a results folder that nothing refers to."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from pennyweight.store.atomic import is_half_written
from pennyweight.store.folder import FOLDERS, ResultStore
from pennyweight.store.reading import open_results

_ABANDONED_AFTER_SECONDS = 3600
"""Seconds after which a file that is still being written counts as abandoned."""


@dataclass(frozen=True, slots=True)
class Garbage:
    """A file, the reason why it is not needed, and its bytes."""

    path: Path
    why: str
    bytes: int


def find_garbage(store: ResultStore) -> list[Garbage]:
    """The files that no campaign planned in its last run and no report would read.

    * a job's rows and symbols, if every row has a newer one, or belongs to sources, a board,
    firmware, a compiler or a simulator that is no longer the newest, and no campaign of this folder
    planned the job when it last ran;
    * the record of a lost job that has been done since; symbols without their job;
    * unfinished files of a process that died.
    """
    done = store.done()
    planned = {str(key) for campaign in store.campaigns() for key in campaign.get("jobs", [])}
    with open_results(store) as results:
        shown = set(results.query("SELECT DISTINCT job FROM latest").column("job").to_pylist())
        readable = set(
            results.query("SELECT DISTINCT job FROM measurements").column("job").to_pylist()
        )
    superseded = (done & readable) - planned - shown
    found = []
    for path in store.job_files():
        if path.stem in superseded:
            found.append(_garbage(path, "superseded"))
    for path in store.symbol_files():
        if path.stem in superseded:
            found.append(_garbage(path, "superseded"))
        elif path.stem not in done and _is_old(path):
            found.append(_garbage(path, "symbols of a missing job"))
    for path in store.lost_files(also_done=True):
        if path.stem in done:
            found.append(_garbage(path, "lost job, done since"))
    # Subfolders are not searched: the results may be in a folder with other files, such as a home
    # folder.
    for place in (store.folder, *(store.folder / name for name in FOLDERS)):
        for path in sorted(place.iterdir()) if place.is_dir() else ():
            if is_half_written(path.name) and path.is_file() and _is_old(path):
                found.append(_garbage(path, "partially written"))
    return found


def remove(store: ResultStore, garbage: list[Garbage]) -> None:
    """Deletes the files; ignores missing ones. Raises UserError if one cannot be deleted."""
    for each in garbage:
        store.delete_file(each.path)


def _garbage(path: Path, why: str) -> Garbage:
    return Garbage(path, why, path.stat().st_size)


def _is_old(path: Path) -> bool:
    return time.time() - path.stat().st_mtime > _ABANDONED_AFTER_SECONDS
