"""Checks where a report may be written."""

from __future__ import annotations

from pathlib import Path

from pennyweight.model import UserError

MARKER = ".pennyweight-report"
"""A file that marks a folder as a report, which a newer one may replace."""


def check_output_folder(output: Path) -> None:
    """Raises UserError unless `output` is a report, an empty folder, or missing."""
    if output.is_dir():
        if any(output.iterdir()) and not (output / MARKER).is_file():
            raise UserError(
                f"{output}: this folder contains other files than a report; use an empty or new "
                "folder."
            )
    elif output.exists():
        raise UserError(f"{output}: this is a file; use the name of a folder.")
