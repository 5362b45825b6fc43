"""FELICS-AE's result files as results: cycles and code size of one case of each build."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pennyweight.benchmarks.felics import ADDRESS, BOARDS, LENGTH, result_files, result_rows
from pennyweight.catalogue import Catalogue
from pennyweight.catalogue.felics_ae import algorithm_named
from pennyweight.imports import Imported
from pennyweight.model import JobResult, Measurement, Operation, Provenance, UserError
from pennyweight.store import ResultStore
from pennyweight.version import __version__

_FORMAT = 2
"""Increased when the written rows change."""


def import_felics(path: Path, catalogue: Catalogue, store: ResultStore) -> Iterator[Imported]:
    """Adds the rows of a result file, or of all in a folder's `results`. Raises `UserError`.

    Architectures without a simulated board (a PC) are skipped.
    """
    files = result_files(path)
    rows = [
        (file, index, row) for file in files for index, row in enumerate(result_rows(file), start=1)
    ]
    if not any(row["architecture"] in BOARDS for _, _, row in rows):
        known = ", ".join(BOARDS)
        raise UserError(f"{path}: no result of a supported architecture; supported are {known}")
    store.prepare()
    builds: Counter[str] = Counter()
    for file, index, row in rows:
        if row["architecture"] in BOARDS:
            store.add(_result(file, index, row, catalogue))
            builds[row["architecture"]] += 1
    for architecture, count in builds.items():
        board, title, _ = BOARDS[architecture]
        yield Imported(board, title, count, count)


def _result(path: Path, index: int, row: dict[str, Any], catalogue: Catalogue) -> JobResult:
    board, title, runs_in = BOARDS[row["architecture"]]
    known = algorithm_named(row["cipher_name"], catalogue.algorithms)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    source = f"{path.name} (SHA-256 {digest}…), entry {index}"
    key = f"{_FORMAT} {source} {json.dumps(row, sort_keys=True)}"
    return JobResult(
        provenance=Provenance(
            job=hashlib.sha256(key.encode()).hexdigest(),
            sources_sha256="",
            board_sha256="",
            firmware_sha256="",
            compiler="",
            compiler_version="",
            compiler_sha256="",
            simulator_version=runs_in,
            pennyweight_version=__version__,
            verified=f"measured by FELICS-AE on {title}: {ADDRESS}, {source}",
        ),
        measurements=[
            Measurement(
                algorithm=known.name if known else row["cipher_name"].casefold(),
                implementation=row["version"],
                board=board,
                flags=row["compiler_options"],
                op=Operation.ENC.value,
                ad=LENGTH,
                m=LENGTH,
                cycles=row["code_time"],
                flash=row["code_size"],
            )
        ],
        notes=[f"stack and static RAM: {row['code_ram']} bytes"] if "code_ram" in row else [],
    )
