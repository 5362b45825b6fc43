"""Manifests of families: what they add up to, and what is wrong in one in a sentence."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from packages_for_tests import files
from pennyweight.build.sources import collect
from pennyweight.catalogue import Implementation
from pennyweight.catalogue.families import bundled
from pennyweight.model import UserError

ROOT = files().root / "implementations"
MODE = """
[[variant]]
algorithms = ["sha-256"]
sources = ["hash.c"]

[representation.small]
title = "{title}, small"
word_bits = 8
"""


def family(root: Path, name: str, manifest: str, *sources: str) -> Path:
    """A family with a manifest and sources, and the folder that all share."""
    folder = root / name
    for each in ("hash.c", *sources):
        path = folder / each
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    (root / "util").mkdir(exist_ok=True)
    (folder / "manifest.toml").write_text(manifest)
    return folder


def found(root: Path) -> dict[str, Implementation]:
    return {each.id: each for each in bundled(root, files().algorithms)}


def problem(root: Path) -> str:
    with pytest.raises(UserError) as raised:
        bundled(root, files().algorithms)
    message = str(raised.value)
    assert "\n" not in message
    return message.replace(f"{root}/", "")


def test_variants_and_representations_are_crossed(tmp_path: Path) -> None:
    manifest = """
    [[variant]]
    algorithms = ["romulus-n", "romulus-m"]
    sources = ["{member}/aead.c", "mode.c"]
    include = [".", "{member}"]
    defines = ["WORDS 4"]
    in_place = true

    [variant.additions.fast8]
    sources = ["last.c"]
    word_bits = 16

    [representation.fast8]
    title = "{title} in bytes"
    word_bits = 8
    uses = ["other/part"]
    sources = ["bytes.c"]

    [representation.table32]
    title = "{title} with tables"
    notes = "Tables."
    word_bits = 32
    constant_time = false
    """
    other = """
    [representation.part]
    notes = "A part."
    meant_for = ["avr"]
    sources = ["part.c"]
    include = ["."]
    defines = ["PART"]
    """
    family(tmp_path, "romulus", manifest, "n/aead.c", "m/aead.c", "mode.c", "bytes.c", "last.c")
    family(tmp_path, "other", other, "part.c")
    every = found(tmp_path)
    assert sorted(every) == [
        *("romulus-m/fast8", "romulus-m/table32", "romulus-n/fast8", "romulus-n/table32")
    ]
    one = every["romulus-n/fast8"]
    assert one.manifest.sources == (
        *("romulus/n/aead.c", "romulus/mode.c", "other/part.c", "romulus/bytes.c"),
        "romulus/last.c",
    )
    assert one.manifest.include == ("util", "romulus", "romulus/n", "other")
    assert one.generated == (
        (
            "api.h",
            "#define CRYPTO_KEYBYTES 16\n#define CRYPTO_NSECBYTES 0\n"
            "#define CRYPTO_NPUBBYTES 16\n#define CRYPTO_ABYTES 16\n"
            "#define WORDS 4\n#define PART\n",
        ),
    )
    reported = one.manifest
    assert (reported.title, reported.notes, reported.word_bits) == (
        "Romulus-N in bytes",
        "A part.",
        16,
    )
    assert (reported.meant_for, reported.constant_time, reported.in_place) == (("avr",), True, True)
    table = every["romulus-m/table32"].manifest
    assert table.sources == ("romulus/m/aead.c", "romulus/mode.c")
    assert (table.word_bits, table.constant_time) == (32, False)
    assert table.notes.startswith("Tables. Constant time only on cores without caches")


def test_a_variant_may_list_representations_of_its_own(tmp_path: Path) -> None:
    manifest = MODE.replace("sources", 'representations = { fast = "small" }\nsources')
    family(tmp_path, "sha2", manifest)
    assert list(found(tmp_path)) == ["sha-256/fast"]


WRONG = {
    'algorithms = ["sha-256"]|algorithms = ["sha-265"]': (
        "sha2/manifest.toml: field 'variant[1].algorithms': no file in algorithms/ defines "
        "'sha-265': did you mean sha-256 or sha3-256 or sha-512? add it there"
    ),
    'algorithms = ["sha-256"]|algorithms = ["sha-256", "sha-256"]': (
        "sha2/manifest.toml: field 'variant[1].algorithms': 'sha-256' is listed twice: remove one"
    ),
    "word_bits = 8|word_bits = 12": "field 'representation.small.word_bits'",
    "word_bits = 8|word_bits = 8\nmeant_for = ['avrx']": (
        "sha2/manifest.toml: field 'representation.small.meant_for': 'avrx' is not a board, a "
        "core, an instruction set or a family of cores: did you mean avr"
    ),
    "word_bits = 8|": (
        "sha2/manifest.toml: field 'representation.small.word_bits': it is missing; add it"
    ),
    'title = "{title}, small"|': "field 'representation.small.title': it is missing; add it",
    "word_bits|wordbits": (
        "unknown field 'representation.small.wordbits': did you mean word_bits?"
    ),
    '"hash.c"|"hsah.c"': (
        "field 'variant[1].sources': there is no file 'hsah.c'; add it or correct this"
    ),
    '"hash.c"|"../../hash.c"': "'../../hash.c' is outside ",
    '"hash.c"|"/etc/passwd"': "'/etc/passwd' is outside ",
    'word_bits = 8|word_bits = 8\ninclude = ["hash.c"]': (
        "field 'representation.small.include': there is no folder 'hash.c'; add it or correct this"
    ),
    'sources|representations = ["smalls"]\nsources': (
        "field 'variant[1].representations': unknown representation 'smalls': did you mean "
        "small? add a table [representation.smalls]"
    ),
    "[representation|[variant.additions.smalls]\n[representation": (
        "field 'variant[1].additions': unknown implementation 'smalls': did you mean "
        "small? correct it"
    ),
    "word_bits = 8|uses = ['sha3/small']": (
        "field 'representation.small.uses': unknown representation 'sha3/small': did you "
        "mean sha2/small? correct it"
    ),
    "word_bits = 8|uses = ['sha2/small']": (
        "field 'representation.small.uses': it uses itself; remove one of the 'uses'"
    ),
    "word_bits = 8|word_bits = 8\nshares = 2": (
        "field 'representation.small.shares': the name of an implementation must contain 'masked' "
        "if it has shares, and only then; rename it or correct the field"
    ),
    "[representation.small]|[representation.masked2]": (
        "field 'representation.masked2.shares': the name of an implementation must contain "
        "'masked' if it has shares, and only then; rename it or correct the field"
    ),
    "word_bits = 8|word_bits = 8\nconstant_time = false": (
        "field 'representation.small.constant_time': the name of a representation must "
        "contain 'table' if this is false, and only then"
    ),
    "sources|representations = 'small'\nsources": (
        "field 'variant[1].representations': input should"
    ),
    "sources|xof = true\nsources": (
        "field 'variant[1]': 'xof' is part of the incremental API: set 'incremental' too"
    ),
    "sources|defines = ['A-B']\nsources": "field 'variant[1].defines[1]'",
    "[representation|[[variant]]\nalgorithms = ['sha-256']\n[representation": (
        "sha2/manifest.toml has 'sha-256/small' too; remove one of them"
    ),
}


ASSEMBLED = """
[assembly]
"native/a.S" = ["armv7-m", "armv7e-m"]
"native/b.S" = ["armv7e-m", "avre"]
"in_registers.c" = ["avrxt"]

