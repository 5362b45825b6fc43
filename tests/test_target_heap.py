"""Packages that call malloc: they get a heap next to the stack, and it is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from packages_for_tests import BOARDS, at, board, copied, dec, enc, run
from pennyweight.build import build
from pennyweight.job import Job
from pennyweight.model import Status
from pennyweight.target.heap import Heap
from pennyweight.target.simulated import simulate
from verdicts import cached_by_project

pytestmark = cached_by_project("measurements")


def allocating(tmp_path: Path, statements: str) -> Path:
    """The sound toy with statements before encryption."""
    folder = copied(tmp_path)
    source = folder / "encrypt.c"
    text = source.read_text().replace("(void)nsec;", f"(void)nsec; {statements}", 1)
    source.write_text("#include <stdlib.h>\n#include <string.h>\n" + text)
    return folder


USED = """
    volatile char *p = malloc(mlen + 40);
    if (p == 0) { return -12; }
    for (unsigned i = 0; i < mlen + 40; i++) { p[i] = 1; }
"""


@pytest.mark.parametrize("name", [*BOARDS, "fe310-g002"])
@pytest.mark.parametrize("after", ["free((char *)p);", "p[0] = 2;"], ids=["freed", "leaked"])
def test_a_package_that_allocates_is_verified_and_measured(
    after: str, name: str, tmp_path: Path
) -> None:
    plain = run(at(copied(tmp_path / "plain")), name, enc(0, 0), enc(0, 64))
    result = run(at(allocating(tmp_path, f"{USED} {after}")), name, enc(0, 0), enc(0, 64))
    assert [row.reason for row in result.measurements] == ["", ""]
    assert "1089 of 1089 round trips" in result.provenance.verified
    for with_heap, without, size in zip(
        result.measurements, plain.measurements, (40, 104), strict=True
    ):
        heap = (with_heap.stack or 0) - (without.stack or 0)
        assert size <= heap <= size + 64


@pytest.mark.parametrize("name", BOARDS)
def test_what_a_heap_of_finite_size_cannot_give_is_refused_to_the_package(
    name: str, tmp_path: Path
) -> None:
    folder = allocating(tmp_path, "char *p = malloc(30000); if (p == 0) { return -12; } free(p);")
    [row] = run(at(folder), name).measurements
    assert row.status == Status.WRONG_ANSWER
    assert "crypto_aead_encrypt returned -12 instead of 0" in row.reason


@pytest.mark.parametrize("name", [*BOARDS, "fe310-g002"])
def test_a_null_pointer_that_is_used_is_reported_with_the_heaps_size(
    name: str, tmp_path: Path
) -> None:
    folder = allocating(tmp_path, "memset(malloc(20000), 1, 20000);")
    [row] = run(at(folder), name).measurements
    assert row.status != Status.OK
    assert "(it calls malloc, and the heap had " in row.reason


@pytest.mark.parametrize("name", BOARDS)
def test_a_program_that_does_not_allocate_has_no_heap(name: str, tmp_path: Path) -> None:
    program = build(Job(at(copied(tmp_path)), board(name), "-Os")).programs["full"]
    assert Heap.of(simulate(board(name), program), 4) is None
    decrypting = run(at(copied(tmp_path / "other")), name, dec(0, 8))
    assert decrypting.measurements[0].status == Status.OK


def test_a_package_that_prints_is_verified_and_measured(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    source = folder / "encrypt.c"
    text = source.read_text().replace("(void)nsec;", '(void)nsec; printf("%d\\n", (int)mlen);', 1)
    source.write_text("#include <stdio.h>\n" + text)
    result = run(at(folder), "sam3x8e", enc(0, 16), dec(0, 16), verify="quick")
    assert [row.reason for row in result.measurements] == ["", ""]


MANY = """
    char *p[8], *large;
    for (unsigned i = 0; i < 8; i++) {
        p[i] = malloc(i + 1);
        if (p[i] == 0) { return -12; }
        memset(p[i], (int)i, i + 1);
    }
    for (unsigned i = 0; i < 8; i += 2) { free(p[i]); }
    p[1] = realloc(p[1], 20);
    for (unsigned i = 0; i < 2; i++) { if (p[1] == 0 || p[1][i] != 1) { return -13; } }
    for (unsigned i = 3; i < 8; i += 2) { if (p[i][i] != (char)i) { return -14; } free(p[i]); }
    free(p[1]);
    large = calloc(20, 2);
    if (large == 0 || (char *)large > p[7]) { return -15; }
    for (unsigned i = 0; i < 40; i++) { if (large[i] != 0) { return -16; } }
    free(large);
"""


@pytest.mark.parametrize("name", ["fe310-g002", "msp430f1611"])
def test_our_own_malloc_gives_freed_neighbours_out_again_as_one(name: str, tmp_path: Path) -> None:
    [row] = run(at(allocating(tmp_path, MANY)), name, enc(0, 8), verify="quick").measurements
    assert (row.status, row.reason) == (Status.OK, "")
