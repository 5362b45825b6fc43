"""libFuzzer runs each decryption, and finds what is wrong with one."""

from __future__ import annotations

from pathlib import Path

import pytest

from host.build import Bundled, bundled
from host.fuzz import Fuzzing, fuzz, fuzzer
from verdicts import Inputs, cached

SHORT = Fuzzing(runs=300)
SOME = ("aes-128-cmac/ct8", "ascon-aead128/fast8", "gift-cofb/fast32", "romulus-m/small")

TOY = """
#include "api.h"
#include "crypto_aead.h"
#include <string.h>

int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k)
{
    const unsigned length = (unsigned)mlen;
    unsigned char sum = 0;
    (void)ad, (void)adlen, (void)nsec, (void)npub;
    for (unsigned i = 0; i < length; i++) {
        c[i] = (unsigned char)(m[i] ^ k[0]);
        sum = (unsigned char)(sum * 5 + c[i]);
    }
    c[length] = sum;
    c[length + 1] = (unsigned char)~sum;
    *clen = mlen + CRYPTO_ABYTES;
    return 0;
}

int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub,
                        const unsigned char *k)
{
    unsigned char sum = 0;
    unsigned length;
    (void)ad, (void)adlen, (void)nsec, (void)npub;
    if (clen < CRYPTO_ABYTES) {
        return -1;
    }
    length = (unsigned)clen - CRYPTO_ABYTES;
    *mlen = length;
    for (unsigned i = 0; i < length; i++) {
        sum = (unsigned char)(sum * 5 + c[i]);
        m[i] = (unsigned char)(c[i] ^ k[0]);
    }
    if (((sum ^ c[LAST]) OR (255 ^ sum ^ c[LAST + 1])) != 0) {
        CLEAR;
        return -1;
    }
    return 0;
}
"""


def _bundled(name: str) -> Bundled:
    [found] = [each for each in bundled() if each.id == name]
    return found


@pytest.mark.parametrize("name", SOME)
@cached("fuzzing", lambda name: Inputs(units=(fuzzer(_bundled(name)),)))
def test_an_implementation_stands_a_short_run(name: str, tmp_path: Path) -> None:
    found = fuzz(_bundled(name), tmp_path, SHORT)
    assert found.passed, found.printed
    assert int(found.printed.split()[0]) >= SHORT.runs


@pytest.mark.parametrize(
    ("last", "join", "clear", "why"),
    [
        ("length", "|", "memset(m, 0, length)", None),
        ("length", "|", "(void)0", "broken: a rejected ciphertext leaves zeros"),
        ("length + 1", "|", "memset(m, 0, length)", "heap-buffer-overflow"),
        ("length", "^", "memset(m, 0, length)", "broken: a tag with two bytes changed is rejected"),
    ],
    ids=["right", "leaves plaintext", "reads outside", "adds differences"],
)
def test_what_a_decryption_does_wrong_is_found(
    last: str, join: str, clear: str, why: str | None, tmp_path: Path
) -> None:
    folder = tmp_path / "crypto_aead" / "toy" / "ref"
    folder.mkdir(parents=True)
    sizes = {"KEYBYTES": 1, "NSECBYTES": 0, "NPUBBYTES": 1, "ABYTES": 2}
    (folder / "api.h").write_text("".join(f"#define CRYPTO_{x} {y}\n" for x, y in sizes.items()))
    text = TOY.replace("LAST", last).replace("OR", join).replace("CLEAR", clear)
    (folder / "toy.c").write_text(text)
    found = fuzz(Bundled(folder, {}), tmp_path / "place", SHORT)
    assert found.passed == (why is None), found.printed
    if why is not None:
        assert why in found.printed
        kept = list((tmp_path / "place").glob("crash-*"))
        assert kept and str(kept[0]) in found.printed


def test_a_warning_of_clang_is_reported(tmp_path: Path) -> None:
    folder = tmp_path / "crypto_aead" / "toy" / "ref"
    folder.mkdir(parents=True)
    (folder / "toy.c").write_text("int crypto_aead(void) { int unused; return 0; }\n")
    found = fuzz(Bundled(folder, {}), tmp_path / "place", SHORT)
    assert not found.passed
    assert "unused variable" in found.printed
