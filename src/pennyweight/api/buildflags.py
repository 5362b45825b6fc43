"""The compiler flags of a request: given in words, or by a file."""

from __future__ import annotations

from pathlib import Path

from pennyweight.api.options import DEFAULT_FLAGS, Words, some
from pennyweight.model import UserError
from pennyweight.paths import expand_user
from pennyweight.tuning.flagfile import read_flags


def all_flags(flags: Words, source: str | Path | None) -> list[str]:
    """The flags of each build: those in the file `source`, after those of `flags` unless these are
    the default. Raises `UserError`.
    """
    given = some(flags, "flags")
    if source is None:
        return given
    read = read_flags(expand_user(source))
    return read if given == [DEFAULT_FLAGS] else [*given, *read]


def one_build(flags: str, source: str | Path | None) -> str:
    """The flags of the only build. Raises `UserError` if there are several."""
    found = all_flags(flags, source)
    if len(found) > 1:
        raise UserError(
            f"--flags-from: {source} and --flags give {len(found)} builds; this command takes one: "
            "give a file with one line, without --flags"
        )
    return found[0]
