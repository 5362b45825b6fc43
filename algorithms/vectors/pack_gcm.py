"""Packs a CAVP GCM response file into what cannot be calculated: its inputs.

    python3 pack_gcm.py gcmDecrypt128.rsp > gcmDecrypt128.inputs

The result begins with the comments at the top and an empty line. Then follow the sections, all of
15 records and in the official order: a number of two bytes, the most significant first, whose bit i
is set if record i must be rejected (`FAIL`), and the records' bytes, Key, IV, AAD and PT one after
the other, or Key, IV, AAD, CT and Tag of a record to reject. Their sizes follow from the section's
place. The other values are what AES-GCM makes of these: `tests/test_host_gcm.py` has all
implementations calculate them, writes the official file from them and compares its digest.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

RECORDS = 15
"""Records of a section."""


def pack(text: str) -> bytes:
    """The inputs of an official file."""
    lines = text.replace("\r\n", "\n")
    head, _, body = lines.partition("\n\n")
    packed = [head.encode("ascii"), b"\n\n"]
    for section in re.split(r"(?m)^\[Keylen = \d+\]$", body)[1:]:
        records = [dict(re.findall(r"(?m)^(\w+)(?: = (\w*))?$", each)) for each in blocks(section)]
        assert len(records) == RECORDS
        packed.append(sum(("FAIL" in each) << i for i, each in enumerate(records)).to_bytes(2))
        for each in records:
            rest = ("CT", "Tag") if "FAIL" in each else ("PT",)
            packed += [bytes.fromhex(each[name]) for name in ("Key", "IV", "AAD", *rest)]
    return b"".join(packed)


def blocks(section: str) -> list[str]:
    """The records of a section, whose heading has no empty line in it."""
    return [each for each in section.split("\n\n") if each.startswith("Count")]


if __name__ == "__main__":
    sys.stdout.buffer.write(pack(Path(sys.argv[1]).read_text(encoding="ascii")))
