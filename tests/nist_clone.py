"""A small clone of NIST's benchmarking repository: toy packages, figures of one board."""

from __future__ import annotations

import shutil
from pathlib import Path

from packages_for_tests import PACKAGES
from pennyweight.benchmarks.nist import Clone

HEADER = "submission,variant,primary,implementation,config,flash,"


def clone(root: Path, aead: str = "", packages: tuple[str, ...] = ("ref",)) -> Clone:
    """A clone with toy packages and, for the Uno, the given text as the AEADs' CSV."""
    (root / "benchmarks").mkdir(parents=True)
    (root / "benchmarks" / "uno-aead-summary.csv").write_text(aead or f"{HEADER}enc(0:16)\n")
    (root / "benchmarks" / "uno-hash-summary.csv").write_text(f"{HEADER}h(16)\n")
    family = root / "implementations" / "toy"
    shutil.copytree(PACKAGES / "common", family / "common")
    for name in packages:
        source = PACKAGES / "crypto_aead" / "toy" / name
        shutil.copytree(source, family / "crypto_aead" / "toy" / name)
    return Clone(root)
