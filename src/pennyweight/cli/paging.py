"""Long output on a terminal goes through the user's pager, as in git."""

from __future__ import annotations

import contextlib
import io
import os
import shlex
import shutil
import sys
from collections.abc import Iterator

import click

from pennyweight.model import UserError

VARIABLES = ("PENNYWEIGHT_PAGER", "PAGER")
"""Environment variables with the pager's command, the first that is set; empty: no pager."""

_DEFAULT = "less"
_LESS = "FRX"
"""Options of `less` unless the user has set `LESS`: quit if the text fits on the screen, keep
colours, leave the text on the screen.
"""


class Collected(io.StringIO):
    """Output that is printed when the command has ended."""


def is_collecting() -> bool:
    """Whether output is printed when the command has ended."""
    return isinstance(sys.stdout, Collected)


@contextlib.contextmanager
def paging() -> Iterator[None]:
    """Collects standard output, then prints it, with the pager if it is longer than the screen.

    Does nothing if standard output is not a terminal, or there is no pager. Whatever was printed
    before an error is printed without the pager. Raises UserError if the pager's command is
    invalid.
    """
    command = _pager() if sys.stdout.isatty() and sys.stdin.isatty() else ""
    if not command:
        yield
        return
    collected = Collected()
    ended = False
    try:
        with contextlib.redirect_stdout(collected):
            yield
        ended = True
    except (click.exceptions.Exit, SystemExit):
        ended = True
        raise
    finally:
        text = collected.getvalue()
        if ended and _is_longer_than_screen(text):
            _page(text, command)
        else:
            sys.stdout.write(text)


def _pager() -> str:
    """The pager's command; empty if the user wants none."""
    name = next((name for name in VARIABLES if name in os.environ), None)
    command = _DEFAULT if name is None else os.environ[name].strip()
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise UserError(
            f"{name}: '{command}' is not a command ({error}); set it to a pager such as less, or "
            "use --no-pager"
        ) from None
    return "" if words in ([], ["cat"]) else command


def _is_longer_than_screen(text: str) -> bool:
    columns, lines = shutil.get_terminal_size()
    rows = sum(max(1, -(-len(line) // columns)) for line in text.splitlines())
    return rows >= lines


def _page(text: str, command: str) -> None:
    """Shows the text with the pager. Quitting it early is not an error."""
    given = {name: os.environ.get(name) for name in ("PAGER", "LESS")}
    os.environ["PAGER"] = command
    os.environ.setdefault("LESS", _LESS)
    try:
        # Ctrl-C is a key of the pager, which ends when the user quits it.
        with contextlib.suppress(KeyboardInterrupt):
            click.echo_via_pager(text)
    finally:
        for name, value in given.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
