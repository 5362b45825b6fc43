"""`make bench-implementations` in a folder with a small clone of NIST's repository."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from packages_for_tests import side_by_side

ROOT = Path(__file__).parents[1]
MODULE = "scripts.bench_implementations"


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command in `folder`, where it keeps its results."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "src"), *filter(None, sys.path)])
    return subprocess.run(
        [sys.executable, "-m", MODULE, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def place(folder: Path) -> Path:
    """Where a clone in `folder` has its implementations of SHA-256."""
    return folder / "clone" / "implementations" / "_reference_" / "crypto_hash" / "sha256"


def package(into: Path, name: str, of: str = "sha-256") -> None:
    """A bundled implementation as a third-party package: no manifest, and only C."""
    side_by_side(f"{of}/{name}", into)
    for header in into.glob("*.h"):
        content = header.read_text().replace("defined(__AVR__)", "0")
        content = content.replace("PENNYWEIGHT_", "RIVAL_")
        header.write_text(re.sub(r"__asm__.*", "", content))
