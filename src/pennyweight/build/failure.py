"""A failed build: a status and a reason, never a traceback."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pennyweight.model import Status, shortened

if TYPE_CHECKING:
    from pennyweight.toolchains.base import Family

_ERROR = re.compile(r"(?:fatal )?error: |Error: |undefined reference to |multiple definition of ")
_UNDEFINED = re.compile(r"undefined reference to [`'](?P<name>[^']+)'")
_TWICE = re.compile(r"multiple definition of [`'](?P<name>[^']+)'")
_TOO_FAR = ("will not fit in region", "is not within region", "overflowed by", "truncated to fit")
_PROGRAM = re.compile(r"^\S*/(?:ld|as|cc1|cc1plus|lto1|lto-wrapper|collect2): ")
_TEMPORARY = re.compile(r"\S*?\bcc\w{6}(?:\.\w+)*\.[so]:(?:\d+:)? *")
"""Random names of a compiler's temporary files."""

_PLACE = re.compile(r": [Ii]n function [^:]*:$")
"""The location of an error, on a line before it."""

_UP = re.compile(r"^(?:\.{1,2}/)+")
_ELSEWHERE = re.compile(r"^/[^:]*/(?=[^/:]+:\d+)")
"""The folder of a header of the compiler or of Pennyweight, before its name and line."""

_OPERANDS = re.compile(
    r"couldn't allocate (?:input|output) reg\w* for constraint"
    r"|invalid operand (?:for instruction|in)|invalid (?:input|output) constraint"
)
"""Clang's errors for operands of inline assembly that it has no registers for."""

_LONGEST = 300
_LONGEST_READ = 4000
_NO_CPLUSPLUS = re.compile(r"C\+\+ compiler not installed|cannot execute .?cc1plus")


class BuildError(Exception):
    """What an implementation did wrong while it was built. `str()` is the reason."""

    def __init__(self, status: Status, reason: str) -> None:
        self.status = status
        self.reason = shortened(reason)
        super().__init__(self.reason)


def compile_failure(source: str, output: str) -> BuildError:
    """The compiler's first error, unchanged."""
    return BuildError(Status.BUILD_FAILED, first_error(output) or f"{source}: no message")


def for_gcc_only(failure: BuildError) -> BuildError:
    """Clang's failure; as `skipped` if the cause is inline assembly with operands that only GCC
    supports, such as four bytes in an AVR's registers.
    """
    if _OPERANDS.search(failure.reason) is None:
        return failure
    return BuildError(
        Status.SKIPPED,
        f"its inline assembly is for GCC; Clang rejects its operands: {failure.reason}",
    )


def lacks_cplusplus(output: str) -> bool:
    """Whether a compiler reports that it supports only C."""
    return _NO_CPLUSPLUS.search(output) is not None


def no_cplusplus(source: str, family: Family) -> BuildError:
    """A C++ source for a compiler without C++."""
    remedy = f"; {family.cplusplus}" if family.cplusplus else ""
    return BuildError(
        Status.SKIPPED, f"{source} is C++, and the {family.name} here compiles C only{remedy}"
    )


def link_failure(output: str) -> BuildError:
    """The linker's first error; a missing symbol is named."""
    if any(words in output for words in _TOO_FAR):
        return BuildError(Status.DOES_NOT_FIT, "the program is far larger than the part's memory")
    undefined = _UNDEFINED.search(output)
    if undefined:
        return missing_symbol(undefined["name"])
    twice = _TWICE.search(output)
    if twice:
        return BuildError(Status.BUILD_FAILED, f"the symbol '{twice['name']}' is defined twice")
    lines = [line for line in output.splitlines() if not line.startswith("collect2: ")]
    return BuildError(Status.BUILD_FAILED, first_error("\n".join(lines)) or "the linker failed")


def missing_symbol(name: str) -> BuildError:
    """A symbol that is used, or that the API requires, is not defined."""
    return BuildError(Status.BUILD_FAILED, f"no source defines the symbol '{name}'")


def timed_out(source: str, seconds: float, how: str = "") -> BuildError:
    """A compiler that was stopped."""
    return BuildError(
        Status.BUILD_FAILED, f"{source}: the compiler was stopped after {seconds:.0f} s{how}"
    )


def too_large(what: str) -> BuildError:
    """A package that would exhaust the disk or the memory."""
    return BuildError(Status.BUILD_FAILED, f"{what}, which is more than any part can hold")


def first_error(output: str) -> str:
    """The first line with an error, or the first line; shortened."""
    printed = [line.strip() for line in output.splitlines() if line.strip()]
    lines = [line for line in printed if not _PLACE.search(line)] or printed
    for line in lines:
        if _ERROR.search(line):
            return _shortened(line)
    return _shortened(lines[0]) if lines else ""


def _shortened(line: str) -> str:
    line = line[:_LONGEST_READ]
    line = _UP.sub("", _TEMPORARY.sub("", _PROGRAM.sub("", line)))
    line = _ELSEWHERE.sub("", line)
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
