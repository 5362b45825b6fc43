"""Compiler flags as users give them: what may be asked for, and what may not and why."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.model import UserError

_LEVELS = ("-O0", "-O1", "-O2", "-O3", "-Os", "-Og", "-Oz", "-Ofast", "-O")

# Flags that select the part belong to the board file; the others would read or write files of
# the user's choosing, load code into the compiler, or hand options to other programs.
# -mips16 selects no part: any of MIPS32 release 2 that we simulate runs that code too.
_BOARD = re.compile(
    r"-m(cpu|mcu|arch|thumb|arm|float-abi|fpu|abi|ips(?!16\b)\d\w*|mips16e2|micromips)\b.*"
)
_FILES = re.compile(
    r"-f(no-)?(plugin|dump|profile|auto-profile|branch-prob|module|diagnostics|stack-usage|"
    r"callgraph-info|save-opt|opt-info|use-ld|deps|pch|self-test|compare-debug|test-coverage|"
    r"working-directory|sanitize|offload|lto=jobserver|rtl-dump|ada|go-|openacc|"
    # Sources that count as preprocessed may name precompiled headers by a pragma; the rest is how
    # the parts of the compiler talk to each other.
    r"preprocessed|ltrans|wpa|resolution|use-linker-plugin).*"
)
_ALLOWED = (
    re.compile(r"-f[a-z0-9][a-z0-9+-]*(=[A-Za-z0-9_.,:+-]+)?"),
    re.compile(r"-m[a-z0-9][a-z0-9-]*(=[A-Za-z0-9_.,+-]+)?"),
    re.compile(r"-std=[a-z0-9:+]+"),
    re.compile(r"-[DU][A-Za-z_]\w*(=[\w.+-]*)?"),
    re.compile(r"-W[a-z][a-z0-9+-]*(=[a-z0-9-]+)?"),
    re.compile(r"-w"),
    re.compile(r"--param=[a-z0-9-]+=\d+"),
)


def parse_flags(text: str) -> tuple[str, ...]:
    """The flags in `text`, each checked against what a measurement may use.

    Whether a compiler knows a flag is asked of the compiler itself when it is there. Raises
    `UserError`.
    """
    try:
        flags = tuple(shlex.split(text))
    except ValueError:
        raise UserError(f"flags '{text}': a quote is not closed; close it") from None
    for flag in flags:
        _check(flag, text)
    return flags


def spelled(text: str) -> str:
    """The flags in `text` in the one way in which results name them: a job's name does not depend
    on spaces and quotes, and neither may its rows. Raises `UserError`.
    """
    return " ".join(parse_flags(text))


def check_steering(flag: str) -> str | None:
    """Why a board file may not have `flag`, with the remedy; `None` if it may.

    What selects the part is welcome there; what would read, write or load files, or hand options
    to other programs, is not: a board file may come from somebody else.
    """
    if _FILES.fullmatch(flag):
        return f"'{flag}' reads, writes or loads files while compiling; leave it out"
    if flag in _LEVELS or any(pattern.fullmatch(flag) for pattern in _ALLOWED):
        return None
    return (
        f"'{flag}' is not one that a board file may have; allowed are -m…, -f…, -O…, -std=…, -D…, "
        "-U…, -W… and --param=…"
    )


def _check(flag: str, text: str) -> None:
    if flag in _LEVELS:
        return
    if _BOARD.fullmatch(flag):
        raise UserError(
            f"flag '{flag}' selects the part, which the board file does; leave it out of the flags"
        )
    if _FILES.fullmatch(flag):
        raise UserError(
            f"flag '{flag}' reads, writes or loads files while compiling, which is not allowed; "
            "leave it out"
        )
    if any(pattern.fullmatch(flag) for pattern in _ALLOWED):
        return
    if flag.startswith("-O"):
        hint = did_you_mean(flag, _LEVELS)
        raise UserError(f"flag '{flag}' is no optimisation level:{hint or ' use -Os, -O2 or -O3'}")
    if not flag.startswith("-"):
        raise UserError(
            f"'{flag}' in the flags '{text}' is not a flag: flags begin with '-', such as \"-Os\""
        )
    raise UserError(
        f"flag '{flag}' is not one that a measurement may use; allowed are -O…, -f…, -m…, -std=…, "
        "-D…, -U…, -W… and --param=…"
    )


def optimises_links(flags: Sequence[str]) -> bool:
    """Is link-time optimisation on? The last word counts; what begins as they do is about how."""
    words = [flag for flag in flags if flag in ("-flto", "-fno-lto") or flag.startswith("-flto=")]
    return bool(words) and words[-1] != "-fno-lto"
