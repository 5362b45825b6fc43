"""Requests: the parameters of each command, shared by the command line and the Python API.

A field defines an option: its name in Python, its name on the command line, its default and its
``--help`` text. :func:`pennyweight.api.options.taking` creates a Python function with a request's
fields as parameters, :func:`pennyweight.cli.requests.asking` a command with its options.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pennyweight.api.options import (
    AIMS,
    BOARD,
    BUDGET,
    BUILDS,
    BUILDS_FROM,
    COMPILERS,
    DEFAULT_FLAGS,
    JOBS,
    LENGTHS,
    ON,
    ON_OR_SIMULATOR,
    ONE_BUILD,
    ONE_BUILD_FROM,
    ONLY,
    RANDOM,
    REPEATS,
    RESULTS,
    SHARES,
    STUDY,
    SUPPLY,
    VERIFY_RANDOM,
    WARM,
    YES,
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
    """Measures implementations on boards; returns one row for each case.

    `names` are as for :func:`implementations`; `boards` are names or paths of board files.
    `lengths` are pairs of associated data and message in bytes, as a string
    ``"16:64,16:0-256/4"`` or as tuples. A hash function uses only the second number, and a single
    number in a string is the message. Each entry of `flags` is a build, with each of `compilers`:
    ``"gcc"``, ``"gcc-12"``, ``"clang"``, ``"clang-19"`` or the path of a compiler; default: the
    board's own. `flags_from` is a file with the flags of a build on each line, as :func:`tune`
    writes it; it replaces the default of `flags`. `op` is ``"enc"``, ``"dec"``, ``"hash"``, or
    several separated by commas; default: all of the algorithm's kind.
    `parts` adds the functions of the incremental API. `verify` selects the known-answer tests to
    run first: ``"full"``, ``"quick"`` or ``"none"``; True and False mean full and none. `budget` is
    in cycles per call, by default 200 million. `warm` is the number of calls before the measured
    one, by default 1 on parts whose caches, buffers or predictions it changes. `random` is the
    source of random words for masked implementations: ``"trng"`` (the part's generator), ``"free"``
    or ``"lfsr"``. `shares` is the number of shares of third-party masked packages, of all inputs or
    ``"KEY:OTHERS"``; default: the package's own. `jobs` is the number of processes, by default the
    number of cores. `on` is the place of a real board, as ``"gdb:localhost:3333"``; its flash is
    overwritten if `yes` is true.
    Each call is measured `repeats` times there, and `supply` is recorded with the results.
    """

    names: Names = field(metadata=argument("PATH_OR_NAME..."))
    boards: Names = field(metadata=boards_option(required=True))
    lengths: Lengths = field(default="16:64", kw_only=True, metadata={"option": LENGTHS})
    flags: Words = field(default=DEFAULT_FLAGS, kw_only=True, metadata={"option": BUILDS})
    compilers: Names = field(default=(), kw_only=True, metadata={"option": COMPILERS})
    flags_from: str | Path | None = field(
        default=None, kw_only=True, metadata={"option": BUILDS_FROM}
    )
    op: Words | None = field(
        default=None,
        kw_only=True,
        metadata=option(
            "--op",
            help="Operations: enc, dec, hash, auth, auth-verify. [all of the algorithm's kind]",
            metavar="OP[,OP...]",
        ),
    )
    parts: bool = field(
        default=False,
        kw_only=True,
        metadata=option(
            "--parts", help="Also measure the functions of the incremental API.", form="flag"
        ),
    )
    verify: bool | Level = field(
        default="full",
        kw_only=True,
        metadata=option(
            "--verify",
            help="Known-answer tests to run first: all, a sample of 33, or none.",
            choices=("full", "quick", "none"),
            shows_default=True,
        ),
    )
    warm: int | None = field(default=None, kw_only=True, metadata={"option": WARM})
    budget: int | None = field(default=None, kw_only=True, metadata={"option": BUDGET})
    random: str | None = field(default=None, kw_only=True, metadata={"option": RANDOM})
    shares: str | int | None = field(default=None, kw_only=True, metadata={"option": SHARES})
    jobs: int | None = field(default=None, kw_only=True, metadata={"option": JOBS})
    on: str | None = field(default=None, kw_only=True, metadata={"option": ON})
    yes: bool = field(default=False, kw_only=True, metadata={"option": YES})
    repeats: int | None = field(default=None, kw_only=True, metadata={"option": REPEATS})
    supply: str | None = field(default=None, kw_only=True, metadata={"option": SUPPLY})


@dataclass(frozen=True)
class VerifyRequest:
    """Verifies implementations on boards; returns one row for each implementation and board.

    Every known-answer test runs on the simulated part, with forgeries and guarded buffers.
    `status` is ``"ok"`` or the kind of failure, `reason` has the details, and `verified` lists
    what passed. The defaults are all bundled implementations and all bundled boards. `flags_from`
    is a file with the flags instead. `compilers`, `random`, `on`, `yes` and `supply` are as for
    :func:`measure`.
    """

    names: Names = field(default=(), metadata=argument("[PATH_OR_NAME]...", required=False))
    boards: Names = field(default=(), metadata=boards_option(required=False))
    flags: str = field(default=DEFAULT_FLAGS, kw_only=True, metadata={"option": ONE_BUILD})
    flags_from: str | Path | None = field(
        default=None, kw_only=True, metadata={"option": ONE_BUILD_FROM}
    )
    compilers: Names = field(default=(), kw_only=True, metadata={"option": COMPILERS})
    random: str | None = field(default="lfsr", kw_only=True, metadata={"option": VERIFY_RANDOM})
    shares: str | int | None = field(default=None, kw_only=True, metadata={"option": SHARES})
    jobs: int | None = field(default=None, kw_only=True, metadata={"option": JOBS})
    on: str | None = field(default=None, kw_only=True, metadata={"option": ON})
    yes: bool = field(default=False, kw_only=True, metadata={"option": YES})
    supply: str | None = field(default=None, kw_only=True, metadata={"option": SUPPLY})


@dataclass(frozen=True)
class RunRequest:
    """Runs a study and stores the results of its jobs in the folder `results`.

    `study` is a name or the path of a TOML file; `quick` measures only the subset of its table
    [quick]. Jobs with stored results are not run again. With `report`, a report is written to that
    folder afterwards. `jobs` is the number of processes, by default the number of cores. `dask` is
    the address of a Dask scheduler (``tcp://host:8786``), a cluster object or a client, whose
    workers run the jobs. `compilers` replace the study's. With `on`, only the study's boards that
    match the real board are measured, on that board; `compilers`, `yes`, `repeats` and `supply` are
    as for :func:`measure`.
    """

    study: str | Path = field(default="default", metadata={"option": STUDY})
    results: str | Path = field(default="results", metadata={"option": RESULTS})
    report: str | Path | None = field(
        default=None,
        metadata=option(
            "--report", help="Write a report to this folder afterwards.", metavar="DIR"
        ),
    )
    jobs: int | None = field(default=None, metadata={"option": JOBS})
    quick: bool = field(
        default=False,
        metadata=option(
            "--quick", help="Only the subset in the study's table [quick].", form="flag"
        ),
    )
    compilers: Names = field(default=(), metadata={"option": COMPILERS})
    dask: Any = field(
        default=None,
        metadata=option(
            "--dask",
            help="Run jobs on the workers of this Dask scheduler, such as tcp://host:8786.",
            metavar="ADDRESS",
        ),
    )
    on: str | None = field(default=None, kw_only=True, metadata={"option": ON})
    yes: bool = field(default=False, kw_only=True, metadata={"option": YES})
    repeats: int | None = field(default=None, kw_only=True, metadata={"option": REPEATS})
    supply: str | None = field(default=None, kw_only=True, metadata={"option": SUPPLY})


@dataclass(frozen=True)
class ChooseRequest:
    """Ranks algorithms for your message lengths and limits on a board.

    Lengths and limits are in bytes, `battery` in mAh; `by` is ``"speed"``, ``"flash"``, ``"ram"``
    or ``"stack"``. Returns one row for each algorithm, the best first. Algorithms that exceed a
    limit are at the end, without a `rank` and with the reason in `excluded`. `status` lists the
    statuses to rank: ``"standard"``, ``"finalist"``, ``"other"``, ``"round-2"``, ``"caesar"``,
    ``"broken"``, ``"withdrawn"``, ``"unknown"`` (without a catalogue entry) or ``"all"``; default:
    standards, finalists, other and unknown ones, and all statuses if `names` are given. `attack`
    is the best known attack. `protected` is an order of masking: only implementations with more
    shares than that are ranked, with their `random_words` and `random_wait_cycles`; an algorithm
    has a row for each part that they mask (`masked`), and `leakage` is not checked. `random`,
    `shares` and `compilers` are as for :func:`measure`: each algorithm is represented by its best
    build with any of the compilers, and `flags` start with the name of a compiler that is not the
    board's own. The first call measures; measurements are cached.
    """

    board: str | Path = field(metadata={"option": BOARD})
    message: int = field(
        default=64,
        metadata=option(
            "--message", help="Message length in bytes.", form="length", shows_default=True
        ),
    )
    ad: int = field(
        default=0,
        metadata=option(
            "--ad", help="Associated data in bytes.", form="length", shows_default=True
        ),
    )
    names: Names = field(default=(), kw_only=True, metadata=argument("[NAME...]", required=False))
    kind: str = field(
        default=Kind.AEAD.value,
        kw_only=True,
        metadata=option(
            "--kind",
            help="Kind of algorithm; auth means MACs.",
            choices=tuple(each.value for each in Kind),
            shows_default=True,
        ),
    )
    op: Words | None = field(
        default=None,
        kw_only=True,
        metadata=option(
            "--op",
            help="Operations whose cycles are added. [enc, hash or auth]",
            metavar="enc,dec",
        ),
    )
    flags: Words = field(default=DEFAULT_FLAGS, kw_only=True, metadata={"option": BUILDS})
    compilers: Names = field(default=(), kw_only=True, metadata={"option": COMPILERS})
    max_flash: int | None = field(
        default=None,
        kw_only=True,
        metadata=option(
            "--max-flash", help="Maximum flash, such as 4096 or 4k.", metavar="BYTES", form="size"
        ),
    )
    max_ram: int | None = field(
        default=None,
        kw_only=True,
        metadata=option(
            "--max-ram", help="Maximum static RAM, without stack.", metavar="BYTES", form="size"
        ),
    )
    max_stack: int | None = field(
        default=None,
        kw_only=True,
        metadata=option(
            "--max-stack",
            help="Maximum stack: its high-water mark.",
            metavar="BYTES",
            form="size",
        ),
    )
    min_tag: int | None = field(
        default=None,
        kw_only=True,
        metadata=option(
            "--min-tag", help="Minimum length of tag or digest.", metavar="BYTES", form="size"
        ),
    )
    status: Words | None = field(
        default=None,
        kw_only=True,
        metadata=option(
            "--status",
            help="Statuses to rank: standard, finalist, other, unknown, round-2, caesar, broken, "
            "withdrawn, or all. [standard,finalist,other,unknown; all for named algorithms]",
            metavar="STATUS[,...]",
        ),
    )
    standard_only: bool = field(
        default=False,
        kw_only=True,
        metadata=option("--standard-only", help="The same as --status standard.", form="flag"),
    )
    constant_time: bool = field(
        default=False,
        kw_only=True,
        metadata=option("--constant-time", help="Only constant-time implementations.", form="flag"),
    )
    protected: int | None = field(
        default=None,
        kw_only=True,
        metadata=option(
            "--protected",
            help="Only implementations masked at this order or more: with at least ORDER + 1 "
            "shares.",
            metavar="ORDER",
            form="count",
        ),
    )
    random: str | None = field(default=None, kw_only=True, metadata={"option": RANDOM})
    shares: str | int | None = field(default=None, kw_only=True, metadata={"option": SHARES})
    by: str = field(
        default=AIMS[0],
        kw_only=True,
        metadata=option("--by", help="Metric to rank by.", choices=AIMS, shows_default=True),
    )
    battery: float | None = field(
        default=None,
        kw_only=True,
        metadata=option(
            "--battery",
            help="Estimate the number of messages from a battery of this capacity.",
            metavar="MAH",
            form="number",
        ),
    )
    jobs: int | None = field(default=None, kw_only=True, metadata={"option": JOBS})


@dataclass(frozen=True)
class CompareRequest:
    """Compares two sets of measurements.

    `a` and `b` are results folders, files that ``measure`` printed, or ``published:NAME``.
    `a_only` and `b_only` select rows of each side, such as ``{"flags": "-Os"}``; a key that both
    fix to different values is not compared. Returns a row with `before`, `after`, `difference` and
    `ratio` for each figure of either side; with `functions`, the figures are bytes by function.
    :func:`pennyweight.analysis.comparison.summarize` summarises the result.
    """

    a: str | Path = field(metadata=argument("A", form="text"))
    b: str | Path = field(metadata=argument("B", form="text"))
    a_only: Mapping[str, object] | Sequence[str] | None = field(
        default=None,
        kw_only=True,
        metadata=option(
            "--a",
            help="Only these rows of A, such as flags=-Os.",
            metavar="KEY=VALUE",
            form="texts",
        ),
    )
    b_only: Mapping[str, object] | Sequence[str] | None = field(
        default=None,
        kw_only=True,
        metadata=option("--b", help="Only these rows of B.", metavar="KEY=VALUE", form="texts"),
    )
    metric: Words = field(
        default="cycles,stack,flash,ram",
        kw_only=True,
        metadata=option(
            "--metric",
            help="Metrics to compare; also instructions, flash_enc and flash_dec.",
            metavar="M[,M...]",
            shows_default=True,
        ),
    )
    functions: bool = field(
        default=False,
        kw_only=True,
        metadata=option(
            "--functions", help="Compare flash bytes by function and object.", form="flag"
        ),
    )


@dataclass(frozen=True)
class VendorRequest:
    """Copies a bundled implementation for use outside Pennyweight; returns the copy's folder.

    The copy is a folder of SUPERCOP's tree below `into`, such as
    ``crypto_aead/asconaead128/fast32``: sources and headers that compile alone with any C11
    compiler, licence, known-answer tests, and a README with the measured cost on `boards`
    (``"none"``: not measured). `api` is ``"one-shot"`` for the functions of SUPERCOP, or
    ``"incremental"`` to add those that take a message in pieces. A folder with other files is
    refused without `force`, which replaces the files of an earlier copy.
    """

    name: str = field(metadata=argument("ALGORITHM/IMPLEMENTATION", form="text"))
    into: str | Path = field(
        metadata=option(
            "--into", help="Folder to write the copy into.", metavar="DIR", required=True
        )
    )
    api: Literal["one-shot", "incremental"] = field(
        default="one-shot",
        kw_only=True,
        metadata=option(
            "--api",
            help="Functions to offer: those of SUPERCOP, or also the incremental ones.",
            choices=("one-shot", "incremental"),
            shows_default=True,
        ),
    )
    boards: Names = field(
        default=("atmega328p", "stm32f030", "stm32f407-168mhz", "fe310-g002"),
        kw_only=True,
        metadata=option(
            "--board",
            help="Boards to measure the copy on; none: do not measure.",
            metavar="B[,B...]",
            form="names",
            shows_default=True,
        ),
    )
    flags: Words = field(default=DEFAULT_FLAGS, kw_only=True, metadata={"option": BUILDS})
    lengths: Lengths = field(default="16:64", kw_only=True, metadata={"option": LENGTHS})
    force: bool = field(
        default=False,
        kw_only=True,
        metadata=option(
            "--force",
            help="Write into a folder that is not empty; replace an earlier copy.",
            form="flag",
        ),
    )
    jobs: int | None = field(default=None, kw_only=True, metadata={"option": JOBS})


@dataclass(frozen=True)
class CallRequest:
    """One call of each implementation on each board, for analysis."""

    name: str = field(metadata=argument("PATH_OR_NAME", form="text"))
    boards: Names = field(metadata=boards_option(required=True))
    flags: str = field(default=DEFAULT_FLAGS, metadata={"option": ONE_BUILD})
    flags_from: str | Path | None = field(
        default=None, kw_only=True, metadata={"option": ONE_BUILD_FROM}
    )
    length: str = field(
        default="16:64",
        metadata=option(
            "--length",
            help="Bytes of associated data and message; a single number is the message.",
            metavar="[AD:]M",
            shows_default=True,
        ),
    )
    op: str | None = field(
        default=None,
        metadata=option(
            "--op",
            help="Operation: enc, dec, hash, auth or auth-verify. [enc, hash or auth]",
            metavar="OP",
        ),
    )
    budget: int | None = field(default=None, metadata={"option": BUDGET})
    shares: str | int | None = field(default=None, kw_only=True, metadata={"option": SHARES})


@dataclass(frozen=True)
class LeakageRequest(CallRequest):
    """Checks calls for leakage by a model of the core: fixed inputs against random ones.

    `name`, `boards`, `flags` (or `flags_from`, a file), `length` and `op` select the calls. `vary`
    is what is fixed in one group of traces and random in the other: ``"key"``, with all other
    inputs fixed in both, or ``"data"`` (nonce, associated data and message, with a fixed key).
    `traces` is the number in each of two sets, by default 2000, or 20000 of order 2. `order` is 1
    (means) or 2 (variances). `shares` is as for :func:`measure`. `function` selects the part from
    its first call to number `calls`. All random values depend on `seed`. `jobs` is the number of
    threads, by default the number of cores; the result does not depend on it. Returns a row for
    each instruction and place at which the inputs show, or one without a `pc` for a call without
    such a place; each has the model, seed, and numbers of traces and samples.
    """

    length: str = field(
        default="0:8",
        metadata=option(
            "--length",
            help="Bytes of associated data and message; a single number is the message.",
            metavar="[AD:]M",
            shows_default=True,
        ),
    )
    vary: Literal["key", "data"] = field(
        default="key",
        kw_only=True,
        metadata=option(
            "--vary",
            help="What is fixed in one group and random in the other: the key, or data (nonce, "
            "associated data and message), for packages whose inputs are shares and for hashes of "
            "secrets.",
            choices=("key", "data"),
            shows_default=True,
        ),
    )
    traces: int | None = field(
        default=None,
        kw_only=True,
        metadata=option(
            "--traces",
            help="Traces in each of the two sets, at least 1000 for a verdict of order 1, 16000 of "
            "order 2. [2000; of order 2: 20000]",
            metavar="N",
            form="count",
        ),
    )
    order: Literal["1", "2"] = field(
        default="1",
        kw_only=True,
        metadata=option(
            "--order",
            help="Order of the test: 1 compares means, 2 variances.",
            choices=("1", "2"),
            shows_default=True,
        ),
    )
    function: str | None = field(
        default=None,
        kw_only=True,
        metadata=option(
            "--function",
            help="Test calls of this function only, such as those in the column `where`. [the "
            "whole call]",
            metavar="NAME",
        ),
    )
    calls: int | None = field(
        default=None,
        kw_only=True,
        metadata=option(
            "--calls",
            help="Calls of --function to test, from the first one on. [1]",
            metavar="N",
            form="count",
        ),
    )
    seed: int = field(
        default=1,
        kw_only=True,
        metadata=option(
            "--seed",
            help="Seed of all random values.",
            metavar="N",
            form="count",
            shows_default=True,
        ),
    )
    jobs: int | None = field(
        default=None,
        kw_only=True,
        metadata=option("--jobs", help="Number of threads. [all cores]", metavar="N", form="count"),
    )


@dataclass(frozen=True)
class TuneRequest:
    """Searches for the compiler flags that minimise an implementation's cycles, flash or RAM.

    `name` is one implementation, as for :func:`implementations`; `board` is a name or the path of a
    board file. `aim` is ``"cycles"`` (the geometric mean over all one-shot operations and
    `lengths`), ``"flash"`` or ``"ram"``. At most `budget` builds are tried. The flags of the best
    build are written to the file `into`, which :func:`measure` takes as `flags_from`. Returns a row
    for each standard level and for each step of the search.
    """

    name: str | Path = field(metadata=argument("IMPLEMENTATION", form="text"))
    board: str | Path = field(metadata={"option": BOARD})
    aim: Literal["cycles", "flash", "ram"] = field(
        default="cycles",
        metadata=option(
            "--for",
            help="What to reduce.",
            choices=("cycles", "flash", "ram"),
            shows_default=True,
        ),
    )
    budget: int = field(
        default=200,
        kw_only=True,
        metadata=option(
            "--budget",
            help="Number of builds to try.",
            metavar="BUILDS",
            form="count",
            shows_default=True,
        ),
    )
    lengths: Lengths = field(default="16:64", kw_only=True, metadata={"option": LENGTHS})
    compiler: str | Path | None = field(
        default=None,
        kw_only=True,
        metadata=option(
            "--compiler",
            help="Compiler: gcc-12, clang, clang-19 or the path of one. [the board's own]",
            metavar="C",
        ),
    )
    into: str | Path | None = field(
        default=None,
        kw_only=True,
        metadata=option(
            "--into",
            help="File for the flags. [ALGORITHM-IMPLEMENTATION-BOARD-AIM.flags]",
            metavar="FILE",
        ),
    )
    jobs: int | None = field(default=None, kw_only=True, metadata={"option": JOBS})


@dataclass(frozen=True)
class AccuracyRequest:
    """Compares simulated boards with real ones: NIST's measurements, or a connected board.

    Either `nist` is the path of a clone of NIST's benchmarks, or `on` the place of a real board, as
    for :func:`measure`. `every` is a number N, or such numbers by board, as in
    ``"samd21=3,esp8266=24"``: every Nth row is compared. `output` is the folder of the pages: by
    default ``docs``, or with `on` the current folder. `results`, with `on` only, is the folder in
    which the measurements are stored, by default ``results``.
    """

    nist: str | Path | None = field(
        default=None,
        metadata=option(
            "--nist",
            help="A clone of github.com/usnistgov/Lightweight-Cryptography-Benchmarking.",
            metavar="PATH",
        ),
    )
    on: str | None = field(default=None, kw_only=True, metadata={"option": ON})
    yes: bool = field(default=False, kw_only=True, metadata={"option": YES})
    repeats: int | None = field(default=None, kw_only=True, metadata={"option": REPEATS})
    supply: str | None = field(default=None, kw_only=True, metadata={"option": SUPPLY})
    boards: Names = field(default=(), kw_only=True, metadata=boards_option(required=False))
    only: Words = field(default=(), kw_only=True, metadata={"option": ONLY})
    every: str = field(
        default="1",
        kw_only=True,
        metadata=option(
            "--every",
            help="Compare only every Nth row of all boards, or of named boards, such as "
            "samd21=3,esp8266=24.",
            metavar="[B=]N[,...]",
            shows_default=True,
        ),
    )
    output: str | Path | None = field(
        default=None,
        kw_only=True,
        metadata=option(
            "--output",
            help="Folder for accuracy.md and images/accuracy.svg and .png [docs], or with --on for "
            "accuracy-BOARD.md [the current folder].",
            metavar="DIR",
        ),
    )
    results: str | Path | None = field(
        default=None,
        kw_only=True,
        metadata=option(
            "--results",
            help="With --on, the results folder in which the measurements are stored. [results]",
            metavar="DIR",
        ),
    )
    jobs: int | None = field(default=None, kw_only=True, metadata={"option": JOBS})


@dataclass(frozen=True)
class CalibrateRequest:
    """Measures a part's memory timing with micro-benchmarks.

    `on` is a place as for :func:`measure`, or ``"simulator:BOARD"`` for a trial on a simulated
    board; `boards` names one board.
    """

    on: str | None = field(default=None, metadata={"option": ON_OR_SIMULATOR})
    yes: bool = field(default=False, kw_only=True, metadata={"option": YES})
    repeats: int | None = field(default=None, kw_only=True, metadata={"option": REPEATS})
    supply: str | None = field(default=None, kw_only=True, metadata={"option": SUPPLY})
    boards: Names = field(default=(), kw_only=True, metadata=boards_option(required=True))
