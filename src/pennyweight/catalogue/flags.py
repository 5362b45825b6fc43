"""Compiler flags: which are allowed, which are not, and why."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.model import UserError

_LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os", "-Og", "-Oz", "-Ofast", "-O")

# Flags that select the part belong to the board file. The others would read or write arbitrary
# files, load code into the compiler, or pass options to other programs. -mips16 does not select a
# part: every simulated MIPS32 release 2 core runs that code.
_BOARD = re.compile(
    r"-m(cpu|mcu|arch|thumb|arm|float-abi|fpu|abi|ips(?!16\b)\d\w*|mips16e2|micromips)\b.*"
)
_FILES = re.compile(
    r"-f(no-)?(plugin|dump|profile|auto-profile|branch-prob|module|diagnostics|stack-usage|"
    r"callgraph-info|save-opt|opt-info|use-ld|deps|pch|self-test|compare-debug|test-coverage|"
    r"working-directory|sanitize|offload|lto=jobserver|rtl-dump|ada|go-|openacc|"
    # Sources that count as preprocessed may name precompiled headers in a pragma. The other options
    # are internal to the compiler driver.
    r"preprocessed|ltrans|wpa|resolution|use-linker-plugin).*"
)
_ALLOWED = (
    re.compile(r"-f[a-z0-9][a-z0-9+-]*(=[A-Za-z0-9_.,:+-]+)?"),
    re.compile(r"-m[a-z0-9][a-z0-9X-]*(=[A-Za-z0-9_.,+-]+)?"),
    re.compile(r"-std=[a-z0-9:+]+"),
    re.compile(r"-[DU][A-Za-z_]\w*(=[\w.+-]*)?"),
    re.compile(r"-W[a-z][a-z0-9+-]*(=[a-z0-9-]+)?"),
    re.compile(r"-w"),
    re.compile(r"--param=[a-z0-9-]+=\d+"),
)


def parse_flags(text: str) -> tuple[str, ...]:
    """Parses `text` and checks each flag against those that a measurement may use.

    Whether a compiler supports a flag is checked by running the compiler. Raises `UserError`.
    """
    try:
        flags = tuple(shlex.split(text))
    except ValueError:
        raise UserError(f"flags '{text}': a quote is not closed; close it") from None
    for flag in flags:
        _check(flag, text)
    return flags


def spelled(text: str) -> str:
    """Normalises flags, because neither the name of a job nor its rows may depend on spaces and
    quotes. Raises `UserError`.
    """
    return " ".join(parse_flags(text))


def check_steering(flag: str) -> str | None:
    """Why a board file may not contain `flag`, with the remedy; `None` if it may.

    Flags that select the part are allowed. Flags that read, write or load files, or pass options to
    other programs, are not, because a board file may be untrusted.
    """
    if _FILES.fullmatch(flag):
        return f"'{flag}' reads, writes or loads files while compiling; remove it"
    if flag in _LEVELS or any(pattern.fullmatch(flag) for pattern in _ALLOWED):
        return None
    return (
        f"'{flag}' is not allowed in a board file; allowed are -m…, -f…, -O…, -std=…, -D…, "
        "-U…, -W… and --param=…"
    )


def _check(flag: str, text: str) -> None:
    if flag in _LEVELS:
        return
    if _BOARD.fullmatch(flag):
        raise UserError(
            f"flag '{flag}' selects the part, which is the board file's task; remove it"
        )
    if _FILES.fullmatch(flag):
        raise UserError(
            f"flag '{flag}' reads, writes or loads files while compiling, which is not allowed; "
            "remove it"
        )
    if any(pattern.fullmatch(flag) for pattern in _ALLOWED):
        return
    if flag.startswith("-O"):
        hint = did_you_mean(flag, _LEVELS)
        raise UserError(
            f"flag '{flag}' is not an optimisation level:{hint or ' use -Os, -O2 or -O3'}"
        )
    if not flag.startswith("-"):
        raise UserError(
            f"'{flag}' in the flags '{text}' is not a flag: flags begin with '-', such as \"-Os\""
        )
    raise UserError(
        f"flag '{flag}' is not allowed in a measurement; allowed are -O…, -f…, -m…, -std=…, "
        "-D…, -U…, -W… and --param=…"
    )


def optimises_links(flags: Sequence[str]) -> bool:
    """Whether link-time optimisation is enabled. The last flag counts; flags with a value only
    configure it.
    """
    words = [flag for flag in flags if flag in ("-flto", "-fno-lto") or flag.startswith("-flto=")]
    return bool(words) and words[-1] != "-fno-lto"
