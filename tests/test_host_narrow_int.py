"""Nothing in an implementation is undefined because an `int` has 16 bits: a byte of 0x80 and more
that is shifted by 8 runs into the sign there (C11, 6.5.7p4), and no sanitizer of this machine sees
it.

Clang compiles every source for MSP430, as far as intermediate code, with a trap before each shift
of what has a sign and each sum and product that would be undefined, and takes out those that it can
prove never to be reached. Counts that are constant and too large for 16 bits are warned of; others
are seen by the sanitizers of this machine, where they are too large for 32.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from host.build import ROOT, Bundled, bundled

COMPILER = (
    *("clang", "--target=msp430", "-std=c11", "-O2", "-S", "-emit-llvm"),
    *("-fsanitize=shift-base,signed-integer-overflow", "-fsanitize-undefined-trap-on-error"),
    *("-Wno-everything", "-Wshift-count-overflow", "-Werror"),
)

FUNCTION = re.compile(r"^define [^@]*@(\w+)\(.*?^}", re.M | re.S)
TRAP = re.compile(r"call void @llvm\.(?:ubsan)?trap\(")


def trapping(arguments: list[str], source: Path) -> list[str]:
    """The functions of a source in which a trap is left."""
    command = [*COMPILER, *arguments, "-o", "-", str(source)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return [each[1] for each in FUNCTION.finditer(result.stdout) if TRAP.search(each[0])]


@cache
def _named(file: Path) -> tuple[str, list[str]]:
    """A file's text, and the headers that it names."""
    text = file.read_text(encoding="utf-8")
    return text, re.findall(r'^\s*#\s*include "([^"]+)"', text, re.M)


def _read_by(source: Path, folders: list[Path]) -> frozenset[str]:
    """The texts that a source is compiled from, but for those of the compiler."""
    texts: dict[Path, str] = {}
    waiting = [source]
    while waiting:
        file = waiting.pop()
        if file in texts:
            continue
        texts[file], names = _named(file)
        for name in names:
            found = (folder / name for folder in (file.parent, *folders))
            waiting.extend([each for each in found if each.is_file()][:1])
    return frozenset(texts.values())


def _compilations() -> Iterator[tuple[Bundled, list[Path]]]:
    """Each implementation with those of its sources that none before it has with the same texts."""
    done: set[tuple[Path, frozenset[str]]] = set()
    for each in bundled():
        options = each.include()
        folders = [Path(each.removeprefix("-I")) for each in options if each.startswith("-I")]
        defined = frozenset(options) - {f"-I{folder}" for folder in folders}
        sources = {
            source: (source, defined | _read_by(source, folders)) for source in each.sources()
        }
        new = [source for source, texts in sources.items() if texts not in done]
        done.update(sources.values())
        if new:
            yield each, new


@pytest.mark.parametrize(
    ("implementation", "sources"), [pytest.param(*each, id=each[0].id) for each in _compilations()]
)
def test_nothing_is_undefined_with_an_int_of_16_bits(
    implementation: Bundled, sources: list[Path]
) -> None:
    left = {
        str(source.relative_to(ROOT)): functions
        for source in sources
        if (functions := trapping(implementation.include(), source))
    }
    assert left == {}


@pytest.mark.parametrize(
    ("expression", "is_defined"),
    [
        ("bytes[0] | bytes[1] << 8", False),
        ("bytes[0] | (unsigned)bytes[1] << 8", True),
        ("bytes[0] * bytes[1]", False),
        ("(unsigned)bytes[0] * bytes[1]", True),
        ("(unsigned)bytes[0] << bytes[1] % 16", True),
        ("bytes[0] << bytes[1] % 16", False),
    ],
)
def test_what_is_undefined_is_found(expression: str, is_defined: bool, tmp_path: Path) -> None:
    source = tmp_path / "expression.c"
    source.write_text(
        "#include <stdint.h>\n"
        f"uint16_t word(const uint8_t *bytes) {{ return (uint16_t)({expression}); }}\n"
    )
    assert trapping([], source) == ([] if is_defined else ["word"])


def test_too_large_a_count_is_found(tmp_path: Path) -> None:
    source = tmp_path / "count.c"
    source.write_text("unsigned shifted(unsigned x) { return x >> 16; }\n")
    with pytest.raises(AssertionError, match="shift count >= width of type"):
        trapping([], source)
