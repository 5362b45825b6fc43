"""What the tests of building, verifying and measuring share: the toy packages and short names."""

from __future__ import annotations

import re
import shutil
from functools import cache
from pathlib import Path

from pennyweight import catalogue
from pennyweight.build.sources import collect
from pennyweight.catalogue import Board, Catalogue, Implementation
from pennyweight.job import Job, Level
from pennyweight.model import Case, JobResult, Operation

PACKAGES = Path(__file__).parent / "packages"
AVR = "atmega328p"
ARM = "stm32f030"
BOARDS = (AVR, ARM)


@cache
def files() -> Catalogue:
    return catalogue.load()


def board(name: str) -> Board:
    return files().board(name)


def toy(name: str) -> Implementation:
    """A package of `packages/crypto_aead/toy`."""
    [found] = files().find(str(PACKAGES / "crypto_aead" / "toy" / name))
    return found


def package(path: str) -> Implementation:
    """A package by its path under `packages`."""
    [found] = files().find(str(PACKAGES / path))
    return found


def copied(target: Path, name: str = "ref") -> Path:
    """A copy of a toy package that a test may change, in the same kind of tree."""
    folder = target / "crypto_aead" / "toy" / name
    shutil.copytree(PACKAGES / "crypto_aead" / "toy" / name, folder)
    if not (target / "common").exists():
        shutil.copytree(PACKAGES / "common", target / "common")
    return folder


def side_by_side(name: str, folder: Path) -> Path:
    """A bundled implementation as a third-party package: all its files in one folder."""
    [found] = files().find(name)
    folder.mkdir(parents=True)
    for _, path in collect(found).files():
        assert not (folder / path.name).exists()
        text = path.read_text()
        (folder / path.name).write_text(re.sub(r'"(\.\./)?native/native\.h"', '"native.h"', text))
    for header, text in found.generated:
        (folder / header).write_text(text)
    return folder


def at(folder: Path) -> Implementation:
    [found] = files().find(str(folder))
    return found


def run(
    implementation: Implementation,
    board_name: str,
    *cases: Case,
    flags: str = "-Os",
    verify: Level = "full",
    budget: int = 20_000_000,
) -> JobResult:
    from pennyweight.measure import run_job

    wanted = cases or (Case(implementation.operations()[0], 0, 16),)
    return run_job(
        Job(implementation, board(board_name), flags, wanted, verify=verify, budget=budget)
    )


def enc(ad: int, m: int) -> Case:
    return Case(Operation.ENC, ad, m)


def dec(ad: int, m: int) -> Case:
    return Case(Operation.DEC, ad, m)
