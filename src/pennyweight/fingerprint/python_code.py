"""The definitions of a package that functions reach, hashed without prose.

A definition is what a module binds at its top level: a function, a class, a constant. It reaches
those whose names it uses, also through imports, and all that these reach. What is hashed of each is
its syntax tree without docstrings and, beside it, which definition each of its names stands for; so
neither a comment nor the place of a module shows, and another function of the same name does.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path

Place = tuple[str, str]
"""A module, by its name below the package, and a name that it binds."""

_ImportOf = Callable[[str, str], Place | None]

_DEEPEST = 16
"""Modules that may hand a name on, one to the next."""

_WHOLE = ""
"""In place of a name: all that a module binds."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A statement at the top of a module, without prose."""

    tree: str
    names: frozenset[str]
    """All names that it uses."""
    attributes: frozenset[tuple[str, str]]
    """Names and what is taken of them: ``math.sqrt``."""
    imports: Mapping[str, Place]
    """What it imports itself."""


class Module:
    """A module's definitions by the names that they bind, and its imports by their names."""

    def __init__(self, name: str, tree: ast.Module, import_of: _ImportOf) -> None:
        self.name = name
        self.imports: dict[str, Place] = {}
        self.statements: dict[str, list[ast.stmt]] = {}
        """By the names that they bind; under the empty one those that bind none."""
        self._import_of = import_of
        self._read: dict[ast.stmt, Definition] = {}
        for statement in tree.body:
            if isinstance(statement, ast.ImportFrom | ast.Import):
                self.imports.update(_imports(statement, import_of))
            elif not _is_prose(statement) and not _is_for_types(statement):
                for bound in _bound_by(statement) or (_WHOLE,):
                    self.statements.setdefault(bound, []).append(statement)

    def bound(self, name: str) -> list[Definition]:
        """What binds a name; statements that bind none belong to every one of them."""
        if name == _WHOLE:
            wanted = [each for found in self.statements.values() for each in found]
        else:
            wanted = self.statements.get(name, []) + self.statements.get(_WHOLE, [])
        for each in wanted:
            if each not in self._read:
                self._read[each] = _definition(each, self._import_of)
        return [self._read[each] for each in wanted]


class Package:
    """The modules below a folder. `without` are modules and packages of it that do not count."""

    def __init__(self, folder: Path, without: Iterable[str] = ()) -> None:
        self._folder = folder
        self._name = folder.name
        self._without = tuple(without)
        self._modules: dict[str, Module] = {}

    def digest(self, roots: Iterable[Place]) -> str:
        """SHA-256 over all that `roots` reach. Raises KeyError for a root that is not there."""
        reached = self.reached(roots)
        texts = sorted(
            json.dumps([each.tree, sorted(self._meanings(module, each).items())])
            for module, found in reached.items()
            for each in found
        )
        return hashlib.sha256("\n".join(texts).encode()).hexdigest()

    def reached(self, roots: Iterable[Place]) -> Mapping[str, list[Definition]]:
        """The definitions that `roots` reach, by module."""
        waiting = list(roots)
        for root, name in waiting:
            if name != _WHOLE and name not in self._module(root).statements:
                raise KeyError(f"{root}: there is no '{name}'")
        seen: set[Place] = set()
        found: dict[str, list[Definition]] = {}
        while waiting:
            place = waiting.pop()
            if place in seen:
                continue
            seen.add(place)
            module = self._module(place[0])
            for each in module.bound(place[1]):
                known = found.setdefault(place[0], [])
                if not any(each is other for other in known):
                    known.append(each)
                    waiting += self._used(module, each).values()
        return found

    def places(self, roots: Iterable[Place]) -> Set[Place]:
        """The same as names: each module with what is reached of it."""
        found: set[Place] = set()
        for name, reached in self.reached(roots).items():
            module = self._module(name)
            known = set(map(id, reached))
            for bound in module.statements:
                if any(id(each) in known for each in module.bound(bound)):
                    found.add((name, bound))
        return found

    def _path(self, name: str) -> Path | None:
        base = self._folder.joinpath(*name.split(".")) if name else self._folder
        for path in (base.with_suffix(".py"), base / "__init__.py"):
            if path.is_file() and (name or path.name == "__init__.py"):
                return path
        return None

    def _module(self, name: str) -> Module:
        if name not in self._modules:
            path = self._path(name)
            tree = ast.parse(path.read_bytes() if path is not None else "")
            self._modules[name] = Module(name, tree, self._import_of)
        return self._modules[name]

    def _import_of(self, module: str, name: str) -> Place | None:
        """What ``from module import name`` stands for; None unless it is the package's own."""
        if module != self._name and not module.startswith(f"{self._name}."):
            return None
        below = module[len(self._name) + 1 :]
        inner = f"{below}.{name}" if below else name
        if self._path(inner) is not None:
            return inner, _WHOLE
        return below, name

    def _used(self, module: Module, definition: Definition) -> dict[str, Place]:
        """By its name in the definition, each definition of the package that it uses."""
        imports = {**module.imports, **definition.imports}
        found: dict[str, Place] = {}
        taken = {name for name, _ in definition.attributes}
        for name in definition.names:
            if name in imports:
                if imports[name][1] != _WHOLE or name not in taken:
                    found[name] = imports[name]
            elif name in module.statements:
                found[name] = (module.name, name)
        for name, attribute in definition.attributes:
            if name in imports and imports[name][1] == _WHOLE:
                found[f"{name}.{attribute}"] = (imports[name][0], attribute)
        resolved = ((name, self._resolved(place)) for name, place in found.items())
        return {name: place for name, place in resolved if place is not None}

    def _resolved(self, place: Place) -> Place | None:
        """Where a name is bound that a module may have imported; None if it does not count."""
        for _ in range(_DEEPEST):
            if self._is_left_out(place[0]):
                return None
            module = self._module(place[0])
            if place[1] in module.statements or place[1] not in module.imports:
                return place
            place = module.imports[place[1]]
        return place

    def _is_left_out(self, module: str) -> bool:
        return any(module == each or module.startswith(f"{each}.") for each in self._without)

    def _meanings(self, module: str, definition: Definition) -> dict[str, str]:
        """What each name stands for, by the trees of what binds it."""
        used = self._used(self._module(module), definition)
        return {
            name: hashlib.sha256(
                "\n".join(each.tree for each in self._module(place[0]).bound(place[1])).encode()
            ).hexdigest()
            for name, place in used.items()
        }


