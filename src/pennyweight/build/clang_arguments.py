"""The arguments of Clang for a source: the board's flags, translated, and header folders."""

from __future__ import annotations

from pathlib import Path

from pennyweight.toolchains import Toolchain
from pennyweight.toolchains.clang import library_folders, own_headers, translated


def clang_arguments(
    toolchain: Toolchain, flags: tuple[str, ...], firmware: Path
) -> tuple[str, ...]:
    """The flags of a board and a user for Clang, which uses the C library's headers of the board's
    GNU toolchain; `firmware` is the data folder's.
    """
    after, before = own_headers(firmware)
    folders = (before, *library_headers(toolchain, flags, firmware), after)
    return (
        *translated(toolchain.family, toolchain.driver, flags),
        *(f"-isystem{folder}" for folder in folders),
    )


def library_headers(
    toolchain: Toolchain, flags: tuple[str, ...], firmware: Path
) -> tuple[Path, ...]:
    """The folders of the C library's headers: Pennyweight's if the toolchain has none."""
    ours = toolchain.family.library_headers(firmware)
    return (*ours, *library_folders(toolchain.driver, flags))
