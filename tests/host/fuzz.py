"""Builds an implementation with libFuzzer and lets it run."""

from __future__ import annotations

import hashlib
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from host.build import FUZZED, SANITIZERS, Bundled, program_of
from host.units import Program

# The lengths of the first inputs. From nothing libFuzzer lengthens its inputs slowly, and a short
# run might see no text at all.
FIRST = (*range(8, 72, 8), 100, 160, 256, 400, 512)


@dataclass(frozen=True)
class Fuzzing:
    """How long: for so many seconds, or so many inputs (0: no limit)."""

    seconds: int = 0
    runs: int = 0


@dataclass(frozen=True)
class Found:
    """What came of it, in words."""

    passed: bool
    printed: str


def fuzz(implementation: Bundled, place: Path, how: Fuzzing) -> Found:
    """Fuzzes from the inputs kept in `place`, where an input that fails is kept too.

    `place` is created if it does not exist.
    """
    place.mkdir(parents=True, exist_ok=True)
    corpus = place / "corpus"
    corpus.mkdir(exist_ok=True)
    first = place / "first"
    first.mkdir(exist_ok=True)
    for length in FIRST:
        (first / str(length)).write_bytes(_input(length))
    program = place / "fuzzer"
    try:
        fuzzer(implementation).link(program)
    except AssertionError as error:
        return Found(False, f"does not build:\n{error}")
    run = subprocess.run(
        [
            *(program, corpus, first, f"-artifact_prefix={place}/", "-seed=1", "-max_len=512"),
            *("-timeout=20", "-rss_limit_mb=2048", "-print_final_stats=1"),
            *([f"-max_total_time={how.seconds}"] if how.seconds else []),
            *([f"-runs={how.runs}"] if how.runs else []),
        ],
        capture_output=True,
        text=True,
    )
    if run.returncode != 0:
        kept = re.findall(r"Test unit written to (\S+)", run.stderr)
        reported = re.sub(r"^(?:#\d|INFO:).*\n", "", run.stderr, flags=re.MULTILINE).splitlines()
        return Found(False, "\n".join([f"fails on {' '.join(kept)}:", *reported[:12]]))
    [runs] = re.findall(r"number_of_executed_units: *(\d+)", run.stderr)
    return Found(True, f"{runs} inputs, none failed")


def _input(length: int) -> bytes:
    """Any bytes; the first, the length of associated data, leaves a text in the longer ones."""
    return bytes([length // 4]) + hashlib.shake_128(str(length).encode()).digest(length - 1)


def fuzzer(implementation: Bundled) -> Program:
    """It with libFuzzer under the sanitizers."""
    flags = (*SANITIZERS, "-fsanitize=fuzzer")
    return program_of(implementation, FUZZED[implementation.kind], flags=flags)
