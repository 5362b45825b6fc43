"""The short digests with which a quick verification checks the answers to the records sampled from
all of a set of NIST's form: `spread` in `algorithms/*.toml`.

`python -m host.spreads [NAME]...` in `tests/` prints them, from the first implementation of each
algorithm that gives the official set.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from host.build import Bundled, ask, build, bundled, field_of
from host.known_answers import Aead, lwc_aead_sets, lwc_cxof_set, lwc_hash_set, variant
from host.requests import encrypt


def sets_of(implementation: Bundled, runner: Path, form: str) -> dict[str, str]:
    """By the digest of a set of the form `lwc-*` that it gives, the set's spread."""
    entry = variant(implementation.algorithm)

    def aead(inputs: list[Aead]) -> list[bytes]:
        return encrypt(runner, inputs)

    def hashes(messages: list[bytes]) -> list[bytes]:
        return _asked(runner, [f"hash {field_of(each)}" for each in messages])

    def customised(inputs: list[tuple[bytes, bytes]]) -> list[bytes]:
        return _asked(runner, [f"hash {field_of(x)} {field_of(z)}" for x, z in inputs])

    if form == "lwc-aead":
        sizes = entry["key"], entry["nonce"]
        return lwc_aead_sets(sizes, aead, entry.get("longest", 0))
    return lwc_hash_set(hashes) if form == "lwc-hash" else lwc_cxof_set(customised)


def _asked(runner: Path, requests: list[str]) -> list[bytes]:
    return [bytes.fromhex(each) for each in ask(runner, requests)]


def main(names: list[str]) -> None:
    """Prints name, form and spread of each set."""
    seen = set()
    for each in bundled():
        if each.algorithm in seen or (names and each.algorithm not in names):
            continue
        seen.add(each.algorithm)
        sets = variant(each.algorithm)["known_answers"]
        forms = [(x["format"], x["sha256"]) for x in sets if x["format"].startswith("lwc-")]
        with tempfile.TemporaryDirectory() as place:
            runner = build(each, Path(place)) if forms else None
            for form, sha256 in forms:
                assert runner is not None
                spread = sets_of(each, runner, form)[sha256]
                sys.stdout.write(f"{each.algorithm}\t{form}\t{spread}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
