"""What the record of a campaign must look like, wherever it comes from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_TEXTS = ("id", "title", "about")
_LISTS_OF_TEXTS = ("jobs", "shows", "published", "flags", "baselines", "unknown")
_LISTS_OF_TABLES = (
    *("boards", "algorithms", "implementations", "compilers", "absent", "unreachable"),
    "scenarios",
)


def what_is_wrong_with(record: Any) -> str | None:
    """Which field cannot be used, in words; None if all can. Fields that are missing are fine."""
    if not isinstance(record, dict):
        return "it is no table of fields"
    checks: tuple[tuple[tuple[str, ...], Callable[[Any], bool], str], ...] = (
        (_TEXTS, _is_text, "is no text"),
        (("quick",), lambda value: isinstance(value, bool), "is neither true nor false"),
        (_LISTS_OF_TEXTS, lambda value: _is_list(value, str), "is no list of texts"),
        (_LISTS_OF_TABLES, lambda value: _is_list(value, dict), "is no list of tables"),
    )
    for names, is_right, problem in checks:
        for name in names:
            if name in record and not is_right(record[name]):
                return f"its field '{name}' {problem}"
    for scenario in record.get("scenarios", []):
        if not _is_scenario(scenario):
            return "its field 'scenarios' has an entry without name, title, kind or cases"
    return None


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_list(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(each, kind) for each in value)


def _is_scenario(entry: dict[str, Any]) -> bool:
    cases = entry.get("cases")
    return (
        all(_is_text(entry.get(name)) for name in ("name", "title", "kind"))
        and isinstance(cases, list)
        and all(isinstance(case, list) and len(case) == 3 for case in cases)
    )
