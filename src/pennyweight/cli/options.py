"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from pennyweight.model import UserError

F = TypeVar("F", bound=Callable[..., Any])


def board_option(required: bool) -> Callable[[F], F]:
    """``--board B[,B...]``, also given several times; arrives as `boards`."""
    return click.option(
        "--board",
        "boards",
        required=required,
        multiple=True,
        metavar="B[,B...]",
        callback=_split,
        help="Boards, by name or by the path of a board file." + ("" if required else " [all]"),
    )


def flags_option(multiple: bool) -> Callable[[F], F]:
    """``--flags "-O2"``; where several are allowed, each is a build of its own."""
    more = " Give it again for one more build." if multiple else ""
    return click.option(
        "--flags",
        default=("-O2",) if multiple else "-O2",
        multiple=multiple,
        show_default=True,
        metavar='"FLAG..."',
        help=f"Compiler flags, in quotes if there are several.{more}",
    )


def jobs_option(function: F) -> F:
    """``--jobs N``."""
    return click.option(
        "--jobs",
        type=int,
        callback=positive,
        metavar="N",
        help="Processes to work with. [all cores]",
    )(function)


def results_option(function: F) -> F:
    """``--results DIR``."""
    return click.option(
        "--results",
        default="results",
        show_default=True,
        metavar="DIR",
        help="The folder of the results, or an address such as s3://bucket/results.",
    )(function)


def positive(_: click.Context, parameter: click.Parameter, value: int | None) -> int | None:
    """The value of an option that counts something, if it is given."""
    if value is not None and value < 1:
        raise UserError(f"{parameter.opts[0]}: {value} is less than 1; give a positive number.")
    return value


def _split(
    _: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    names = [name.strip() for value in values for name in value.split(",")]
    if not all(names):
        raise UserError(f"{parameter.opts[0]}: a name between two commas is empty; leave one out.")
    return tuple(dict.fromkeys(names))
