"""Vendored copies in SUPERCOP's tree: they build with the two headers that its script writes.

SUPERCOP's `do-part` names an implementation by its path, and defines the functions of `o`, such as
`crypto_aead`, as those of the primitive, `crypto_aead_<primitive>`, and these as those of the
implementation. The names become C only if the primitive's folder is an identifier.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from packages_for_tests import files
from pennyweight.catalogue.algorithms import by_alias, supercop_name
from pennyweight.standalone import package, place_in, write

FUNCTIONS = {
    "crypto_aead": {
        "_encrypt": "unsigned char *, unsigned long long *, const unsigned char *, "
        "unsigned long long, const unsigned char *, unsigned long long, const unsigned char *, "
        "const unsigned char *, const unsigned char *",
        "_decrypt": "unsigned char *, unsigned long long *, unsigned char *, "
        "const unsigned char *, unsigned long long, const unsigned char *, unsigned long long, "
        "const unsigned char *, const unsigned char *",
    },
    "crypto_hash": {"": "unsigned char *, const unsigned char *, unsigned long long"},
    "crypto_auth": {
        name: f"{const}unsigned char *, const unsigned char *, unsigned long long, "
        "const unsigned char *"
        for name, const in (("", ""), ("_verify", "const "))
    },
}
SIZES = {
    "crypto_aead": ("_KEYBYTES", "_NSECBYTES", "_NPUBBYTES", "_ABYTES"),
    "crypto_hash": ("_BYTES",),
    "crypto_auth": ("_BYTES", "_KEYBYTES"),
}
NAMES = (
    *("ascon-aead128/fast32", "aes-128-ccm/fast-table32", "gift-cofb/small", "sha-256/small"),
    *("ascon-hash256/small-bi32", "hmac-sha256/fast32", "kmac128/bi32", "comet-128-aes-spec/table"),
)
WARNINGS = ("-Wall", "-Wextra", "-Werror")


def guarded(name: str, lines: list[str]) -> str:
    return "\n".join([f"#ifndef {name}_H", f"#define {name}_H", *lines, "#endif", ""])


def headers(place: Path, api: str) -> dict[str, str]:
    """The two headers for the implementation at a path in the tree, whose `api.h` is given."""
    kind, primitive, _ = place.parts
    general, specific = f"{kind}_{primitive}", re.sub(r"[./-]", "_", str(place))
    defined = [*FUNCTIONS[kind], *SIZES[kind]]
    return {
        f"{kind}.h": guarded(
            kind,
            [
                f'#include "{general}.h"',
                *(f"#define {kind}{name} {general}{name}" for name in defined),
                f'#define {kind}_PRIMITIVE "{primitive}"',
                f"#define {kind}_IMPLEMENTATION {general}_IMPLEMENTATION",
            ],
        ),
        f"{general}.h": guarded(
            general,
            [
                re.sub(r"[ \t]CRYPTO_", f" {specific}_", api),
                *(f"extern int {specific}{name}({a});" for name, a in FUNCTIONS[kind].items()),
                *(f"#define {general}{name} {specific}{name}" for name in defined),
                f'#define {general}_IMPLEMENTATION "{place}"',
            ],
        ),
    }


def run(*words: str | Path) -> str:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def vendored(name: str, tree: Path) -> Path:
    """The path of a copy in a tree."""
    [found] = files().find(name)
    place = place_in(found)
    write(package(found), tree / place)
    return place


@pytest.mark.parametrize("name", NAMES)
def test_a_copy_builds_and_passes_with_the_headers_of_supercop(name: str, tmp_path: Path) -> None:
    place = vendored(name, tmp_path)
    folder = tmp_path / place
    work = tmp_path / "headers"
    write(headers(place, (folder / "api.h").read_text()), work)
    options = ("-std=c11", "-O1", *WARNINGS, "-DSUPERCOP", f"-I{work}")
    sources = [*sorted(folder.glob("*.c")), folder / "test" / "one_shot.c"]
    run("gcc", *options, *sources, "-o", tmp_path / "program")
    assert " known answers passed" in run(tmp_path / "program")
    symbols = run("nm", "--defined-only", "--extern-only", tmp_path / "program").split()
    kind = place.parts[0]
    for function in FUNCTIONS[kind]:
        assert f"{re.sub(r'[./-]', '_', str(place))}{function}" in symbols
        assert f"{kind}{function}" not in symbols


def test_every_algorithm_has_a_name_for_the_tree_that_is_read_back() -> None:
    known = files().algorithms
    assert len(known) > 100
    for each in known.values():
        name = supercop_name(each)
        assert re.fullmatch(r"[a-z0-9]+", name)
        assert by_alias(name, known, each.kind) is each


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ascon-aead128", "asconaead128"),
        ("ascon-128", "ascon128"),
        ("gimli-24-hash", "gimli24v1"),
        ("comet-128-aes-spec", "comet128aesspec"),
        ("xoodyak", "xoodyak"),
    ],
)
def test_the_alias_without_dashes_comes_first(name: str, expected: str) -> None:
    assert supercop_name(files().algorithms[name]) == expected


def test_copies_of_one_family_link_as_the_guide_describes(tmp_path: Path) -> None:
    """The guide's commands, which give each copy one object with functions of other names."""
    guide = Path(__file__).parent.parent / "docs" / "howto" / "vendor.md"
    [script] = re.findall(r"```sh\n(.*?)```", guide.read_text(encoding="utf-8"), re.DOTALL)
    places = [vendored(f"{name}/fast32", tmp_path) for name in ("ascon-aead128", "ascon-128")]
    for place, prefix in zip(places, ("first", "second"), strict=True):
        text = script.replace("third-party/crypto_aead/asconaead128/bi32", str(place))
        assert str(place) in text and "ascon_encrypt" in text
        text = text.replace("ascon_", f"{prefix}_").replace(
            "arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb", "gcc"
        )
        text = text.replace("ascon.o", f"{prefix}.o").replace("arm-none-eabi-", "")
        subprocess.run(["sh", "-ec", text], cwd=tmp_path, check=True)
    arguments = FUNCTIONS["crypto_aead"]["_encrypt"]
    main = tmp_path / "main.c"
    main.write_text(
        f"int first_encrypt({arguments});\nint second_encrypt({arguments});\n"
        "int main(void)\n{\n    unsigned char c[16] = {0}, k[16] = {0};\n"
        "    unsigned long long n;\n"
        "    return first_encrypt(c, &n, k, 0, k, 0, 0, k, k) |\n"
        "           second_encrypt(c, &n, k, 0, k, 0, 0, k, k);\n}\n"
    )
    objects = [tmp_path / "first.o", tmp_path / "second.o"]
    run("gcc", main, *objects, "-o", tmp_path / "program")
    run(tmp_path / "program")
