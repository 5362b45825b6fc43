"""What a user asks for: one value for each command, shared by the command line and Python.

A field is an option: its name in Python, its name on the command line, its default and the sentence
of ``--help`` are here and nowhere else. :func:`taking` makes a function of Python with a request's
fields as parameters, :func:`pennyweight.cli.requests.asking` a command with its options.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from pennyweight.job import DEFAULT_BUDGET, Level
from pennyweight.model import Kind, UserError

Names = str | Path | Iterable[str | Path]
Lengths = str | Sequence[tuple[int, int]]
Words = str | Sequence[str]

DEFAULT_FLAGS = "-O2"
"""What most firmware is built with."""

AIMS = ("speed", "flash", "ram", "stack")
"""What `choose` can rank by."""

P = ParamSpec("P")
Q = TypeVar("Q")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Option:
    """How a field is given on the command line.

    `switches` are its names there, none for an argument; `form` says how its text is read: `text`,
    `names` (several, with commas), `texts` (given several times), `length` and `size` in bytes,
    `count` (1 or more), `number`, `flag`, or one of `choices`. `default` takes the place of the
    field's where that is an empty one.
    """

    switches: tuple[str, ...] = ()
    help: str = ""
    metavar: str | None = None
    form: str = "text"
    choices: tuple[str, ...] = ()
    required: bool = False
    shows_default: bool = False


def _argument(metavar: str, required: bool = True, form: str = "names") -> dict[str, Option]:
    return {"option": Option(metavar=metavar, required=required, form=form)}


def _option(*switches: str, help: str, **more: Any) -> dict[str, Option]:
    return {"option": Option(switches, help, **more)}


BOARDS = Option(
    ("--board",), "Boards, by name or by the path of a board file.", "B[,B...]", "names"
)
ONE_BUILD = Option(
    ("--flags",),
    "Compiler flags, in quotes if there are several.",
    '"FLAG..."',
    shows_default=True,
)
BUILDS = Option(
    ("--flags",),
    f"{ONE_BUILD.help} Give it again for one more build.",
    ONE_BUILD.metavar,
    "texts",
    shows_default=True,
)
BUDGET = Option(
    ("--budget",), f"Give up a call after so many cycles. [{DEFAULT_BUDGET:,}]", "CYCLES", "count"
)
JOBS = Option(("--jobs",), "Processes to work with. [all cores]", "N", "count")
RESULTS = Option(
    ("--results",),
    "The folder of the results, or an address such as s3://bucket/results.",
    "DIR",
    shows_default=True,
)


def _boards(required: bool) -> dict[str, Option]:
    text = BOARDS.help if required else f"{BOARDS.help} [all]"
    return {"option": Option(BOARDS.switches, text, BOARDS.metavar, "names", required=required)}


@dataclass(frozen=True)
class MeasureRequest:
    """Measures implementations on boards: one row for each case.

    `names` as for :func:`implementations`; `boards` are names or paths of board files. `lengths`
    are pairs of associated data and message in bytes, as text ``"16:64,16:0-256/4"`` or as
    tuples; a hash takes the second only, and a number alone in a text is that. Each of `flags` is
    a build. `op` is ``"enc"``, ``"dec"``, ``"hash"`` or several with commas, all of the kind
    unless given; `parts` adds the incremental functions. `verify` is ``"full"``, ``"quick"`` or
    ``"none"``: which known answers are run first; True and False are full and none. `budget` is
    in cycles a call, 200 million unless given; `jobs` the number of processes, all cores unless
    given.
    """

    names: Names = field(metadata=_argument("PATH_OR_NAME..."))
    boards: Names = field(metadata=_boards(required=True))
    lengths: Lengths = field(
        default="16:64",
        kw_only=True,
        metadata=_option(
            "--lengths",
            help="Bytes of associated data and message; 16:0-256/4 is a range, a number alone the "
            "message.",
            metavar="[AD:]M[,...]",
            shows_default=True,
        ),
    )
    flags: Words = field(default=DEFAULT_FLAGS, kw_only=True, metadata={"option": BUILDS})
    op: Words | None = field(
        default=None,
        kw_only=True,
        metadata=_option(
            "--op",
            help="What to call: enc, dec, hash, auth, auth-verify. [all that the kind of algorithm "
            "has]",
            metavar="OP[,OP...]",
        ),
    )
    parts: bool = field(
        default=False,
        kw_only=True,
        metadata=_option("--parts", help="Also the functions of the incremental API.", form="flag"),
    )
    verify: bool | Level = field(
        default="full",
        kw_only=True,
        metadata=_option(
            "--verify",
            help="Run all known answers first, a spread of 33, or none.",
            choices=("full", "quick", "none"),
            shows_default=True,
        ),
    )
    budget: int | None = field(default=None, kw_only=True, metadata={"option": BUDGET})
    jobs: int | None = field(default=None, kw_only=True, metadata={"option": JOBS})


@dataclass(frozen=True)
class VerifyRequest:
    """Proves implementations right on boards: one row for each implementation and board.

    Every known answer is run on the simulated part, forgeries are tried, buffers are guarded.
    `status` is ``"ok"`` or what went wrong, `reason` the details, `verified` what passed. Without
    `names` all bundled implementations, without `boards` all bundled boards.
    """

    names: Names = field(default=(), metadata=_argument("[PATH_OR_NAME]...", required=False))
    boards: Names = field(default=(), metadata=_boards(required=False))
    flags: str = field(default=DEFAULT_FLAGS, kw_only=True, metadata={"option": ONE_BUILD})
    jobs: int | None = field(default=None, kw_only=True, metadata={"option": JOBS})


@dataclass(frozen=True)
class RunRequest:
    """Runs a study: what its jobs measure is stored in the folder `results`.

    `study` is a name or the path of a TOML file; `quick` measures the subset of its table
    [quick] only. Jobs that are stored already are not done again. With `report`, the report is
    written to that folder afterwards. `jobs` is the number of processes, all cores unless given.
    `dask` is the address of a Dask scheduler (``tcp://host:8786``), a cluster object or a client:
    its workers do the jobs then.
    """

    study: str | Path = field(
        default="default",
        metadata=_option(
            "--study",
            help="A study by name (default, everything, one-euro, ao-ae, felics-aead, nist-lwc, "
            "chachapoly-units), or your own as the path of a TOML file.",
            metavar="NAME|FILE",
            shows_default=True,
        ),
    )
    results: str | Path = field(default="results", metadata={"option": RESULTS})
    report: str | Path | None = field(
        default=None,
        metadata=_option("--report", help="Write the report there afterwards.", metavar="DIR"),
    )
    jobs: int | None = field(default=None, metadata={"option": JOBS})
    quick: bool = field(
        default=False,
        metadata=_option(
            "--quick", help="Only the subset that the study's table [quick] names.", form="flag"
        ),
    )
    dask: Any = field(
        default=None,
        metadata=_option(
            "--dask",
            help="Do the jobs on the workers of this Dask scheduler, such as tcp://host:8786.",
            metavar="ADDRESS",
        ),
    )


@dataclass(frozen=True)
class ChooseRequest:
    """The ranking for your own traffic and limits on a board.

    Lengths and limits are in bytes, `battery` in mAh; `by` is ``"speed"``, ``"flash"``, ``"ram"``
    or ``"stack"``. One row for each algorithm, the best first; those that keep no limit stand at
    the end, without a `rank` and with the reason in `excluded`. The first time measures.
    """

    board: str | Path = field(
        metadata=_option(
            "--board", help="A board, or the path of a board file.", metavar="B", required=True
        )
    )
    message: int = field(
        default=64,
        metadata=_option("--message", help="Bytes to send.", form="length", shows_default=True),
    )
    ad: int = field(
        default=0,
        metadata=_option(
            "--ad", help="Bytes only authenticated.", form="length", shows_default=True
        ),
    )
    names: Names = field(default=(), kw_only=True, metadata=_argument("[NAME...]", required=False))
    kind: str = field(
        default=Kind.AEAD.value,
        kw_only=True,
        metadata=_option(
            "--kind",
            help="",
            choices=tuple(each.value for each in Kind),
            shows_default=True,
        ),
    )
    op: Words | None = field(
        default=None,
        kw_only=True,
        metadata=_option(
            "--op",
            help="What counts; several are added. [the first of its kind]",
            metavar="enc,dec",
        ),
    )
    flags: Words = field(default=DEFAULT_FLAGS, kw_only=True, metadata={"option": BUILDS})
    max_flash: int | None = field(
        default=None,
        kw_only=True,
        metadata=_option(
            "--max-flash", help="As 4096 or 4k; both directions.", metavar="BYTES", form="size"
        ),
    )
    max_ram: int | None = field(
        default=None,
        kw_only=True,
        metadata=_option(
            "--max-ram", help="Static RAM, without the stack.", metavar="BYTES", form="size"
        ),
    )
    max_stack: int | None = field(
        default=None,
        kw_only=True,
        metadata=_option(
            "--max-stack", help="High-water mark of the stack.", metavar="BYTES", form="size"
        ),
    )
    min_tag: int | None = field(
        default=None,
        kw_only=True,
        metadata=_option(
            "--min-tag", help="Tag, or digest of a hash.", metavar="BYTES", form="size"
        ),
    )
    standard_only: bool = field(
        default=False,
        kw_only=True,
        metadata=_option(
            "--standard-only", help="Only what a standards body has published.", form="flag"
        ),
    )
    constant_time: bool = field(
        default=False,
        kw_only=True,
        metadata=_option(
            "--constant-time", help="Nothing that looks up tables by secrets.", form="flag"
        ),
    )
    by: str = field(
        default=AIMS[0],
        kw_only=True,
        metadata=_option("--by", help="What to rank by.", choices=AIMS, shows_default=True),
    )
    battery: float | None = field(
        default=None,
        kw_only=True,
        metadata=_option(
            "--battery",
            help="Messages from a battery of so many mAh, estimated.",
            metavar="MAH",
            form="number",
        ),
    )
    jobs: int | None = field(default=None, kw_only=True, metadata={"option": JOBS})


@dataclass(frozen=True)
class CompareRequest:
    """Two sets of measurements side by side.

    `a` and `b` are results folders, files that ``measure`` printed, or ``published:NAME``; of
    their rows only those count that `a_only` and `b_only` describe, such as ``{"flags": "-Os"}``,
    and a key that both fix to different values is not compared. Every figure that either side has
    is a row with `before`, `after`, `difference` and `ratio`; with `functions` bytes by function
    instead. :func:`pennyweight.analysis.comparison.summarize` tells what it comes to.
    """

    a: str | Path = field(metadata=_argument("A", form="text"))
    b: str | Path = field(metadata=_argument("B", form="text"))
    a_only: Mapping[str, object] | Sequence[str] | None = field(
        default=None,
        kw_only=True,
        metadata=_option(
            "--a", help="Of A only these rows, as flags=-Os.", metavar="KEY=VALUE", form="texts"
        ),
    )
    b_only: Mapping[str, object] | Sequence[str] | None = field(
        default=None,
        kw_only=True,
        metadata=_option("--b", help="Of B only these rows.", metavar="KEY=VALUE", form="texts"),
    )
    metric: Words = field(
        default="cycles,stack,flash,ram",
        kw_only=True,
        metadata=_option(
            "--metric",
            help="Also instructions, flash_enc and flash_dec.",
            metavar="M[,M...]",
            shows_default=True,
        ),
    )
    functions: bool = field(
        default=False,
        kw_only=True,
        metadata=_option(
            "--functions", help="Bytes by function and object instead of figures.", form="flag"
        ),
    )


@dataclass(frozen=True)
class CallRequest:
    """One call of each implementation on each board, to be looked at closely."""

    name: str = field(metadata=_argument("PATH_OR_NAME", form="text"))
    boards: Names = field(metadata=_boards(required=True))
    flags: str = field(default=DEFAULT_FLAGS, metadata={"option": ONE_BUILD})
    length: str = field(
        default="16:64",
        metadata=_option(
            "--length",
            help="Bytes of associated data and message; a number alone is the message.",
            metavar="[AD:]M",
            shows_default=True,
        ),
    )
    op: str | None = field(
        default=None,
        metadata=_option(
            "--op",
            help="What to call: enc, dec, hash, auth or auth-verify. [the first that there is]",
            metavar="OP",
        ),
    )
    budget: int | None = field(default=None, metadata={"option": BUDGET})


def taking(kind: Callable[P, Q]) -> Callable[[Callable[[Q], R]], Callable[P, R]]:
    """Turns a function of a request into one that takes the request's fields as parameters."""

    def decorate(function: Callable[[Q], R]) -> Callable[P, R]:
        @functools.wraps(function)
        def call(*arguments: P.args, **options: P.kwargs) -> R:
            return function(kind(*arguments, **options))

        fields = inspect.signature(kind)
        returned = inspect.signature(function).return_annotation
        call.__signature__ = fields.replace(return_annotation=returned)  # type: ignore[attr-defined]
        call.__doc__ = function.__doc__ or kind.__doc__
        return call

    return decorate


def texts(names: Names, what: str) -> list[str]:
    """One name or several as texts. Raises UserError for what cannot be a name."""
    given = [names] if isinstance(names, str | Path) else names
    each = list(given) if isinstance(given, Iterable) else [given]
    for name in each:
        if not isinstance(name, str | Path):
            raise UserError(f"{what}: {name!r} is no name; give a text, a path, or a list of them.")
    return [str(name) for name in each]


def some(names: Names, what: str) -> list[str]:
    """As :func:`texts`, at least one. Raises UserError."""
    found = texts(names, what)
    if not found:
        raise UserError(f"{what}: give at least one.")
    return found


def count(value: int | None, what: str) -> int | None:
    """A whole number of 1 or more, if it is given. Raises UserError."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise UserError(f"{what}: {value!r} is no whole number of 1 or more.")
    return value
