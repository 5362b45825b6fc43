"""Creates copies of implementations in C alone, for comparisons of C with C.

A copy contains no assembly files. Conditions on the core that decide about assembly are evaluated
as for an unknown core:

* a branch for a core is not taken if it contains inline assembly, defines a macro `...ASM...` as 1,
names a function of the removed files, or also tests a macro `...ASSEMBL...`;
* `#if !defined(__AVR__)` without an `#else`, which excludes functions of the removed files, is
true.

All other conditions are kept, so that C for one core is compiled there. If C is missing then, the
copy does not link; if it computes a different function, it gives wrong answers. The latter happens
if a file's assembly and the surrounding C share a data format of their own. For these there is a
second copy, in which each condition is evaluated like the equal one in the same file that selects
assembly.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from scripts.bench_implementations.assembly import INLINE, without_comments

from pennyweight.build.sources import ASSEMBLY_SUFFIXES, CPLUSPLUS_SUFFIXES
from pennyweight.catalogue import Implementation

SUFFIX = "-c"
"""Suffix of a copy's name."""

ALIKE = "-c-alike"
"""Suffix of a copy in which a file's equal conditions are evaluated alike."""

_REWRITTEN = (".c", ".h", ".inc", *CPLUSPLUS_SUFFIXES, ".hpp", ".hh", ".hxx")
_DIRECTIVE = re.compile(
    r"\s*#\s*(?P<word>ifdef|ifndef|if|elif|else|endif)\b(?P<rest>.*)", re.DOTALL
)
_CORE = re.compile(r"\b_*(?:AVR|ARM|THUMB|MSP430|RISCV|XTENSA|MIPS)", re.IGNORECASE)
_LONE_NEGATION = re.compile(r"!\s*defined\s*\(?\s*\w+\s*\)?\s*")
_SAYS_SO = re.compile(r"\s*#\s*define\s+\w*ASM\w*\s+1\s*")
_ASKS = re.compile(r"\w*ASSEMBL\w*")
_GLOBAL = re.compile(r"^\s*\.glob(?:a)?l\s+(\w+)", re.MULTILINE)


@dataclass(slots=True)
class _Branch:
    """The lines from one directive of a condition to the next."""

    line: int
    word: str
    condition: str
    depends: bool = False
    """Whether it contains or calls assembly."""

    @property
    def asks_for_core(self) -> bool:
        return _CORE.search(self.condition) is not None

    @property
    def is_for_others(self) -> bool:
        """Taken on all cores except one."""
        return self.asks_for_core and _LONE_NEGATION.fullmatch(self.condition) is not None


_Chain = list[_Branch]


def copied(each: Implementation, root: Path, into: Path, suffix: str = SUFFIX) -> Implementation:
    """Copies an implementation of the tree `root` to the same location in the tree `into`."""
    folder = into / each.folder.relative_to(root)
    if not folder.exists():
        copy_tree(each.folder, folder, alike=suffix == ALIKE)
    tree = into / each.tree.relative_to(root)
    return replace(each, name=f"{each.name}{suffix}", folder=folder, tree=tree)


def copy_tree(source: Path, target: Path, alike: bool = False) -> None:
    """Copies a folder and its content without assembly."""
    files = [path for path in source.rglob("*") if path.is_file()]
    assembly = [path for path in files if path.name.endswith(ASSEMBLY_SUFFIXES)]
    functions = frozenset(name for path in assembly for name in _GLOBAL.findall(_text(path)))
    for path in files:
        if path in assembly:
            continue
        place = target / path.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        if path.name.endswith(_REWRITTEN):
            text = in_c(_text(path), functions, bool(assembly), alike)
            place.write_bytes(text.encode("utf-8", errors="surrogateescape"))
        else:
            shutil.copyfile(path, place)


def in_c(
    text: str,
    functions: frozenset[str] = frozenset(),
    has_files: bool = False,
    alike: bool = False,
) -> str:
    """Converts a source to C alone; `functions` are those in assembly files, if it `has_files`.

    `alike` is explained at the top of this file.
    """
    lines = text.split("\n")
    chains = _chains(without_comments(text), functions)
    if alike:
        _answer_alike(chains)
    for chain in chains:
        first = chain[0]
        for branch in chain:
            if branch.depends and branch.word != "else":
                _answer(lines, branch, "0")
        needed = any(branch.depends for branch in chain[1:]) if chain[1:] else has_files
        if first.is_for_others and needed:
            _answer(lines, first, "1")
    return "\n".join(lines)


def _answer_alike(chains: list[_Chain]) -> None:
    """Branches for a core depend on assembly if a branch of the same condition does."""
    branches = [branch for chain in chains for branch in chain if branch.asks_for_core]
    depend = {branch.condition for branch in branches if branch.depends}
    for branch in branches:
        branch.depends = branch.condition in depend


def _answer(lines: list[str], branch: _Branch, answer: str) -> None:
    """Replaces a condition with its value; its continuation lines become empty."""
    last = branch.line
    while lines[last].rstrip("\r").endswith("\\"):
        last += 1
    lines[branch.line : last + 1] = [""] * (last + 1 - branch.line)
    lines[branch.line] = f"#{'elif' if branch.word == 'elif' else 'if'} {answer}"


def _chains(text: str, functions: frozenset[str]) -> list[_Chain]:
    """All conditions of a text without comments, with those that depend on assembly marked."""
    inline = {text.count("\n", 0, found.start()) for found in INLINE.finditer(text)}
    names = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(functions)))})\b")
    found: list[_Chain] = []
    open_ones: list[_Chain] = []
    for number, line in _logical(text):
        directive = _DIRECTIVE.match(line)
        if directive is None:
            called = bool(functions) and names.search(line)
            physical = range(number, number + line.count("\n") + 1)
            if called or _SAYS_SO.fullmatch(line) or any(each in inline for each in physical):
                _mark(open_ones)
            continue
        word = directive["word"]
        if word.startswith("if"):
            open_ones.append([_branch(number, word, directive["rest"])])
            found.append(open_ones[-1])
        elif word == "endif":
            if open_ones:
                open_ones.pop()
        elif open_ones:
            open_ones[-1].append(_branch(number, word, directive["rest"]))
    return found


def _branch(line: int, word: str, rest: str) -> _Branch:
    condition = rest.replace("\\\n", " ").strip()
    if word == "ifndef":
        condition = f"!defined({condition})"
    branch = _Branch(line, word, condition)
    branch.depends = branch.asks_for_core and _ASKS.search(condition) is not None
    return branch


def _mark(open_ones: list[_Chain]) -> None:
    """Marks the innermost branch for a core as dependent on assembly."""
    for chain in reversed(open_ones):
        branch = chain[-1]
        is_for_one = branch.asks_for_core and not branch.is_for_others
        if is_for_one or (branch.word == "else" and chain[0].is_for_others):
            branch.depends = True
            return


def _logical(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their continuation lines, and the number of the first."""
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        first = number
        while lines[number].rstrip("\r").endswith("\\") and number + 1 < len(lines):
            number += 1
        yield first, "\n".join(lines[first : number + 1])
        number += 1


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", errors="surrogateescape")
