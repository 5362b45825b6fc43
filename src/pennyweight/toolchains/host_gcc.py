"""The host's gcc: for sanitizer builds and fuzzing only, never for measurements."""

from __future__ import annotations

import shutil
from pathlib import Path

from pennyweight.catalogue.boards import Board
from pennyweight.model import UserError
from pennyweight.toolchains.base import Family


class HostGcc(Family):
    """GNU C for the machine that this runs on."""

    name = "host-gcc"
    firmware = ""
    hint = "`apt-get install gcc libc6-dev`"

    def locate(self) -> Path | None:
        """The one on PATH."""
        found = shutil.which("gcc")
        return Path(found) if found else None

    def link_arguments(self, board: Board, firmware: Path) -> list[str]:
        """There is no board to link for: always a `UserError`."""
        raise UserError(
            f"{board.path}: field 'compiler.toolchain': '{self.name}' builds for no board; "
            "name the part's own compiler"
        )

    def libraries(self) -> tuple[str, ...]:
        """None that a measurement would depend on."""
        return ()
