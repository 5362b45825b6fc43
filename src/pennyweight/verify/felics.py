"""The known answer in packages for FELICS-AEAD and FELICS-AE: the arrays of `test_vectors.c`. In
FELICS-AE, the ciphertext includes the tag.
"""

from __future__ import annotations

import re
from pathlib import Path

from pennyweight.catalogue.tomlfile import read_text
from pennyweight.verify.records import AeadRecord

FILE = "test_vectors.c"

_ARRAY = re.compile(
    r"\bexpected(Key|Nonce|Associated|AssociatedData|Plaintext|Ciphertext|Tag)\b[^={;]{0,200}=\s*\{([^{}]*)\}"
)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*", re.DOTALL)
_LARGEST = 1 << 20


def own_record(folder: Path) -> AeadRecord | None:
    """The package's own record, if it is complete."""
    path = folder / FILE
    if not path.is_file() or path.stat().st_size > _LARGEST:
        return None
    text = _COMMENT.sub(" ", read_text(path, errors="replace"))
    found: dict[str, bytes] = {}
    for name, content in _ARRAY.findall(text):
        try:
            value = bytes(int(each, 0) for each in content.replace(",", " ").split())
        except ValueError:
            return None
        # The preprocessor selects one of several sets; the first is the one that is compiled.
        found.setdefault(name, value)
    if not all(found.get(name) for name in ("Key", "Nonce", "Plaintext", "Ciphertext")):
        return None
    sealed = found["Ciphertext"] + found.get("Tag", b"")
    if len(sealed) <= len(found["Plaintext"]):
        return None  # without a tag
    return AeadRecord(
        count=1,
        key=found["Key"],
        nonce=found["Nonce"],
        ad=found.get("AssociatedData", found.get("Associated", b"")),
        message=found["Plaintext"],
        sealed=sealed,
    )
