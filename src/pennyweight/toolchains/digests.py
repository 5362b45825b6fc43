"""Digests of large files, cached."""

from __future__ import annotations

import contextlib
import hashlib
import json
from pathlib import Path

from pennyweight import cache


def file_sha256(path: Path) -> str:
    """Digest of a file, cached by path, size and times. Resetting the modification time does not
    hide a change, because the status change time differs.
    """
    stat = path.stat()
    label = f"{path}\n{stat.st_size}\n{stat.st_mtime_ns}\n{stat.st_ctime_ns}"
    key = hashlib.sha256(label.encode()).hexdigest()
    known = cache.read("digests", key)
    if known is not None:
        with contextlib.suppress(ValueError, KeyError, TypeError):
            return str(json.loads(known)["sha256"])
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    cache.write("digests", key, json.dumps({"path": str(path), "sha256": digest}).encode())
    return digest
