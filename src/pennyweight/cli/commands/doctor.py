"""`pennyweight doctor`."""

from __future__ import annotations

import platform
import re
import shutil
import sys
from typing import Any

import click

from pennyweight.cli.command import Command
from pennyweight.cli.output import (
    Column,
    format_option,
    print_csv,
    print_json,
    print_prose,
    print_table,
)

_COLUMNS = (
    Column("compiler", "compiler"),
    Column("state", "version", prose=True),
    Column("enables", "boards", prose=True),
)


_BROKEN = ("does not run", "is not a GNU compiler")
"""What `toolchains.missing` states about a compiler that was found but cannot be used."""


@click.command(
    "doctor",
    cls=Command,
    pages=True,
    examples=("pennyweight doctor", "pennyweight doctor --format json"),
)
@format_option
def command(form: str) -> None:
    """Check the installation: compilers found and missing, and how to install each.

    The exit status is 1 if nothing can be measured: no compiler is installed, or the simulators
    cannot be loaded.
    """
    from pennyweight import _simulator
    from pennyweight.api.installing import clang_row, compiler_rows
    from pennyweight.catalogue import load

    rows, without_simulators = compiler_rows(load()), _simulator.problem()
    if form == "json":
        print_json(rows)
    elif form == "csv":
        print_csv([{**row, "boards": " ".join(row["boards"])} for row in rows])
    else:
        _print_environment("missing" if without_simulators else _simulator.__version__)
        if without_simulators:
            print_prose(f"{without_simulators[:1].upper()}{without_simulators[1:]}.")
        click.echo()
        print_table([_shown(row) for row in rows], _COLUMNS)
        _print_clang(clang_row())
        _print_missing([row for row in rows if row["problem"]])
    if without_simulators and form != "table":
        click.echo(f"pennyweight: {without_simulators}.", err=True)
    if without_simulators or all(row["problem"] for row in rows):
        sys.exit(1)


def _print_environment(simulators: str) -> None:
    from pennyweight import cache
    from pennyweight.catalogue import overlay
    from pennyweight.catalogue.root import data_root
    from pennyweight.version import __version__

    folder = cache.folder()
    free = shutil.disk_usage(folder).free / 1e9
    python = platform.python_version()
    click.echo(f"pennyweight {__version__}, simulators {simulators}, Python {python}")
    click.echo(f"data   {data_root()}")
    own = overlay.folder()
    if own is not None:
        count = len(overlay.files(own))
        files = f"{count} file{'s' if count != 1 else ''}"
        click.echo(f"       with {files} from {own} ({overlay.VARIABLE})")
    click.echo(f"cache  {folder} ({free:.0f} GB free)")


def _shown(row: dict[str, Any]) -> dict[str, str]:
    problem = row["problem"] or ""
    broken = next((each for each in _BROKEN if each in problem), "missing")
    return {
        "compiler": row["compiler"],
        "state": broken if row["problem"] else _number(row["version"]),
        "enables": ", ".join(row["boards"]),
    }


def _number(version: str) -> str:
    """The number in a version line: `12.2.1` of ``avr-gcc (15:12.2.rel1-1) 12.2.1 20221205``."""
    found = re.findall(r"(?<![\w.:-])\d+(?:\.\d+)+(?![\w.-])", re.sub(r"\(.*?\)", "", version))
    return found[-1] if found else version


def _print_clang(row: dict[str, Any]) -> None:
    found = row["version"] or f"missing; `{row['install']}` installs it"
    click.echo()
    print_prose(f"For --compiler clang on Arm, AVR, MSP430 and RISC-V boards: {found}.")


def _print_missing(rows: list[dict[str, Any]]) -> None:
    if not rows:
        click.echo("\nAll compilers are installed.")
        return
    click.echo("\nTo install the missing compilers:")
    wide = max(len(row["install"]) for row in rows)
    for row in rows:
        count = len(row["boards"])
        click.echo(f"  {row['install']:{wide}}  # {count} board{'s' if count != 1 else ''}")
