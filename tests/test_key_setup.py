"""Separate key setup and start of a message: verified and measured."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from packages_for_tests import files, run
from pennyweight.catalogue import Implementation
from pennyweight.catalogue.root import data_root
from pennyweight.model import Case, Operation, Status
from pennyweight.studies import find_study
from verdicts import cached_by_project

pytestmark = cached_by_project("builds")

MANIFEST = """incremental = true
key_setup = true
"""
API = """#define CRYPTO_KEYBYTES 32
#define CRYPTO_NSECBYTES 0
#define CRYPTO_NPUBBYTES 12
#define CRYPTO_ABYTES 16
"""


@pytest.fixture
def cipher(tmp_path: Path) -> Path:
    """Our ChaCha20-Poly1305 as a package of its own."""
    folder = tmp_path / "crypto_aead" / "chacha20-poly1305" / "own"
    folder.mkdir(parents=True)
    own = data_root() / "implementations"
    for place in ("chacha", "chacha/fast32", "poly1305/fast32", "util"):
        for path in (own / place).glob("*.[ch]"):
            shutil.copy(path, folder)
    shutil.copy(own / "aead" / "one_shot.c", folder)
    header = folder / "poly1305.h"
    header.write_text(header.read_text().replace("../native/", "native/"))
    (folder / "native").mkdir()
    (folder / "native" / "native.h").write_text("/* The package has no assembly. */\n")
    (folder / "api.h").write_text(API)
    (folder / "implementation.toml").write_text(MANIFEST)
    return folder


def measured(implementation: Implementation, *ops: Operation) -> dict[str, tuple[str, int]]:
    cases = [Case(op, 0, 16) for op in ops]
    result = run(implementation, "sam3x8e", *cases, verify="quick")
    assert "the state between parts takes " in result.notes[-1]
    found = result.measurements
    return {row.op: (row.status, row.cycles or 0) for row in found}


def test_both_are_parts_and_together_about_the_initialisation(cipher: Path) -> None:
    [found] = files().find(str(cipher))
    assert {Operation.KEY, Operation.START} <= set(found.parts())
    rows = measured(found, Operation.INIT, Operation.KEY, Operation.START)
    assert {status for status, _ in rows.values()} == {Status.OK}
    init, key, start = (rows[name][1] for name in ("init", "key", "start"))
    assert key < start < init < key + start + 100


def test_a_start_that_leaves_the_nonce_out_is_found(cipher: Path) -> None:
    source = cipher / "aead.c"
    text = source.read_text()
    line = "    chacha20_set_nonce(state->stream, nonce);\n"
    assert line in text
    source.write_text(text.replace(line, "    (void)nonce;\n"))
    [found] = files().find(str(cipher))
    result = run(found, "sam3x8e", verify="quick").measurements[0]
    assert result.status == Status.WRONG_ANSWER
    assert "with separate key setup" in result.reason


def test_a_mac_s_start_reads_the_nonce_behind_the_key() -> None:
    [found] = files().find("aes-128-gmac/small-table")
    rows = measured(found, Operation.KEY, Operation.START, Operation.AUTH)
    assert {status for status, _ in rows.values()} == {Status.OK}


def test_a_study_asks_for_them_only_where_they_are() -> None:
    study = find_study("ao-ae")
    [gcm] = files().find("aes-128-gcm/ct32")
    [hmac] = files().find("hmac-sha256/fast32")
    assert Operation.KEY in {case.op for case in study.cases_of_implementation(gcm)}
    assert Operation.KEY not in {case.op for case in study.cases_of_implementation(hmac)}
    [row] = run(hmac, "sam3x8e", Case(Operation.KEY, 0, 16), verify="none").measurements
    assert row.status == Status.SKIPPED and "'init' includes it" in row.reason
