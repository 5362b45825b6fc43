"""The command line: `pennyweight COMMAND`.

Data goes to standard output, everything else to standard error. Exit status 0: all went well;
1: something that was asked for failed (its rows are printed all the same); 2: the request itself
was wrong, said in one sentence; 130: interrupted.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from pennyweight.cli.group import program
from pennyweight.cli.interruption import is_interruption
from pennyweight.model import UserError, printable

FAILED = 1
WRONG_USE = 2
INTERRUPTED = 130
_DEBUG = "--debug"
_FULL = (errno.ENOSPC, errno.EDQUOT)


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs a command and ends the process; no error of ours or the user's shows a traceback."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    debug = _DEBUG in given
    try:
        _check_place()
        status = program.main(
            [word for word in given if word != _DEBUG],
            prog_name="pennyweight",
            standalone_mode=False,
        )
        sys.stdout.flush()
    except UserError as error:
        status = _complain(str(error), WRONG_USE)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        status = WRONG_USE
    except click.ClickException as error:
        status = _complain(_sentence(error), WRONG_USE)
    except (KeyboardInterrupt, click.Abort):
        status = _complain("interrupted.", INTERRUPTED)
    except BrokenPipeError:
        # Whoever read our output has gone: say nothing, also not when Python flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = FAILED
    except Exception as error:
        if is_interruption(error):
            sys.exit(_complain("interrupted.", INTERRUPTED))
        if isinstance(error, OSError) and error.errno in _FULL and not debug:
            # What is left of the output has no place either: Python would try again at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(_complain(f"{error.strerror}: make room, and run again.", FAILED))
        if debug:
            raise
        status = _complain(
            f"unexpected {type(error).__name__}: {_one_line(str(error))}; this is a fault of "
            f"Pennyweight, please report it with what {_DEBUG} shows.",
            FAILED,
        )
    sys.exit(status if isinstance(status, int) else 0)


def _check_place() -> None:
    """Raises `UserError` in a folder that was deleted: no path is seen from there."""
    try:
        Path.cwd()
    except FileNotFoundError:
        raise UserError(
            "the current folder was deleted: change to another one, as by cd, and run again"
        ) from None


def _complain(message: str, status: int) -> int:
    click.echo(f"pennyweight: {printable(message)}", err=True)
    return status


def _sentence(error: click.ClickException) -> str:
    """What click has to say, with the help that fits the command."""
    message = _one_line(error.format_message())
    if isinstance(error, click.UsageError) and error.ctx is not None:
        return f"{message} See '{error.ctx.command_path} --help'."
    return message


def _one_line(text: str) -> str:
    return " ".join(text.split())
