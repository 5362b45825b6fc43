"""What a user asks for: one value for each command, shared by the command line and Python.

A field is an option: its name in Python, its name on the command line, its default and the sentence
of ``--help`` are here and nowhere else. :func:`pennyweight.api.options.taking` makes a function of
Python with a request's fields as parameters, :func:`pennyweight.cli.requests.asking` a command with
its options.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pennyweight.api.options import (
    AIMS,
    BUDGET,
    BUILDS,
    DEFAULT_FLAGS,
    JOBS,
    ONE_BUILD,
    RESULTS,
    Lengths,
    Names,
    Words,
    argument,
    boards_option,
    option,
)
from pennyweight.job import Level
from pennyweight.model import Kind


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

    names: Names = field(metadata=argument("PATH_OR_NAME..."))
    boards: Names = field(metadata=boards_option(required=True))
    lengths: Lengths = field(
        default="16:64",
        kw_only=True,
        metadata=option(
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
        metadata=option(
            "--op",
            help="What to call: enc, dec, hash, auth, auth-verify. [all that the kind of algorithm "
            "has]",
            metavar="OP[,OP...]",
        ),
    )
    parts: bool = field(
        default=False,
        kw_only=True,
        metadata=option("--parts", help="Also the functions of the incremental API.", form="flag"),
    )
    verify: bool | Level = field(
        default="full",
        kw_only=True,
        metadata=option(
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

    names: Names = field(default=(), metadata=argument("[PATH_OR_NAME]...", required=False))
    boards: Names = field(default=(), metadata=boards_option(required=False))
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
        metadata=option(
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
        metadata=option("--report", help="Write the report there afterwards.", metavar="DIR"),
    )
    jobs: int | None = field(default=None, metadata={"option": JOBS})
    quick: bool = field(
        default=False,
        metadata=option(
            "--quick", help="Only the subset that the study's table [quick] names.", form="flag"
        ),
    )
    dask: Any = field(
        default=None,
        metadata=option(
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
        metadata=option(
            "--board", help="A board, or the path of a board file.", metavar="B", required=True
        )
    )
    message: int = field(
        default=64,
        metadata=option("--message", help="Bytes to send.", form="length", shows_default=True),
    )
    ad: int = field(
        default=0,
        metadata=option(
            "--ad", help="Bytes only authenticated.", form="length", shows_default=True
        ),
    )
    names: Names = field(default=(), kw_only=True, metadata=argument("[NAME...]", required=False))
    kind: str = field(
        default=Kind.AEAD.value,
        kw_only=True,
        metadata=option(
            "--kind",
            help="",
            choices=tuple(each.value for each in Kind),
            shows_default=True,
        ),
    )
    op: Words | None = field(
        default=None,
        kw_only=True,
        metadata=option(
            "--op",
            help="What counts; several are added. [the first of its kind]",
            metavar="enc,dec",
        ),
    )
    flags: Words = field(default=DEFAULT_FLAGS, kw_only=True, metadata={"option": BUILDS})
    max_flash: int | None = field(
        default=None,
        kw_only=True,
        metadata=option(
            "--max-flash", help="As 4096 or 4k; both directions.", metavar="BYTES", form="size"
        ),
    )
    max_ram: int | None = field(
        default=None,
        kw_only=True,
        metadata=option(
            "--max-ram", help="Static RAM, without the stack.", metavar="BYTES", form="size"
        ),
    )
    max_stack: int | None = field(
        default=None,
        kw_only=True,
        metadata=option(
            "--max-stack", help="High-water mark of the stack.", metavar="BYTES", form="size"
        ),
    )
    min_tag: int | None = field(
        default=None,
        kw_only=True,
        metadata=option(
            "--min-tag", help="Tag, or digest of a hash.", metavar="BYTES", form="size"
        ),
    )
    standard_only: bool = field(
        default=False,
        kw_only=True,
        metadata=option(
            "--standard-only", help="Only what a standards body has published.", form="flag"
        ),
    )
    constant_time: bool = field(
        default=False,
        kw_only=True,
        metadata=option(
            "--constant-time", help="Nothing that looks up tables by secrets.", form="flag"
        ),
    )
    by: str = field(
        default=AIMS[0],
        kw_only=True,
        metadata=option("--by", help="What to rank by.", choices=AIMS, shows_default=True),
    )
    battery: float | None = field(
        default=None,
        kw_only=True,
        metadata=option(
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

    a: str | Path = field(metadata=argument("A", form="text"))
    b: str | Path = field(metadata=argument("B", form="text"))
    a_only: Mapping[str, object] | Sequence[str] | None = field(
        default=None,
        kw_only=True,
        metadata=option(
            "--a", help="Of A only these rows, as flags=-Os.", metavar="KEY=VALUE", form="texts"
        ),
    )
    b_only: Mapping[str, object] | Sequence[str] | None = field(
        default=None,
        kw_only=True,
        metadata=option("--b", help="Of B only these rows.", metavar="KEY=VALUE", form="texts"),
    )
    metric: Words = field(
        default="cycles,stack,flash,ram",
        kw_only=True,
        metadata=option(
            "--metric",
            help="Also instructions, flash_enc and flash_dec.",
            metavar="M[,M...]",
            shows_default=True,
        ),
    )
    functions: bool = field(
        default=False,
        kw_only=True,
        metadata=option(
            "--functions", help="Bytes by function and object instead of figures.", form="flag"
        ),
    )


@dataclass(frozen=True)
class CallRequest:
    """One call of each implementation on each board, to be looked at closely."""

    name: str = field(metadata=argument("PATH_OR_NAME", form="text"))
    boards: Names = field(metadata=boards_option(required=True))
    flags: str = field(default=DEFAULT_FLAGS, metadata={"option": ONE_BUILD})
    length: str = field(
        default="16:64",
        metadata=option(
            "--length",
            help="Bytes of associated data and message; a number alone is the message.",
            metavar="[AD:]M",
            shows_default=True,
        ),
    )
    op: str | None = field(
        default=None,
        metadata=option(
            "--op",
            help="What to call: enc, dec, hash, auth or auth-verify. [the first that there is]",
            metavar="OP",
        ),
    )
    budget: int | None = field(default=None, metadata={"option": BUDGET})
