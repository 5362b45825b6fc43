"""FELICS-AE's result files: code size, RAM and time of encrypting 16 bytes with 16 of header.

A file is JSON: `commit`, `branch` and `data`, a list with `cipher_name`, `architecture`, `version`,
`compiler_options`, `code_size`, `code_ram` (stack and data) and `code_time` (cycles) of each build.
The lengths are those of the framework's benchmark program (source/common/felics/main_bench.c).
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pennyweight import __version__
from pennyweight.catalogue import Catalogue
from pennyweight.catalogue.felics_ae import algorithm_named
from pennyweight.imports import REAL_BOARD, THEIRS, Imported
from pennyweight.model import JobResult, Measurement, Operation, Provenance, UserError
from pennyweight.store import ResultStore

ADDRESS = "https://gitlab.inria.fr/minier/felics-ae"

_FORMAT = 1
"""Raise when what is written changes."""

_LENGTH = 16
_LARGEST = 64 << 20

BOARDS = {
    "AVR": ("atmega128", "ATmega128 in simavr 1.6", f"{THEIRS}simavr 1.6"),
    "MSP": ("msp430f1611", "MSP430F1611 under mspdebug 0.25", f"{THEIRS}mspdebug 0.25"),
    "ARM": ("sam3x8e", "Arduino Due (Cortex-M3)", REAL_BOARD),
    "NRF52840": ("nrf52840", "nRF52840 (Cortex-M4)", REAL_BOARD),
}
"""The framework's architectures: the board of ours with that part, what it is, and what ran the
code (of which simulators, its documentation/setup.md says).
"""

_FIELDS = {
    "cipher_name": str,
    "architecture": str,
    "version": str,
    "compiler_options": str,
    "code_size": int,
    "code_time": int,
}


def import_felics(path: Path, catalogue: Catalogue, store: ResultStore) -> Iterator[Imported]:
    """Adds the rows of a result file, or of all in a folder's `results`. Raises `UserError`.

    Architectures of which no board is ours (a PC) are passed over.
    """
    files = result_files(path)
    rows = [
        (file, index, row) for file in files for index, row in enumerate(result_rows(file), start=1)
    ]
    if not any(row["architecture"] in BOARDS for _, _, row in rows):
        known = ", ".join(BOARDS)
        raise UserError(f"{path}: no result of an architecture that is a board here ({known})")
    store.prepare()
    builds: Counter[str] = Counter()
    for file, index, row in rows:
        if row["architecture"] in BOARDS:
            store.add(_result(file, index, row, catalogue))
            builds[row["architecture"]] += 1
    for architecture, count in builds.items():
        board, title, _ = BOARDS[architecture]
        yield Imported(board, title, count, count)


def result_files(path: Path) -> list[Path]:
    """The result files that a path means: itself, or all in a folder. Raises `UserError`."""
    if path.is_file():
        return [path]
    for folder in (path / "results", path):
        found = sorted(folder.glob("*.json")) if folder.is_dir() else []
        if found:
            return found
    raise UserError(
        f"{path}: no result file in it; give a .json of FELICS-AE, or its folder with 'results' "
        f"({ADDRESS})"
    )


def result_rows(path: Path) -> list[dict[str, Any]]:
    """The file's rows, each with the right fields. Raises `UserError`."""
    try:
        if path.stat().st_size > _LARGEST:
            raise UserError(f"{path}: larger than {_LARGEST >> 20} MB; give a result file")
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: is no result file of FELICS-AE ({error}); give one") from None
    data = content.get("data") if isinstance(content, dict) else None
    if not isinstance(data, list):
        raise UserError(f"{path}: has no list 'data'; give a result file of FELICS-AE")
    for index, row in enumerate(data, start=1):
        for name, kind in _FIELDS.items():
            value: Any = row.get(name) if isinstance(row, dict) else None
            negative = isinstance(value, int) and value < 0
            if type(value) is not kind or negative:
                what = "a text" if kind is str else "a number that is not negative"
                raise UserError(f"{path}: data[{index}].{name} is not {what}; correct it")
    return data


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
                ad=_LENGTH,
                m=_LENGTH,
                cycles=row["code_time"],
                flash=row["code_size"],
            )
        ],
        notes=[f"stack and static RAM: {row['code_ram']} bytes"] if "code_ram" in row else [],
    )