[representation.asm]
title = "{title}, in assembly"
word_bits = 8
sources = ["native/a.S", "native/b.S"]

[representation.fast8]
title = "{title}, in inline assembly"
word_bits = 8
sources = ["in_registers.c"]
"""


def assembled(root: Path, manifest: str = MODE + ASSEMBLED) -> None:
    family(root, "sha2", manifest, "native/a.S", "native/b.S", "in_registers.c")


def test_an_implementation_with_assembly_states_its_instruction_sets(tmp_path: Path) -> None:
    assembled(tmp_path)
    other = """
    [[variant]]
    algorithms = ["sha-512"]

    [representation.asm]
    uses = ["sha2/asm"]

    [representation.mixed]
    title = "{title}"
    word_bits = 8
    sources = ["../sha2/native/a.S", "../sha2/in_registers.c"]
    """
    family(tmp_path, "other", other)
    expected = {
        "sha-256/small": (),
        "sha-256/asm": ("armv7-m", "armv7e-m", "avre"),
        "sha-256/fast8": ("avrxt",),
        "sha-512/asm": ("armv7-m", "armv7e-m", "avre"),
        "sha-512/mixed": ("armv7-m", "armv7e-m", "avrxt"),
    }
    for name, each in found(tmp_path).items():
        assert each.assembly == each.manifest.meant_for == expected.pop(name)
    assert not expected


WRONG_ASSEMBLY = {
    '"native/a.S" = ["armv7-m", "armv7e-m"]|': (
        "field 'representation.asm.sources': no table [assembly] lists 'native/a.S'; add it there, "
        "in the manifest of its family, with the instruction sets that it is written for"
    ),
    '"native/a.S" = |"native/c.S" = ["avre"]\n"native/a.S" = ': (
        "field 'assembly.native/c.S': there is no such file; add it or correct this"
    ),
    '["avrxt"]|["avrtx"]': (
        "field 'assembly.in_registers.c': 'avrtx' is not an instruction set of a core in cores/: "
        "did you mean avrxt"
    ),
    '["avrxt"]|["cortex-m3"]': "'cortex-m3' is not an instruction set of a core in cores/",
    '["avrxt"]|[]': "field 'assembly.in_registers.c': an empty list; give at least one",
    '["in_registers.c"]|["in_registers.c"]\nmeant_for = ["avr"]': (
        "field 'representation.fast8.meant_for': the assembly is for avrxt, by the table "
        "[assembly]; remove this field"
    ),
}


@pytest.mark.parametrize("change", WRONG_ASSEMBLY, ids=lambda change: change.replace("\n", " "))
def test_what_is_wrong_about_assembly_is_one_sentence(change: str, tmp_path: Path) -> None:
    old, _, new = change.partition("|")
    assert old in ASSEMBLED
    assembled(tmp_path, MODE + ASSEMBLED.replace(old, new, 1))
    message = problem(tmp_path)
    assert message.startswith("sha2/manifest.toml: field '") and WRONG_ASSEMBLY[change] in message


@pytest.mark.parametrize("change", WRONG, ids=lambda change: change.replace("\n", " "))
def test_what_is_wrong_in_a_manifest_is_one_sentence(change: str, tmp_path: Path) -> None:
    old, _, new = change.partition("|")
    assert old in MODE
    family(tmp_path, "sha2", MODE.replace(old, new, 1))
    assert WRONG[change] in problem(tmp_path)


@pytest.mark.parametrize("name", ["atmega328p", "cortex-m0plus", "armv7e-m", "riscv"])
def test_code_is_meant_for_boards_cores_instruction_sets_and_families(
    name: str, tmp_path: Path
) -> None:
    text = MODE.replace("word_bits = 8", f"word_bits = 8\nmeant_for = ['{name}']", 1)
    family(tmp_path, "sha2", text)
    assert [each.manifest.meant_for for each in found(tmp_path).values()][:1] == [(name,)]


def test_every_source_belongs_to_an_implementation() -> None:
    used = {path for each in files().implementations for _, path in collect(each).files()}
    there = {path for path in ROOT.rglob("*") if path.suffix in (".c", ".h", ".S")}
    assert len(there) > 500
    assert sorted(str(path.relative_to(ROOT)) for path in there - used) == []


def test_what_asks_for_a_manifests_macro_includes_api_h() -> None:
    """A folder that `vendor` writes is compiled without options: all macros are in `api.h`."""
    sizes = ("CRYPTO_KEYBYTES", "CRYPTO_NSECBYTES", "CRYPTO_NPUBBYTES", "CRYPTO_ABYTES")
    macros = {
        name
        for each in files().implementations
        for _, text in each.generated
        for name in re.findall(r"^#define (\w+)", text, re.MULTILINE)
    } - {*sizes, "CRYPTO_BYTES", "CRYPTO_LONGEST", "CRYPTO_DISTINCT_WORDS"}
    assert {"AES_WHOLE_ROUNDS", "SHA256_SMALL", "ROMULUS_WORDS"} <= macros
    asks = re.compile(rf"^[ \t]*#[ \t]*(?:el)?if.*\b(?:{'|'.join(macros)})\b", re.MULTILINE)
    texts = {path: path.read_text() for path in ROOT.rglob("*.[chS]")}
    giving = {path.name for path, text in texts.items() if '#include "api.h"' in text}
    asking = {
        path: {Path(name).name for name in re.findall(r'#include "([^"]+)"', text)}
        for path, text in texts.items()
        if asks.search(text)
    }
    assert len(asking) > 5
    assert [path for path, names in asking.items() if not names & {"api.h", *giving}] == []


def test_sources_that_a_manifest_omits_change_no_digest(tmp_path: Path) -> None:
    for name in ("sha2", "util"):
        shutil.copytree(ROOT / name, tmp_path / name)

    def digest(name: str) -> str:
        return collect(found(tmp_path)[name]).sha256

    before = {name: digest(name) for name in ("sha-256/fast32", "sha-256/small")}
    source = tmp_path / "sha2" / "sha256_small.c"
    source.write_text(f"{source.read_text()}\n")
    assert digest("sha-256/fast32") == before["sha-256/fast32"]
    assert digest("sha-256/small") != before["sha-256/small"]
    header = tmp_path / "util" / "bytes.h"
    header.write_text(f"{header.read_text()}\n")
    assert digest("sha-256/fast32") != before["sha-256/fast32"]
    manifest = tmp_path / "sha2" / "manifest.toml"
    fast = digest("sha-256/fast32")
    manifest.write_text(
        manifest.read_text().replace("sources =", 'defines = ["MORE"]\nsources =', 1)
    )
    assert digest("sha-256/fast32") != fast
