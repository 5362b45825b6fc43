"""The command line: `pennyweight COMMAND`.

Data goes to standard output, everything else to standard error. Exit status 0: success; 1: part of
the request failed (its rows are printed nevertheless); 2: the request itself was invalid, with one
sentence that explains why; 130: interrupted.
"""

from __future__ import annotations

import errno
import itertools
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import fill

import click

from pennyweight.cli.command import WITHOUT_PAGER
from pennyweight.cli.group import program
from pennyweight.cli.interruption import is_interruption
from pennyweight.cli.output import width
from pennyweight.model import UserError, printable

FAILED = 1
WRONG_USE = 2
INTERRUPTED = 130
_DEBUG = "--debug"
_NO_PAGER = "--no-pager"
_ENGINE = "--engine"
_FULL = (errno.ENOSPC, errno.EDQUOT)


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs a command and exits. Errors are printed as one sentence without a traceback."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    debug = _DEBUG in given
    try:
        _check_place()
        status = program.main(
            _engine_first([word for word in given if word not in (_DEBUG, _NO_PAGER)]),
            prog_name="pennyweight",
            obj=WITHOUT_PAGER if _NO_PAGER in given else None,
            standalone_mode=False,
        )
        sys.stdout.flush()
    except UserError as error:
        from pennyweight.catalogue.root import with_original_paths

        status = _complain(with_original_paths(str(error)), WRONG_USE)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        status = WRONG_USE
    except click.ClickException as error:
        status = _complain(_sentence(error), WRONG_USE)
    except (KeyboardInterrupt, click.Abort):
        status = _complain("interrupted.", INTERRUPTED)
    except BrokenPipeError:
        # The reader of the output is gone: print nothing, not even when Python flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = FAILED
    except Exception as error:
        if is_interruption(error):
            sys.exit(_complain("interrupted.", INTERRUPTED))
        if isinstance(error, OSError) and error.errno in _FULL and not debug:
            # The rest of the output does not fit either; Python would try again at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(_complain(f"{error.strerror}: free some space and run again.", FAILED))
        if debug:
            raise
        status = _complain(
            f"unexpected {type(error).__name__}: {_one_line(str(error))}; this is a bug in "
            f"Pennyweight: please report it with the output of {_DEBUG}.",
            FAILED,
        )
    sys.exit(status if isinstance(status, int) else 0)


def _check_place() -> None:
    """Raises `UserError` if the current folder was deleted, because no path resolves there."""
    try:
        Path.cwd()
    except FileNotFoundError:
        raise UserError(
            "the current folder was deleted: change to another folder and run again"
        ) from None


def _engine_first(words: list[str]) -> list[str]:
    """The words with `--engine` before the command: it may be given anywhere before `--`, as the
    flags may; of several, the last one counts.
    """
    first: list[str] = []
    others: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            others.append(word)
            break
        if word.partition("=")[0] != _ENGINE:
            others.append(word)
            continue
        value = [] if "=" in word else [*itertools.islice(rest, 1)]
        if "=" not in word and not value:
            return [word]  # which the parser refuses
        first += [word, *value]
    return [*first, *others, *rest]


def _complain(message: str, status: int) -> int:
    text = f"pennyweight: {printable(message)}"
    if sys.stderr is not None and sys.stderr.isatty():
        # A terminal would break words. Elsewhere, a sentence is one line that can be searched.
        text = fill(text, width(), break_long_words=False, break_on_hyphens=False)
    click.echo(text, err=True)
    return status


def _sentence(error: click.ClickException) -> str:
    """The message of an error from click, with a reference to the command's help."""
    message = _one_line(error.format_message())
    if isinstance(error, click.UsageError) and error.ctx is not None:
        return f"{message} See '{error.ctx.command_path} --help'."
    return message


def _one_line(text: str) -> str:
    return " ".join(text.split())