def _definition(statement: ast.stmt, import_of: _ImportOf) -> Definition:
    reader = _Reader(import_of)
    reader.visit(statement)
    return Definition(
        "".join(reader.tree), frozenset(reader.names), frozenset(reader.attributes), reader.imports
    )


class _Reader:
    """Writes a syntax tree down, and collects what it uses: no docstrings, no places, no imports of
    modules, nothing empty.
    """

    def __init__(self, import_of: _ImportOf) -> None:
        self._import_of = import_of
        self.tree: list[str] = []
        self.names: set[str] = set()
        self.attributes: set[tuple[str, str]] = set()
        self.imports: dict[str, Place] = {}

    def visit(self, node: object) -> None:
        """Goes through a tree, a list of trees, or a value in one."""
        if isinstance(node, ast.ImportFrom | ast.Import):
            self.imports.update(_imports(node, self._import_of))
        elif isinstance(node, ast.AST):
            self._tree(node)
        elif isinstance(node, list):
            self.tree.append("[")
            for each in node:
                if not _is_prose(each) and not _is_for_types(each):
                    self.visit(each)
            self.tree.append("]")
        else:
            self.tree.append(f"{node!r},")

    def _tree(self, node: ast.AST) -> None:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            self.names.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            self.attributes.add((node.value.id, node.attr))
        self.tree.append(f"{type(node).__name__}(")
        for name in node._fields:
            value = getattr(node, name, None)
            if value is not None and value != [] and name not in _UNSEEN:
                self.tree.append(f"{name}=")
                self.visit(value)
        self.tree.append(")")


def _imports(
    statement: ast.ImportFrom | ast.Import, import_of: _ImportOf
) -> Iterator[tuple[str, Place]]:
    if isinstance(statement, ast.ImportFrom) and statement.module and not statement.level:
        for each in statement.names:
            place = import_of(statement.module, each.name)
            if place is not None:
                yield each.asname or each.name, place


def _bound_by(statement: ast.stmt) -> list[str]:
    """The names that a statement binds at the top of its module."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [statement.name]
    return [
        node.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]


_UNSEEN = ("ctx", "kind", "type_comment")
"""Fields of syntax trees that follow from others or are comments."""


def _is_prose(node: object) -> bool:
    """A text that stands alone: a docstring, of an attribute too."""
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Constant):
        return False
    return isinstance(node.value.value, str)


def _is_for_types(node: object) -> bool:
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
    )
