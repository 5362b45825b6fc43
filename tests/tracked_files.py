"""The repository's current files, for tests of commands that must not change them."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def tracked() -> dict[str, str]:
    """The SHA-256 of each file that Git tracks or would add, by its path in the repository."""
    words = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    files = [(name, ROOT / name) for name in names.split("\0") if name]
    return {
        name: hashlib.sha256(path.read_bytes()).hexdigest()
        for name, path in files
        if path.is_file()
    }
