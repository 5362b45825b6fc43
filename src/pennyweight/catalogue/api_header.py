"""Reads the sizes out of a package's `api.h`, as text: no compiler is needed to list a package."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

from pennyweight.catalogue.tomlfile import read_text
from pennyweight.model import UserError

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
    """`CRYPTO_NOOVERLAP 1`: the author forbids output in place of the input."""

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
    """The value of a macro; `None` if it is not there or no integer."""
    return _value(macros[name], macros, depth=0) if name in macros else None


def without_comments(path: Path) -> str:
    """The text of a header, each of its directives on one line. Raises `UserError`."""
    return _COMMENT.sub(" ", read_text(path, errors="replace").replace("\\\n", " "))


def _macros(path: Path) -> dict[str, str]:
    found = _DEFINE.findall(without_comments(path))
    return {name: value.rstrip(" \t") for name, value in found}


def read_api(path: Path) -> ApiSizes:
    """The sizes that `path` (an `api.h`) defines. Raises `UserError`."""
    return sizes_of(path, _macros(path))


def sizes_of(path: Path, macros: dict[str, str]) -> ApiSizes:
    """The sizes that the macros of `path` and of what it includes give. Raises `UserError`."""
    sizes: dict[str, int] = {}
    for macro, name in _NAMES.items():
        if macro in macros:
            value = _value(macros[macro], macros, depth=0)
            if value is None or not 0 <= value <= _LARGEST:
                raise UserError(
                    f"{path}: {macro} is '{macros[macro][:60]}': write a number of bytes "
                    f"between 0 and {_LARGEST}"
                )
            sizes[name] = value
    overlap = _value(macros.get("CRYPTO_NOOVERLAP", "0"), macros, depth=0)
    return ApiSizes(**sizes, no_overlap=bool(overlap))


def _value(expression: str, macros: dict[str, str], depth: int) -> int | None:
    """An integer constant expression of numbers, other macros and `+ - * / ( )`."""
    try:
        tree = ast.parse(_SUFFIX.sub(r"\1", expression).strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return _evaluate(tree.body, macros, depth)


def _evaluate(node: ast.expr, macros: dict[str, str], depth: int) -> int | None:
    if depth > 16:
        return None
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.Name) and node.id in macros:
        return _value(macros[node.id], macros, depth + 1)
    if isinstance(node, ast.BinOp):
        left = _evaluate(node.left, macros, depth + 1)
        right = _evaluate(node.right, macros, depth + 1)
        if left is None or right is None:
            return None
        if isinstance(node.op, ast.Add):
            return left + right
        if isinstance(node.op, ast.Sub):
            return left - right
        if isinstance(node.op, ast.Mult):
            return left * right
        if isinstance(node.op, ast.Div) and right != 0:
            return left // right
    return None
