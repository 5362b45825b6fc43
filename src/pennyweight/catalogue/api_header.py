"""Reads the sizes from a package's `api.h` as text, so that listing a package needs no compiler."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pennyweight.catalogue.algorithms import Algorithm
from pennyweight.catalogue.tomlfile import read_text
from pennyweight.model import Kind, UserError

_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(\S.*)$", re.MULTILINE)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*", re.DOTALL)
_SUFFIX = re.compile(r"\b(0[xX][0-9a-fA-F]+|\d+)[uUlL]+\b")
_LARGEST = 1 << 16

API = "api.h"


@dataclass(frozen=True, slots=True)
class ApiSizes:
    """Sizes in bytes; `None` where `api.h` does not define them."""

    key: int | None = None
    nsec: int | None = None
    nonce: int | None = None
    tag: int | None = None
    digest: int | None = None
    no_overlap: bool = False
    """`CRYPTO_NOOVERLAP 1`: the author does not allow output and input in the same buffer."""

    def sentence(self) -> str:
        """The sizes in words, for messages."""
        known = {"key": self.key, "nonce": self.nonce, "tag": self.tag, "digest": self.digest}
        return ", ".join(f"{name} {size}" for name, size in known.items() if size is not None)


_NAMES = {
    "CRYPTO_KEYBYTES": "key",
    "CRYPTO_NSECBYTES": "nsec",
    "CRYPTO_NPUBBYTES": "nonce",
    "CRYPTO_ABYTES": "tag",
    "CRYPTO_BYTES": "digest",
}


def value_of(name: str, macros: dict[str, str]) -> int | None:
    """The value of a macro; `None` if it is missing or not an integer."""
    return _Values(macros).of_macro(name)


def without_comments(path: Path) -> str:
    """The text of a header with each directive on one line. Raises `UserError`."""
    return _COMMENT.sub(" ", read_text(path, errors="replace").replace("\\\n", " "))


def _macros(path: Path) -> dict[str, str]:
    found = _DEFINE.findall(without_comments(path))
    return {name: value.rstrip(" \t") for name, value in found}


def read_api(path: Path) -> ApiSizes:
    """The sizes that `path` (an `api.h`) defines. Raises `UserError`."""
    return sizes_of(path, _macros(path))


def sizes_of(path: Path, macros: dict[str, str]) -> ApiSizes:
    """The sizes that the macros of `path` and of its included headers define. Raises
    `UserError`.
    """
    values = _Values(macros)
    sizes: dict[str, int] = {}
    for macro, name in _NAMES.items():
        if macro in macros:
            value = values.of_macro(macro)
            if value is None or not 0 <= value <= _LARGEST:
                raise UserError(
                    f"{path}: {macro} is '{macros[macro][:60]}': write a number of bytes "
                    f"between 0 and {_LARGEST}"
                )
            sizes[name] = value
    overlap = values.of_macro("CRYPTO_NOOVERLAP")
    return ApiSizes(**sizes, no_overlap=bool(overlap))


class _Values:
    """Evaluates integer constant expressions of numbers, macros and `+ - * / ( )`.

    A hostile header must not take long to read: each macro is evaluated once, and numbers that are
    too large for sizes are ignored.
    """

    def __init__(self, macros: dict[str, str]) -> None:
        self._macros = macros
        self._known: dict[str, int | None] = {}

    def of_macro(self, name: str, depth: int = 0) -> int | None:
        """`None` if it is missing, refers to itself or is not an integer."""
        if name not in self._known:
            self._known[name] = None
            if name in self._macros:
                self._known[name] = self.of(self._macros[name], depth)
        return self._known[name]

    def of(self, expression: str, depth: int = 0) -> int | None:
        """The value of an expression; `None` if it is not an integer."""
        try:
            tree = ast.parse(_SUFFIX.sub(r"\1", expression).strip(), mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        return self._of_node(tree.body, depth)

    def _of_node(self, node: ast.expr, depth: int) -> int | None:
        if depth > 16:
            return None
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return _bounded(node.value)
        if isinstance(node, ast.Name):
            return self.of_macro(node.id, depth + 1)
        if isinstance(node, ast.BinOp):
            left = self._of_node(node.left, depth + 1)
            right = self._of_node(node.right, depth + 1)
            if left is None or right is None:
                return None
            if isinstance(node.op, ast.Add):
                return _bounded(left + right)
            if isinstance(node.op, ast.Sub):
                return _bounded(left - right)
            if isinstance(node.op, ast.Mult):
                return _bounded(left * right)
            if isinstance(node.op, ast.Div) and right != 0:
                return left // right
        return None


def _bounded(value: int) -> int | None:
    """As in C, a value that needs more than 64 bits is not a number."""
    return value if abs(value) < 1 << 64 else None


def header_text(algorithm: Algorithm, defines: Sequence[str] = ()) -> str:
    """The text of `api.h` for an algorithm: its sizes, then further macros (`NAME`, or `NAME
    value`).

    It contains only directives, so that assembly sources can include it too.
    """
    variant = algorithm.variant
    sizes = {"CRYPTO_KEYBYTES": variant.key} if variant.key else {}
    if algorithm.kind is Kind.AEAD:
        sizes |= {"CRYPTO_NSECBYTES": 0, "CRYPTO_NPUBBYTES": variant.nonce}
        sizes["CRYPTO_ABYTES"] = variant.tag
    else:
        sizes["CRYPTO_BYTES"] = variant.digest or variant.tag
    if variant.longest:
        sizes["CRYPTO_LONGEST"] = variant.longest
    lines = [f"{name} {size}" for name, size in sizes.items()]
    return "".join(f"#define {line}\n" for line in (*lines, *defines))
