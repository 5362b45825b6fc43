"""Long pseudo-random inputs for every algorithm, and what must become of them.

Official sets of the lightweight designs end at 32 bytes for AEADs and 1,024 for hashes, in steps of
one byte under one key. What only longer inputs show (a counter's feedback, the long form of a
length, an XOF's output behind its first block) is held by `long_answers.tsv`: for each variant the
SHA-256 of all outputs, and who else gave the same (the legend is at the file's top).

`python -m host.long_answers` in `tests/` prints the table's rows anew, from the first
implementation of each; the last column is kept from the file where the value is the same.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from host.build import HERE, Bundled, ask, build, bundled, field_of
from host.known_answers import variant

TABLE = HERE / "long_answers.tsv"

SIZES = (
    *((0, 300), (300, 0), (33, 65), (65, 129), (255, 256)),
    *((130, 128), (127, 1025), (1000, 127), (1300, 129), (2500, 2600), (9000, 8500)),
)
"""Bytes of message and of associated data; of hashes, MACs and short AEADs, of the message."""

OUTPUT = 600
"""Bytes asked of an XOF."""


def stream(name: str, size: int) -> Iterator[bytes]:
    """Pseudo-random strings of `size` bytes, one after the other: SHAKE256 of a name and number."""
    number = 0
    while True:
        yield hashlib.shake_256(f"{name} {number}".encode()).digest(size)
        number += 1


def inputs(algorithm: str) -> Iterator[tuple[bytes, bytes, bytes, bytes]]:
    """Key, nonce, associated data (of a customised XOF, the string) and message of each case."""
    entry = variant(algorithm)
    random = stream(algorithm, 64 + 2 * max(max(each) for each in SIZES))
    for m, ad in SIZES:
        text = next(random)
        key, nonce = text[: entry.get("key", 0)], text[32 : 32 + entry.get("nonce", 0)]
        if entry.get("longest"):
            m, ad = m % (entry["longest"] + 1), 0
        if entry["kind"] == "hash":
            ad %= 257
        middle = 64 + ad
        yield key, nonce, text[64:middle], text[middle : middle + m]


def requests(implementation: Bundled) -> list[str]:
    """What to ask its runner."""
    asked = []
    for key, nonce, ad, m in inputs(implementation.algorithm):
        word, fields = {
            "aead": ("encrypt", [key, nonce, ad, m]),
            "auth": ("sign", [key, m]),
            "hash": ("hash", [m, ad] if implementation.customised else [m]),
        }[implementation.kind]
        asked.append(" ".join([word, *map(field_of, fields)]))
        if implementation.manifest.get("xof"):
            asked.append(f"squeeze {field_of(m)} {OUTPUT}")
    return asked


def answer(program: Path, implementation: Bundled) -> str:
    """The SHA-256 of all that it answers, as text."""
    answers = ask(program, requests(implementation))
    return hashlib.sha256("\n".join(answers).encode()).hexdigest()


def table() -> dict[str, tuple[str, str]]:
    """For each variant the digest, and who else gave it."""
    lines = TABLE.read_text(encoding="ascii").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return {name: (digest, others) for name, digest, others in rows}


def main() -> None:
    """Prints the rows."""
    known = table() if TABLE.exists() else {}
    seen = set()
    for each in bundled():
        if each.algorithm in seen:
            continue
        seen.add(each.algorithm)
        with tempfile.TemporaryDirectory() as place:
            digest = answer(build(each, Path(place)), each)
        before, others = known.get(each.algorithm, ("", "-"))
        sys.stdout.write(f"{each.algorithm}\t{digest}\t{others if digest == before else '-'}\n")


if __name__ == "__main__":
    main()
