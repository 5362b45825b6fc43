"""Long pseudo-random inputs for every algorithm, and what must become of them.

Official sets of the lightweight designs end at 32 bytes for AEADs and 1,024 for hashes, in steps of
one byte under one key. What only longer inputs show (a counter's feedback, the long form of a
length, an XOF's output behind its first block) is held by `long_answers.tsv`: for each variant the
SHA-256 of all outputs, and who else gave the same (the legend is at the file's top); and both again
for one very long input, whose lengths do not fit in 16 bits.

`python -m host.long_answers` in `tests/` prints the table's rows again, from the first
implementation of each; who else gave a value is kept from the file where it is the same.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from host.build import HERE, Bundled, ask, build, bundled, field_of
from host.known_answers import variant
from host.limits import COUNTED, LIMITED

TABLE = HERE / "long_answers.tsv"

SIZES = (
    *((0, 300), (300, 0), (33, 65), (65, 129), (255, 256)),
    *((130, 128), (127, 1025), (1000, 127), (1300, 129), (2500, 2600), (9000, 8500)),
)
"""Bytes of message and of associated data; of hashes, MACs and short AEADs, of the message."""

VERY_LONG = (70_001, 66_003)
"""The same of one input whose lengths do not fit in 16 bits, for those that take so many."""

OUTPUT = 600
"""Bytes asked of an XOF."""


def stream(name: str, size: int) -> Iterator[bytes]:
    """Pseudo-random strings of `size` bytes, one after the other: SHAKE256 of a name and number."""
    number = 0
    while True:
        yield hashlib.shake_256(f"{name} {number}".encode()).digest(size)
        number += 1


@dataclass(frozen=True)
class Input:
    """One case: `ad` are the associated data, or a customised XOF's string."""

    key: bytes
    nonce: bytes
    ad: bytes
    message: bytes


def cut_input(algorithm: str, text: bytes, m: int, ad: int) -> Input:
    """Cut from `text`: 64 bytes for key and nonce, associated data of `ad` and a message of `m`."""
    entry = variant(algorithm)
    middle = 64 + ad
    key, nonce = text[: entry.get("key", 0)], text[32 : 32 + entry.get("nonce", 0)]
    return Input(key, nonce, text[64:middle], text[middle : middle + m])


def inputs(algorithm: str) -> Iterator[Input]:
    """The long ones."""
    entry = variant(algorithm)
    random = stream(algorithm, 64 + 2 * max(max(each) for each in SIZES))
    for m, ad in SIZES:
        text = next(random)
        if entry.get("longest"):
            m, ad = m % (entry["longest"] + 1), 0
        if entry["kind"] == "hash":
            ad %= 257
        yield cut_input(algorithm, text, m, ad)


def very_long_input(algorithm: str) -> Input:
    """The very long one, or the longest that the algorithm takes."""
    entry = variant(algorithm)
    m, ad = VERY_LONG
    most = COUNTED.get(algorithm, m)
    m, ad = min(m, most, LIMITED.get(algorithm, m)), min(ad, most)
    if entry.get("longest"):
        m, ad = entry["longest"], 0
    if entry["kind"] != "aead":
        ad = 0
    return cut_input(algorithm, next(stream(f"{algorithm} very long", 64 + m + ad)), m, ad)


def _requests(implementation: Bundled, given: Input, ways: str = "") -> list[str]:
    """What to ask its runner; `ways` follows the words of requests."""
    word, fields = {
        "aead": ("encrypt", [given.key, given.nonce, given.ad, given.message]),
        "auth": ("sign", [given.key, given.message]),
        "hash": ("hash", [given.message, *([given.ad] if implementation.customised else [])]),
    }[implementation.kind]
    asked = [" ".join([f"{word}{ways}", *map(field_of, fields)])]
    if implementation.manifest.get("xof"):
        asked.append(f"squeeze {field_of(given.message)} {OUTPUT}")
    return asked


def _digest(answers: list[str]) -> str:
    return hashlib.sha256("\n".join(answers).encode()).hexdigest()


def answer(program: Path, implementation: Bundled) -> str:
    """The SHA-256 of its answers to the long inputs, as text."""
    requests = (_requests(implementation, each) for each in inputs(implementation.algorithm))
    return _digest(ask(program, [line for each in requests for line in each]))


def very_long_answer(program: Path, implementation: Bundled) -> str:
    """The same for the very long input. What was encrypted or signed is also opened or checked."""
    given = very_long_input(implementation.algorithm)
    answers = ask(program, _requests(implementation, given, "-long"))
    key, nonce, ad, message = map(field_of, (given.key, given.nonce, given.ad, given.message))
    if implementation.kind == "aead":
        back = [f"decrypt-long {key} {nonce} {ad} {answers[0]}"]
        assert ask(program, back) == [message]
    if implementation.kind == "auth":
        assert ask(program, [f"check-long {key} {message} {answers[0]}"]) == ["accepted"]
    return _digest(answers)


class Row(NamedTuple):
    """Digests of the long and the very long answers, and who else gave each."""

    digest: str
    others: str
    very_long: str
    very_long_others: str


def table() -> dict[str, Row]:
    """A row for each variant."""
    lines = TABLE.read_text(encoding="ascii").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return {name: Row(*columns) for name, *columns in rows}


def main() -> None:
    """Prints the rows."""
    known = table() if TABLE.exists() else {}
    seen = set()
    for each in bundled():
        if each.algorithm in seen:
            continue
        seen.add(each.algorithm)
        with tempfile.TemporaryDirectory() as place:
            program = build(each, Path(place))
            found = answer(program, each), very_long_answer(program, each)
        before = known.get(each.algorithm, Row("", "-", "", "-"))
        columns = (
            *(found[0], before.others if found[0] == before.digest else "-"),
            *(found[1], before.very_long_others if found[1] == before.very_long else "-"),
        )
        sys.stdout.write("\t".join((each.algorithm, *columns)) + "\n")


if __name__ == "__main__":
    main()
