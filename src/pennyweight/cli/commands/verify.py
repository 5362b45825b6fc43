"""`pennyweight verify`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from pennyweight.api.options import texts
from pennyweight.api.requests import VerifyRequest
from pennyweight.cli.command import Command
from pennyweight.cli.output import format_option, print_csv, print_json, print_prose
from pennyweight.cli.requests import asking
from pennyweight.model import UserError

if TYPE_CHECKING:
    from pennyweight.catalogue import Board
    from pennyweight.job import Level

_MANY = 100
"""Number of verifications from which their count is printed, as they take minutes."""


@click.command(
    "verify",
    cls=Command,
    pages=True,
    examples=(
        "pennyweight verify",
        "pennyweight verify ascon-aead128 --board atmega328p",
        "pennyweight verify ./my-cipher --board stm32f030 --flags -O3",
        "pennyweight verify --all",
    ),
)
@asking(VerifyRequest)
@click.option(
    "--all",
    "everything",
    is_flag=True,
    help="Verify every bundled implementation on every board whose compiler is installed, assembly "
    "only on cores that it is written for; skip unchanged ones that passed before; print the "
    "failures and the number that passed.",
)
@format_option
def command(request: VerifyRequest, everything: bool, form: str) -> int:
    """Verify implementations against known-answer tests; default: all, on all boards.

    Every known answer is encrypted and decrypted on the simulated part, or with --on on the
    connected one, and forgeries are tried. Guard zones around all buffers detect accesses outside
    them, on a connected part only writes. The exit status is 1 if a verification fails; boards that
    are skipped because another one is connected do not change it.
    """
    from pennyweight.api import measuring, progress
    from pennyweight.api.compilers import build_missing
    from pennyweight.api.listing import choose_implementations
    from pennyweight.catalogue import load

    catalogue = load()
    names, boards = texts(request.names, "names"), texts(request.boards, "boards")
    if everything and names:
        raise UserError(f"--all selects every implementation: remove '{names[0]}' or --all.")
    implementations = choose_implementations(catalogue, names)
    chosen = measuring.choose_boards(catalogue, boards)
    if boards and request.on is None:
        build_missing(chosen)
    if everything:
        chosen = _with_compiler(chosen)
    level: Level = "every" if everything else "full"
    planned = measuring.verify_jobs(request, implementations, chosen, level)
    if len(planned) >= _MANY and not everything:
        fewer = "" if names and boards else "; name implementations or a --board for fewer"
        click.echo(f"{len(planned):,} verifications{fewer}.", err=True)
    with progress("Verifying", in_logs=everything or len(planned) >= _MANY) as bar:
        rows = [
            measuring.verdict_of(finished)
            for finished in measuring.finish_in_order(planned, request.jobs, bar)
        ]
    if form == "json":
        print_json(rows)
    elif form == "csv":
        print_csv(rows)
    else:
        shown = [row for row in rows if row["status"] != "ok"] if everything else rows
        _print(shown)
        if everything:
            click.echo(f"{len(rows) - len(shown)} of {len(rows)} verifications passed.")
    return 0 if all(row["status"] == "ok" for row in rows) else 1


def _with_compiler(boards: Sequence[Board]) -> list[Board]:
    """The boards whose compiler is installed; the others are listed on standard error.

    Raises UserError if all compilers are missing.
    """
    from pennyweight.toolchains import missing

    lacks = {board.id: missing(board) for board in boards}
    for lack in filter(None, lacks.values()):
        click.echo(f"Skipped: {lack}.", err=True)
    found = [board for board in boards if lacks[board.id] is None]
    if not found:
        raise UserError(
            "no compiler is installed for any board: install the packages listed above."
        )
    return found


def _print(rows: Sequence[Mapping[str, str]]) -> None:
    """Prints one paragraph for all boards with the same result; for a failure, also for all
    implementations with it.
    """
    is_compared = len({(row["board"], row["compiler"]) for row in rows}) > len(
        {row["board"] for row in rows}
    )
    alike: dict[tuple[str, str, str], list[str]] = {}
    for row in rows:
        name = f"{row['algorithm']}/{row['implementation']}"
        found = alike.setdefault((name, row["status"], row["reason"] or row["verified"]), [])
        found.append(row["board"] + (f" ({row['compiler']})" if is_compared else ""))
    same: dict[tuple[str, str, tuple[str, ...], str], list[str]] = {}
    for (name, status, text), boards in alike.items():
        own = name if status == "ok" else ""
        same.setdefault((status, text, tuple(boards), own), []).append(name)
    for (status, text, where, _), names in same.items():
        print_prose(f"{', '.join(names)}: {status} on {', '.join(where)}")
        print_prose(text, "  ")
