"""The Python code that a module depends on, and its digest.

The digest is that of the syntax trees without docstrings: comments, layout and documentation do not
count. A module depends on itself and on what it imports, as far as that is in the repository;
`__init__.py` of a package counts only if the package itself is imported, not for its submodules.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import re
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_ROOMS = (ROOT / "src", ROOT / "tests", ROOT)
"""Where modules are looked for, in this order."""

_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def file_of(module: str) -> Path | None:
    """The file of a module or package of the repository; `None` if it is from elsewhere."""
    place = module.replace(".", "/")
    for room in _ROOMS:
        for path in (room / f"{place}.py", room / place / "__init__.py"):
            if path.is_file():
                return path
    return None


def name_of(path: Path) -> str:
    """The name by which a file of the repository is imported."""
    room = next((room for room in _ROOMS if path.is_relative_to(room)), path.parent)
    parts = path.relative_to(room).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _without_docstrings(tree: ast.Module) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED):
            node.body = [
                each
                for each in node.body
                if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))
            ]
    return tree


def normalised(source: str) -> str:
    """The syntax tree as text, without docstrings, comments and positions."""
    return ast.dump(_without_docstrings(ast.parse(source)))


def _imported(tree: ast.Module, name: str, is_package: bool) -> Iterator[str]:
    """Names of what a module imports, anywhere in it."""
    package = name if is_package else name.rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) + 1 - node.level]
            base = ".".join([*(parents if node.level else []), *([node.module or ""])]).strip(".")
            members = [f"{base}.{each.name}" for each in node.names]
            modules = [each for each in members if file_of(each)]
            yield from modules
            if len(modules) < len(members):
                yield base


@functools.cache
def _module(name: str) -> tuple[Path, str, tuple[str, ...]] | None:
    """A module's file, digest, and what it imports; `None` if it is not of the repository."""
    path = file_of(name)
    return None if path is None else _read(name, path)


@functools.cache
def _read(name: str, path: Path) -> tuple[Path, str, tuple[str, ...]]:
    tree = ast.parse(path.read_bytes())
    imported = tuple(sorted(set(_imported(tree, name, path.name == "__init__.py"))))
    digest = hashlib.sha256(ast.dump(_without_docstrings(tree)).encode()).hexdigest()
    return path, digest, imported


def closure(*names: str) -> tuple[dict[str, Path], frozenset[str]]:
    """The repository's modules that modules depend on, by name, and names of other packages."""
    own: dict[str, Path] = {}
    others: set[str] = set()
    waiting = list(names)
    while waiting:
        each = waiting.pop()
        if each in own:
            continue
        module = _module(each)
        if module is None:
            others.add(each.partition(".")[0])
            continue
        own[each] = module[0]
        waiting.extend(module[2])
    return own, frozenset(others - sys.stdlib_module_names - {"__future__"})


@functools.cache
def constants(module: str) -> frozenset[str]:
    """The parts of all paths that a module of the repository may have as string constants."""
    path = file_of(module)
    if path is None:
        return frozenset()
    texts = (
        node.value
        for node in ast.walk(_without_docstrings(ast.parse(path.read_bytes())))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    return frozenset(part for text in texts for part in re.split(r"[/\\\s]+", text))


def imports(module: str) -> frozenset[str]:
    """The names of the modules that a module itself imports, including the standard library."""
    found = _module(module)
    return frozenset() if found is None else frozenset(found[2])


@functools.cache
def digest(path: Path) -> str:
    """Over a module, the code that it depends on, and the versions of the packages that it imports;
    `path` is its file.
    """
    _, sha256, imported = _read(name_of(path), path)
    own, others = closure(*imported)
    total = hashlib.sha256(f"{sys.version_info[:2]} {sha256}\n".encode())
    for each in sorted(own):
        module = _module(each)
        assert module is not None
        total.update(f"{each} {module[1]}\n".encode())
    for each in sorted(others):
        total.update(f"{each} {_installed(each)}\n".encode())
    return total.hexdigest()


@functools.cache
def _distributions() -> dict[str, list[str]]:
    return dict(metadata.packages_distributions())


@functools.cache
def _installed(package: str) -> str:
    """What is installed of a package: its version, or the hashes of all its files for one that is
    built here, whose version does not change.
    """
    printed = []
    for name in sorted(_distributions().get(package, [])):
        found = metadata.distribution(name)
        if name.startswith("pennyweight"):
            files = (str(each) for each in found.files or () if "__pycache__" not in each.parts)
            printed += [
                f"{each} {hashlib.sha256(path.read_bytes()).hexdigest()}"
                for each in sorted(files)
                if not each.endswith((".pyc", "RECORD", "direct_url.json", ".pth"))
                and (path := Path(str(found.locate_file(each)))).is_file()
            ]
        else:
            printed.append(f"{name} {found.version}")
    return " ".join(printed)
