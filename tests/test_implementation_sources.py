"""Sources of implementations cite their references and document the parameters of their
functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = sorted(
    path
    for path in (ROOT / "implementations").rglob("*.[ch]")
    if path.name != "api.h"  # sizes, by the names that packages have
)
INTERFACES = sorted((ROOT / "firmware" / "include").rglob("*.h"))
"""The interfaces between sources of implementations are documented there."""

FUNCTION = re.compile(
    r"^[A-Za-z][\w\s*]*?\b(\w+)\([^;{}()]*(?:\([^()]*\)[^;{}()]*)*\)\s*[;{]", re.M
)
LISTED = re.compile(r"^ \*   (\w+)  |\bdefines (\w+), which", re.M)
"""How the first comment of a file documents a representation's functions: as a list, or in a
sentence.
"""


def opening(text: str) -> str:
    """The comment at the beginning of a file, or an empty string."""
    return text[: text.index("*/")] if text.startswith("/*") and "*/" in text else ""


def functions(text: str) -> Iterator[tuple[str, bool, bool]]:
    """Names of the functions of a file, whether each is static, and whether there are words before
    it.
    """
    for match in FUNCTION.finditer(text):
        name = match[1]
        before = text[: match.start()].rstrip()
        lines = before.splitlines()
        while lines and lines[-1].startswith("#"):
            lines.pop()
        reported = bool(lines) and lines[-1].endswith("*/")
        if name not in ("defined", "__attribute__"):
            yield (
                name,
                match[0].startswith(("static ", "ALWAYS_INLINE ", "NEVER_INLINE ")),
                reported,
            )


def test_every_source_opens_with_its_references() -> None:
    without = [
        str(path.relative_to(ROOT))
        for path in SOURCES
        if "References:" not in opening(path.read_text(encoding="utf-8"))
    ]
    assert len(SOURCES) > 500
    assert without == []


def test_every_function_states_what_it_takes_and_gives() -> None:
    reported: set[str] = set()
    where: dict[str, str] = {}
    own: dict[str, bool] = {}
    for path in INTERFACES:
        reported |= {name for name, _, _ in functions(path.read_text(encoding="utf-8"))}
    for path in SOURCES:
        text = path.read_text(encoding="utf-8")
        reported |= {each for pair in LISTED.findall(opening(text)) for each in pair}
        place = str(path.relative_to(ROOT))
        for name, static, has_words in functions(text):
            if static and path.suffix == ".c":
                # Others of this name are other functions: words for one, once in its file.
                own[f"{place}: {name}"] = own.get(f"{place}: {name}", False) or has_words
                continue
            where.setdefault(name, place)
            if has_words:
                reported.add(name)
    assert len(where) > 400
    assert {name: path for name, path in where.items() if name not in reported} == {}
    assert len(own) > 400
    assert [name for name, has_words in own.items() if not has_words] == []
