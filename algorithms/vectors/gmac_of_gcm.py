"""Takes AES-GMAC's known answers out of CAVP GCM response files.

    python3 gmac_of_gcm.py gcmEncryptExtIV128.rsp gcmDecrypt128.rsp > AES-128-GMAC_cavp.txt

GMAC is GCM of nothing. Kept, in order, are the records with `[IVlen = 96]`, `[PTlen = 0]` and
`[Taglen = 128]`, without those to reject; the key is followed by the nonce, as in `aes-gmac.toml`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

WANTED = {"IVlen": "96", "PTlen": "0", "Taglen": "128"}


def gmac(text: str) -> list[str]:
    """The records that are kept of an official file."""
    kept = []
    for section in re.split(r"(?m)(?=^\[Keylen)", text.replace("\r\n", "\n")):
        if WANTED.items() <= dict(re.findall(r"\[(\w+) = (\d+)\]", section)).items():
            for block in section.split("\n\n"):
                record = dict(re.findall(r"(?m)^(\w+)(?: = (\w*))?$", block))
                if "Key" in record and "FAIL" not in record:
                    key, message, tag = record["Key"] + record["IV"], record["AAD"], record["Tag"]
                    kept.append(f"Key = {key}\nMsg = {message}\nTag = {tag}\n")
    return kept


if __name__ == "__main__":
    records = [each for name in sys.argv[1:] for each in gmac(Path(name).read_text("ascii"))]
    blocks = [f"Count = {count}\n{each}" for count, each in enumerate(records, start=1)]
    sys.stdout.write("\n".join(blocks))
