"""Checks where a report may be written, and replaces an earlier one by a complete new one."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from pennyweight.model import UserError
from pennyweight.store.atomic import explain, make_folder

MARKER = ".pennyweight-report"
"""A file that marks a folder as a report, which a newer one may replace."""


def check_output_folder(output: Path) -> None:
    """Raises UserError unless `output` is a report, an empty folder, or missing."""
    if output.is_dir():
        if any(output.iterdir()) and not (output / MARKER).is_file():
            raise UserError(
                f"{output}: this folder contains files that do not belong to a report; use an "
                "empty or new folder."
            )
    elif output.exists():
        raise UserError(f"{output}: this is a file; use the name of a folder.")


@contextlib.contextmanager
def replacing(output: Path) -> Iterator[Path]:
    """The path of a folder to create, which replaces `output` at the end.

    If anything fails, `output` stays unchanged. Raises UserError if a folder cannot be written.
    """
    above = output.absolute().parent
    make_folder(above)
    try:
        with tempfile.TemporaryDirectory(
            dir=above, prefix=f".{output.name}.", suffix=".new"
        ) as temporary:
            made = Path(temporary) / "report"
            yield made
            if output.exists():
                output.rename(Path(temporary) / "old")
            made.rename(output)
    except OSError as error:
        raise UserError(f"{output}: cannot write the report; {explain(error)}.") from error
