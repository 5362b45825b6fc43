"""Hashes the definitions of a package that functions reach, without comments and docstrings.

A definition is what a module binds at its top level: a function, a class, a constant. It reaches
the definitions whose names it uses, also through imports, and everything that these reach. The hash
covers each definition's syntax tree without docstrings, and the definition that each of its names
refers to. Comments and the names of modules do not change it; a different function of the same name
does. Nor do the sentences of errors for the user, which end a job without a result.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from pathlib import Path

Place = tuple[str, str]
"""A module, by its name in the package, and a name that it binds."""

_ImportOf = Callable[[str, str], Place | None]

_DEEPEST = 16
"""Maximum length of a chain of modules that re-export a name."""

_WHOLE = ""
"""Used instead of a name for all definitions of a module."""

_ERRORS = frozenset({"UserError", "MissingToolchainError", "UnsuitableCompilerError", "ValueError"})
"""Errors whose arguments are sentences for the user."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A top-level statement of a module, without docstrings."""

    tree: str
    names: frozenset[str]
    """All names that it uses."""
    attributes: frozenset[tuple[str, str]]
    """Names with their attributes: ``math.sqrt``."""
    imports: Mapping[str, Place]
    """Its own imports."""


class Module:
    """A module's definitions by name, and its imports by name."""

    def __init__(
        self, name: str, tree: ast.Module, import_of: _ImportOf, silent: Set[str] = frozenset()
    ) -> None:
        self.name = name
        self._silent = silent
        self.imports: dict[str, Place] = {}
        self.statements: dict[str, list[ast.stmt]] = {}
        """By the names that they bind; those that bind none have the empty name."""
        self._import_of = import_of
        self._read: dict[ast.stmt, Definition] = {}
        for statement in tree.body:
            if isinstance(statement, ast.ImportFrom | ast.Import):
                self.imports.update(_imports(statement, import_of))
            elif not _is_prose(statement) and not _is_for_types(statement):
                for bound in _bound_by(statement) or (_WHOLE,):
                    self.statements.setdefault(bound, []).append(statement)

    def bound(self, name: str) -> list[Definition]:
        """The statements that bind a name; statements that bind none belong to every name."""
        if name == _WHOLE:
            wanted = [each for found in self.statements.values() for each in found]
        else:
            wanted = self.statements.get(name, []) + self.statements.get(_WHOLE, [])
        for each in wanted:
            if each not in self._read:
                self._read[each] = _definition(each, self._import_of, self._silent)
        return [self._read[each] for each in wanted]


class Package:
    """The modules in a folder. `without` lists modules and packages to exclude, `silent` attributes
    of classes.
    """

    def __init__(
        self, folder: Path, without: Iterable[str] = (), silent: Set[str] = frozenset()
    ) -> None:
        self._folder = folder
        self._name = folder.name
        self._without = tuple(without)
        self._silent = silent
        self._modules: dict[str, Module] = {}

    def digest(self, roots: Iterable[Place]) -> str:
        """SHA-256 over everything that `roots` reach. Raises KeyError for an unknown root."""
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
                raise KeyError(f"{root}: no definition '{name}'")
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
        """The same as names: each module with its reached definitions."""
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
            self._modules[name] = Module(name, tree, self._import_of, self._silent)
        return self._modules[name]

    def _import_of(self, module: str, name: str) -> Place | None:
        """What ``from module import name`` refers to; None if it is outside the package."""
        if module != self._name and not module.startswith(f"{self._name}."):
            return None
        below = module[len(self._name) + 1 :]
        inner = f"{below}.{name}" if below else name
        if self._path(inner) is not None:
            return inner, _WHOLE
        return below, name

    def _used(self, module: Module, definition: Definition) -> dict[str, Place]:
        """The package's definitions that a definition uses, by their names in it."""
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
        """The module that binds a name which another module may have imported; None if it is
        excluded.
        """
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
        """What each name refers to, by the trees of the statements that bind it."""
        used = self._used(self._module(module), definition)
        return {
            name: hashlib.sha256(
                "\n".join(each.tree for each in self._module(place[0]).bound(place[1])).encode()
            ).hexdigest()
            for name, place in used.items()
        }


def _definition(statement: ast.stmt, import_of: _ImportOf, silent: Set[str]) -> Definition:
    reader = _Reader(import_of, silent)
    reader.visit(statement)
    return Definition(
        "".join(reader.tree), frozenset(reader.names), frozenset(reader.attributes), reader.imports
    )


class _Reader:
    """Serialises a syntax tree and collects the names it uses, without docstrings, positions,
    imports of modules, `silent` attributes of classes, arguments of errors for the user, and empty
    fields.
    """

    def __init__(self, import_of: _ImportOf, silent: Set[str]) -> None:
        self._import_of = import_of
        self._silent = silent
        self.tree: list[str] = []
        self.names: set[str] = set()
        self.attributes: set[tuple[str, str]] = set()
        self.imports: dict[str, Place] = {}

    def visit(self, node: object) -> None:
        """Visits a tree, a list of trees, or a value in one."""
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
        if isinstance(node, ast.Raise) and (name := _error(node.exc)) in _ERRORS:
            node = ast.Raise(exc=ast.Name(id=name, ctx=ast.Load()))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            self.names.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            self.attributes.add((node.value.id, node.attr))
        self.tree.append(f"{type(node).__name__}(")
        for name in node._fields:
            value = getattr(node, name, None)
            if name == "body" and isinstance(node, ast.ClassDef):
                value = [each for each in node.body if not self._silent & _targets(each)]
            if value is not None and value != [] and name not in _UNSEEN:
                self.tree.append(f"{name}=")
                self.visit(value)
        self.tree.append(")")


def _targets(statement: ast.stmt) -> Set[str]:
    """The names that an assignment binds."""
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    return {each.id for each in targets if isinstance(each, ast.Name)}


def _error(raised: ast.expr | None) -> str:
    """The name of an error that a call creates; empty for other expressions."""
    created = raised.func if isinstance(raised, ast.Call) else None
    return created.id if isinstance(created, ast.Name) else ""


def _imports(
    statement: ast.ImportFrom | ast.Import, import_of: _ImportOf
) -> Iterator[tuple[str, Place]]:
    if isinstance(statement, ast.ImportFrom) and statement.module and not statement.level:
        for each in statement.names:
            place = import_of(statement.module, each.name)
            if place is not None:
                yield each.asname or each.name, place


def _bound_by(statement: ast.stmt) -> list[str]:
    """The names that a top-level statement binds."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [statement.name]
    return [
        node.id
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]


_UNSEEN = ("ctx", "kind", "type_comment")
"""Fields of syntax trees that follow from others or contain comments."""


def _is_prose(node: object) -> bool:
    """A string that is a statement: a docstring, also of an attribute."""
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Constant):
        return False
    return isinstance(node.value.value, str)


def _is_for_types(node: object) -> bool:
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
    )
