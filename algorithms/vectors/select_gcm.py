"""Selects the records of a CAVP GCM response file that fit an AEAD of the NIST LWC API.

    python3 select_gcm.py gcmEncryptExtIV128.rsp > gcmEncryptExtIV128-96-128.rsp

Kept, unchanged and in order: the comments at the top, and every section whose heading says
`[IVlen = 96]` and `[Taglen = 128]`. The official files (13 MB each) have 525 sections; 25 are kept.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

WANTED = {"IVlen": "96", "Taglen": "128"}


def select(text: str) -> str:
    """The text that is kept of an official file; line ends become LF."""
    lines = text.replace("\r\n", "\n")
    start = lines.index("[")
    sections = re.split(r"(?m)(?=^\[Keylen)", lines[start:])
    kept = [
        section
        for section in sections
        if WANTED.items() <= dict(re.findall(r"\[(\w+) = (\d+)\]", section)).items()
    ]
    return lines[:start] + "".join(kept)


if __name__ == "__main__":
    sys.stdout.write(select(Path(sys.argv[1]).read_text()))
