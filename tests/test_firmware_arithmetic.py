"""The arithmetic that firmware/xtensa brings in place of libgcc's, compiled for the host."""

from __future__ import annotations

import ctypes
import random
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from verdicts import cached_by_project

pytestmark = cached_by_project("measurements")

SOURCE = Path(__file__).parents[1] / "firmware" / "xtensa" / "arithmetic.c"
NAMES = "umulsidi3 mulsidi3 muldi3 udivsi3 umodsi3 divsi3 modsi3 udivdi3 umoddi3 divdi3 moddi3"
EDGES = (0, 1, 2, 3, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The functions under names of their own: the host's libgcc has these names."""
    target = tmp_path_factory.mktemp("arithmetic") / "arithmetic.so"
    renamed = [f"-D__{name}=pw_{name}" for name in NAMES.split()]
    command = ["cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", *renamed]
    subprocess.run([*command, str(SOURCE), "-o", str(target)], check=True)
    return ctypes.CDLL(str(target))


def signed(value: int, bits: int) -> int:
    """`value` as a number with sign."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def quotient(n: int, d: int) -> int:
    """Rounded towards zero, as C has it."""
    return abs(n) // abs(d) * (1 if (n < 0) == (d < 0) else -1)


def operands(bits: int) -> list[tuple[int, int]]:
    """Edges, and random numbers of every length."""
    numbers = random.Random(1)
    edges = [edge * factor for edge in EDGES for factor in ((1,) if bits == 32 else (1, 1 << 32))]
    pairs = [(a, b) for a in edges for b in edges]
    for _ in range(3000):
        a, b = (numbers.getrandbits(numbers.randint(1, bits)) for _ in "ab")
        pairs.append((a, b))
    return [(a, b) for a, b in pairs if b]


def check(
    library: ctypes.CDLL, name: str, bits: int, result: int, right: Callable[[int, int], int]
) -> None:
    """Compares one function with Python's integers."""
    function = getattr(library, f"pw_{name}")
    function.argtypes = [ctypes.c_uint32 if bits == 32 else ctypes.c_uint64] * 2
    function.restype = ctypes.c_uint32 if result == 32 else ctypes.c_uint64
    for a, b in operands(bits):
        assert function(a, b) == right(a, b) % (1 << result), (name, a, b)


def test_products(library: ctypes.CDLL) -> None:
    check(library, "umulsidi3", 32, 64, lambda a, b: a * b)
    check(library, "mulsidi3", 32, 64, lambda a, b: signed(a, 32) * signed(b, 32))
    check(library, "muldi3", 64, 64, lambda a, b: a * b)


@pytest.mark.parametrize(("bits", "mode"), [(32, "si3"), (64, "di3")])
def test_divisions(library: ctypes.CDLL, bits: int, mode: str) -> None:
    def both(a: int, b: int) -> tuple[int, int]:
        return signed(a, bits), signed(b, bits)

    check(library, f"udiv{mode}", bits, bits, lambda a, b: a // b)
    check(library, f"umod{mode}", bits, bits, lambda a, b: a % b)
    check(library, f"div{mode}", bits, bits, lambda a, b: quotient(*both(a, b)))
    check(
        library,
        f"mod{mode}",
        bits,
        bits,
        lambda a, b: both(a, b)[0] - quotient(*both(a, b)) * both(a, b)[1],
    )
