"""Reads the pages and tables of a report."""

from __future__ import annotations

import csv
import gzip
import re
from pathlib import Path


def text_of(page: Path) -> str:
    """The words of a page, separated by single spaces."""
    plain = re.sub(r"<[^>]*>", " ", page.read_text(encoding="utf-8"))
    return " ".join(plain.replace("\u00a0", " ").replace("\u2011", "-").split())


def rows_of(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV, which is compressed where it is long."""
    packed = path if path.suffix == ".gz" else path.with_name(f"{path.name}.gz")
    assert packed == path or packed.exists() != path.exists()
    raw = gzip.decompress(packed.read_bytes()) if packed.exists() else path.read_bytes()
    return list(csv.DictReader(raw.decode("utf-8").splitlines()))
