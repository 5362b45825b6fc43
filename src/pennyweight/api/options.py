"""How the fields of a request are passed, on the command line and in Python."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from pennyweight.job import DEFAULT_BUDGET, RANDOM_SOURCES, RandomSource
from pennyweight.model import UserError

Names = str | Path | Iterable[str | Path]
Lengths = str | Sequence[tuple[int, int]]
Words = str | Sequence[str]

DEFAULT_FLAGS = "-O2"
"""The flags of most firmware."""

AIMS = ("speed", "flash", "ram", "stack")
"""The metrics that `choose` can rank by."""

P = ParamSpec("P")
Q = TypeVar("Q")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Option:
    """How a field is passed on the command line.

    `switches` are its names there; an argument has none. `form` defines how its text is parsed:
    `text`, `names` (separated by commas), `texts` (repeatable), `length` and `size` in bytes,
    `count` (1 or more), `number`, `flag`, or one of `choices`. `listed` returns the names that
    replace ``{}`` in the help text; it is called when a command is created.
    """

    switches: tuple[str, ...] = ()
    help: str = ""
    metavar: str | None = None
    form: str = "text"
    choices: tuple[str, ...] = ()
    required: bool = False
    shows_default: bool = False
    listed: Callable[[], Sequence[str]] | None = None

    @property
    def help_text(self) -> str:
        """The help text with its list of names."""
        return self.help if self.listed is None else self.help.format(", ".join(self.listed()))


def argument(metavar: str, required: bool = True, form: str = "names") -> dict[str, Option]:
    """The metadata of a field that is an argument."""
    return {"option": Option(metavar=metavar, required=required, form=form)}


def option(*switches: str, help: str, **more: Any) -> dict[str, Option]:
    """The metadata of a field that is an option; `more` as in :class:`Option`."""
    return {"option": Option(switches, help, **more)}


BOARDS = Option(("--board",), "Boards: names, or paths of board files.", "B[,B...]", "names")
ONE_BUILD = Option(
    ("--flags",),
    "Compiler flags.",
    '"FLAG..."',
    shows_default=True,
)
BUILDS = Option(
    ("--flags",),
    "Compiler flags for one build; repeat for more builds.",
    ONE_BUILD.metavar,
    "texts",
    shows_default=True,
)
ONE_BUILD_FROM = Option(
    ("--flags-from",), "File with the compiler flags, as `tune` writes it.", "FILE"
)
BUILDS_FROM = Option(
    ("--flags-from",),
    "File with the flags of a build on each line, as `tune` writes it; replaces the default of "
    "--flags.",
    "FILE",
)
COMPILERS = Option(
    ("--compiler",),
    "Compilers: gcc, gcc-12, clang, clang-19 or the path of one. [the board's own]",
    "C[,C...]",
    "names",
)
BOARD = Option(("--board",), "Board: a name, or the path of a board file.", "B", required=True)
LENGTHS = Option(
    ("--lengths",),
    "Bytes of associated data and message, or of the message only; 16:0-256/4 is a range.",
    "[AD:]M[,...]",
    shows_default=True,
)
BUDGET = Option(
    ("--budget",), f"Abort a call after this many cycles. [{DEFAULT_BUDGET:,}]", "CYCLES", "count"
)
JOBS = Option(("--jobs",), "Number of parallel processes. [all cores]", "N", "count")
ON = Option(
    ("--on",),
    "Measure on a real board instead of the simulator: gdb:HOST:PORT (a debug server), "
    "serial:PORT (a board without a probe), or probe (starts the server for the connected probe).",
    "PLACE",
)
ON_OR_SIMULATOR = Option(
    ("--on",),
    "The part to measure: gdb:HOST:PORT (a debug server), serial:PORT (a board without a probe), "
    "probe (starts the server for the connected probe), or simulator:BOARD (a simulated board, as "
    "a trial).",
    "PLACE",
)
YES = Option(("--yes",), "Overwrite the real board's flash without asking.", form="flag")
REPEATS = Option(
    ("--repeats",),
    "Calls to measure for each case on a real board; their median is the result. [3]",
    "N",
    "count",
)
WARM = Option(
    ("--warm",),
    "Calls before the measured one, for branch prediction that learns slowly. [1]",
    "N",
    "count",
)
SUPPLY = Option(
    ("--supply",), "Supply voltage of the real board, to record with its results.", "TEXT"
)
RANDOM = Option(
    ("--random",),
    "Random words of masked implementations: trng (the part's generator), free (an addition), or "
    "lfsr (in software). [trng if the board has one, otherwise lfsr]",
    choices=RANDOM_SOURCES,
)
SHARES = Option(
    ("--shares",),
    "Shares of third-party masked packages that can be built with several numbers: of all inputs, "
    "or KEY:OTHERS. [the package's default]",
    "N",
)
VERIFY_RANDOM = Option(
    RANDOM.switches,
    "Random words of masked implementations: trng (the part's generator), free, or lfsr.",
    choices=RANDOM.choices,
    shows_default=True,
)
RESULTS = Option(
    ("--results",),
    "Results folder, or an address such as s3://bucket/results.",
    "DIR",
    shows_default=True,
)


def _study_names() -> list[str]:
    from pennyweight.studies import study_names

    return study_names()


STUDY = Option(
    ("--study",),
    "Study: {}, or the path of a TOML file.",
    "NAME|FILE",
    shows_default=True,
    listed=_study_names,
)
ONLY = Option(
    ("--only",),
    "Only matching variants, such as 'ascon*'; repeatable. [all]",
    "PATTERN",
    "texts",
)


def boards_option(required: bool) -> dict[str, Option]:
    """The metadata of a field with boards; an empty field means all boards."""
    text = BOARDS.help if required else f"{BOARDS.help} [all]"
    return {"option": Option(BOARDS.switches, text, BOARDS.metavar, "names", required=required)}


def taking(kind: Callable[P, Q]) -> Callable[[Callable[[Q], R]], Callable[P, R]]:
    """Converts a function of a request to one with the request's fields as parameters."""

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
    """One or several names as strings. Raises UserError for other types."""
    given = [names] if isinstance(names, str | Path) else names
    each = list(given) if isinstance(given, Iterable) else [given]
    for name in each:
        if not isinstance(name, str | Path):
            raise UserError(
                f"{what}: {name!r} is not a name; use a string, a path, or a list of them."
            )
    return [str(name) for name in each]


def random_source(value: str | None) -> RandomSource:
    """The source of random words that a request names. Raises UserError."""
    if not value:
        return ""
    for source in RANDOM_SOURCES:
        if source == value:
            return source
    raise UserError(f"random: {value!r} is not a source of random words; use trng, free or lfsr.")


def some(names: Names, what: str) -> list[str]:
    """As :func:`texts`, with at least one name. Raises UserError."""
    found = texts(names, what)
    if not found:
        raise UserError(f"{what}: at least one is required.")
    return found


def count(value: int | None, what: str) -> int | None:
    """Checks that a value is None or an integer of at least 1. Raises UserError."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise UserError(f"{what}: {value!r} is not an integer of 1 or more.")
    return value
