"""The short digests by which verification on a part knows the answers to long inputs: `long` in
`algorithms/*.toml`.

`python -m host.long_records [NAME]...` in `tests/` prints them, from the first implementation of
each algorithm.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from host.build import Bundled, ask, build, bundled, field_of
from host.known_answers import variant
from pennyweight.verify.long_messages import long_inputs
from pennyweight.verify.records import short_digest


def digests_of(implementation: Bundled, runner: Path) -> str:
    """Of its answers to all inputs."""
    entry = variant(implementation.algorithm)
    inputs = long_inputs(
        implementation.algorithm,
        entry.get("key", 0),
        entry.get("nonce", 0) if implementation.kind == "aead" else 0,
        implementation.kind == "aead",
    )
    requests = []
    for each in inputs:
        word, fields = {
            "aead": ("encrypt", [each.key, each.nonce, each.ad, each.message]),
            "auth": ("sign", [each.key, each.message]),
            "hash": ("hash", [each.message, *([b""] if implementation.customised else [])]),
        }[implementation.kind]
        requests.append(" ".join([word, *map(field_of, fields)]))
    return " ".join(short_digest(bytes.fromhex(each)) for each in ask(runner, requests))


def main(names: list[str]) -> None:
    """Prints name and digests of each."""
    seen = set()
    for each in bundled():
        if each.algorithm in seen or (names and each.algorithm not in names):
            continue
        seen.add(each.algorithm)
        if variant(each.algorithm).get("longest"):
            continue
        with tempfile.TemporaryDirectory() as place:
            sys.stdout.write(f"{each.algorithm}\t{digests_of(each, build(each, Path(place)))}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
