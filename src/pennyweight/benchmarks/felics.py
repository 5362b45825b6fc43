"""FELICS-AE's result files: code size, RAM and time to encrypt 16 bytes with 16 bytes of header.

A file is JSON: `commit`, `branch` and `data`, a list with `cipher_name`, `architecture`, `version`,
`compiler_options`, `code_size`, `code_ram` (stack and data) and `code_time` (cycles) of each build.
The lengths are those of the framework's benchmark program (source/common/felics/main_bench.c).
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pennyweight.benchmarks import EXTERNAL, REAL_BOARD
from pennyweight.model import UserError

ADDRESS = "https://gitlab.inria.fr/minier/felics-ae"

LENGTH = 16
"""Bytes of the message, and of the header."""

_LARGEST = 64 << 20

BOARDS = {
    "AVR": ("atmega128", "ATmega128 in simavr 1.6", f"{EXTERNAL}simavr 1.6"),
    "MSP": ("msp430f1611", "MSP430F1611 under mspdebug 0.25", f"{EXTERNAL}mspdebug 0.25"),
    "ARM": ("sam3x8e", "Arduino Due (Cortex-M3)", REAL_BOARD),
    "NRF52840": ("nrf52840", "nRF52840 (Cortex-M4)", REAL_BOARD),
}
"""The framework's architectures: the corresponding board, its description, and what ran the code
(for simulators, its documentation/setup.md states which).
"""

_FIELDS = {
    "cipher_name": str,
    "architecture": str,
    "version": str,
    "compiler_options": str,
    "code_size": int,
    "code_time": int,
}


def result_files(path: Path) -> list[Path]:
    """The result files of a path: itself, or all in a folder. Raises `UserError`."""
    if path.is_file():
        return [path]
    for folder in (path / "results", path):
        found = sorted(folder.glob("*.json")) if folder.is_dir() else []
        if found:
            return found
    raise UserError(
        f"{path}: no result file in it; use a .json of FELICS-AE, or its folder with 'results' "
        f"({ADDRESS})"
    )


def result_rows(path: Path) -> list[dict[str, Any]]:
    """The file's rows, each with valid fields. Raises `UserError`."""
    try:
        if path.stat().st_size > _LARGEST:
            raise UserError(f"{path}: larger than {_LARGEST >> 20} MB; use a result file")
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UserError(f"{path}: is not a result file of FELICS-AE ({error}); use one") from None
    data = content.get("data") if isinstance(content, dict) else None
    if not isinstance(data, list):
        raise UserError(f"{path}: has no list 'data'; use a result file of FELICS-AE")
    for index, row in enumerate(data, start=1):
        for name, kind in _FIELDS.items():
            value: Any = row.get(name) if isinstance(row, dict) else None
            negative = isinstance(value, int) and value < 0
            if type(value) is not kind or negative:
                what = "a string" if kind is str else "a non-negative number"
                raise UserError(f"{path}: data[{index}].{name} is not {what}; correct it")
    return data
