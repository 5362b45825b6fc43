"""What a job's name and provenance say of an implementation's sources."""

from __future__ import annotations

import contextlib
import hashlib
import os
from dataclasses import dataclass

from pennyweight.build.failure import BuildError
from pennyweight.build.sources import MOST_BYTES, collect
from pennyweight.catalogue.implementation import Implementation


def sources_sha256(implementation: Implementation) -> str:
    """Digest of an implementation's sources, also of one that cannot be built."""
    return inspect_sources(implementation).sha256


@dataclass(frozen=True, slots=True)
class Inspection:
    """What a job's name and provenance say of an implementation's sources."""

    sha256: str
    """Over names and content of all files."""
    meaning: str
    """Over what decides: bundled sources without their comments, others as they are."""
    has_cplusplus: bool


def inspect_sources(implementation: Implementation) -> Inspection:
    """Also of an implementation that cannot be built: of what is too much the beginning and the
    sizes, of links where they lead.
    """
    try:
        sources = collect(implementation)
        sha256 = sources.sha256
        meaning = sources.meaning if implementation.bundled else sha256
        return Inspection(sha256, meaning, sources.has_cplusplus)
    except BuildError as error:
        files = sorted(path for path in implementation.folder.glob("*") if path.is_file())
        total = hashlib.sha256(f"{error}\n".encode("utf-8", errors="surrogateescape"))
        left = MOST_BYTES
        for path in files:
            # What a link leads to may be none of the package's, or never end (/proc/kmsg).
            leads = f" {path.readlink()}" if path.is_symlink() else ""
            total.update(f"{path.name}{leads}\n".encode("utf-8", errors="surrogateescape"))
            if leads:
                continue
            with contextlib.suppress(OSError), path.open("rb") as file:
                content = file.read(left)
                left -= len(content)
                total.update(hashlib.sha256(content).digest())
                total.update(f"{os.fstat(file.fileno()).st_size}\n".encode())
        return Inspection(total.hexdigest(), total.hexdigest(), False)
