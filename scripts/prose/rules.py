"""The word list: which words to avoid, what to write instead, and where the rules apply."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from scripts.prose.passages import PARTS, Passage

_BLANK = r"[\s>]+"
_SENTENCE_END = re.compile(r"(?<=[.!?])[)\"']*\s+(?=[^a-z])|\n\s*\n")


@dataclass(frozen=True)
class Rule:
    """One expression to avoid."""

    pattern: re.Pattern[str]
    instead: str


@dataclass(frozen=True)
class Scope:
    """Files, as patterns from the repository's root, and the parts of them that are checked."""

    files: tuple[str, ...]
    exclude: tuple[str, ...]
    parts: frozenset[str]

    def covers(self, path: PurePath) -> bool:
        """Whether a path, relative to the root, belongs to this scope."""
        return _matches(path, self.files) and not _matches(path, self.exclude)


@dataclass(frozen=True)
class Finding:
    """One place to rewrite."""

    path: PurePath
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}"


@dataclass(frozen=True)
class WordList:
    """The rules and scopes of a configuration file."""

    rules: tuple[Rule, ...]
    allowed: tuple[re.Pattern[str], ...]
    scopes: tuple[Scope, ...]
    longest_sentence: int

    def parts_of(self, path: PurePath) -> frozenset[str]:
        """The parts of a file that are checked; none if no scope covers it."""
        return frozenset().union(*(scope.parts for scope in self.scopes if scope.covers(path)))

    def check(self, path: PurePath, passage: Passage) -> Iterator[Finding]:
        """What to rewrite in a passage."""
        text = passage.text
        for allowed in self.allowed:
            text = allowed.sub(lambda found: _blank(found.group()), text)
        for rule in self.rules:
            for found in rule.pattern.finditer(text):
                words = " ".join(found.group().split())
                line = passage.line + text.count("\n", 0, found.start())
                yield Finding(path, line, f"avoid '{words}': write {rule.instead}")
        if passage.part == "text":
            yield from self._long_sentences(path, passage)

    def _long_sentences(self, path: PurePath, passage: Passage) -> Iterator[Finding]:
        start = 0
        for end in [*(found.end() for found in _SENTENCE_END.finditer(passage.text)), None]:
            sentence = passage.text[start:end]
            count = len(re.findall(r"\S*\w\S*", sentence))  # Inline code does not count.
            if count > self.longest_sentence:
                line = passage.line + passage.text.count("\n", 0, start)
                message = f"sentence of {count} words; {self.longest_sentence} are the limit"
                yield Finding(path, line, message)
            start = end or start


def read_word_list(path: Path) -> WordList:
    """Reads a configuration. Raises `ValueError` if a scope names an unknown part."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    scopes = tuple(
        Scope(tuple(each["files"]), tuple(each.get("exclude", ())), frozenset(each["parts"]))
        for each in data["scope"]
    )
    for scope in scopes:
        if unknown := scope.parts.difference(PARTS):
            raise ValueError(f"{path}: unknown part {min(unknown)!r}: use {', '.join(PARTS)}")
    rules = tuple(Rule(_expression(each["avoid"]), each["instead"]) for each in data["rule"])
    allowed = tuple(_expression(each) for each in data["allowed"])
    return WordList(rules, allowed, scopes, data["longest_sentence"])


def _expression(words: str) -> re.Pattern[str]:
    """A pattern of whole words, in which a blank matches any white space."""
    return re.compile(rf"\b(?:{words.replace(' ', _BLANK)})(?!\w)", re.IGNORECASE)


def _blank(text: str) -> str:
    """The same lines without their words."""
    return re.sub(r"\S", "-", text)


def _matches(path: PurePath, patterns: Sequence[str]) -> bool:
    return any(re.fullmatch(_translated(pattern), path.as_posix()) for pattern in patterns)


def _translated(pattern: str) -> str:
    """A shell pattern as a regular expression: `**/` is any folders, `*` stays within one."""
    parts = re.split(r"(\*\*/|\*)", pattern)
    return "".join({"**/": "(?:.*/)?", "*": "[^/]*"}.get(part, re.escape(part)) for part in parts)
