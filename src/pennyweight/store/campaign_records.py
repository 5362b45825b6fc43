"""Validates the record of a campaign, wherever it comes from, and finds the newest one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

from pennyweight.model import Kind

STARTED = "started"
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)
_NO_TIME = datetime(9000, 1, 1, tzinfo=UTC)
"""A time beyond any real clock, so that a wrong clock cannot put a campaign last forever."""

_TEXTS = ("id", "title", "short_title", "about")
_LISTS_OF_TEXTS = ("jobs", "shows", "published", "flags", "baselines", "unknown")
_LISTS_OF_TABLES = (
    *("boards", "algorithms", "implementations", "compilers", "absent", "unreachable"),
    *("scenarios", "real"),
)


_NEEDED = {
    "boards": ("id",),
    "algorithms": ("name",),
    "implementations": ("algorithm", "name"),
    "absent": ("board", "reason"),
    "unreachable": ("library", "reason"),
    "real": ("board", "on"),
}
"""Tables that pages are made from, and the text that each entry must have."""

_TEXTS_OF_ENTRIES = frozenset(
    (
        *("id", "title", "part", "core", "validation", "name", "family", "kind", "status", "note"),
        *(
            "accuracy",
            "price",
            "price_source",
            "specification",
            "attack",
            "attack_source",
            "algorithm",
            "license",
            "meant_for",
            "remarks",
            "board",
            "library",
            "reason",
        ),
    )
)
_NUMBERS_OF_ENTRIES = frozenset(
    (
        *("bits", "hz", "flash_bytes", "ram_bytes", "current_ma", "voltage_v"),
        *("key", "nonce", "tag", "digest", "block", "word_bits"),
    )
)
_LARGEST = 1 << 40
_NOT_ZERO = ("hz",)
_KINDS = frozenset(each.value for each in Kind)


def what_is_wrong_with(record: Any, name: str) -> str | None:
    """The field that is invalid, in words; None if all are valid. Missing fields are valid, except
    for the id, which is the `name` of the record's file.
    """
    if not isinstance(record, dict):
        return "it is not a table of fields"
    if record.get("id") != name:
        return "its field 'id' is not the file's name"
    checks: tuple[tuple[tuple[str, ...], Callable[[Any], bool], str], ...] = (
        (_TEXTS, _is_text, "is not a string"),
        (("quick",), lambda value: isinstance(value, bool), "is neither true nor false"),
        (_LISTS_OF_TEXTS, lambda value: _is_list(value, str), "is not a list of strings"),
        (_LISTS_OF_TABLES, lambda value: _is_list(value, dict), "is not a list of tables"),
    )
    for names, is_right, problem in checks:
        for name in names:
            if name in record and not is_right(record[name]):
                return f"its field '{name}' {problem}"
    for scenario in record.get("scenarios", []):
        if not _is_scenario(scenario):
            return "its field 'scenarios' has an entry without name, title, kind or cases"
    for name, needed in _NEEDED.items():
        for entry in record.get(name, []):
            odd = _what_is_odd(entry, needed)
            if odd is not None:
                return f"its field '{name}' has an entry with an invalid '{odd}'"
    for entry in record.get("real", []):
        if not _is_list(entry.get("jobs"), str):
            return "its field 'real' has an entry with an invalid 'jobs'"
    return None


def oldest_first(records: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Campaigns in the order in which they last ran; those without a time come first."""
    return sorted(records, key=_started)


def turns(records: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """For each planned job, the number of the last campaign that planned it, counted from 1."""
    found: dict[str, int] = {}
    for turn, record in enumerate(oldest_first(records), start=1):
        found.update(dict.fromkeys(record.get("jobs", []), turn))
    return found


def next_start(records: Iterable[Mapping[str, Any]]) -> str:
    """The start time of a campaign that starts now: later than all others, even if the clock was
    set back.
    """
    latest = max(map(_started, records), default=_NEVER)
    return max(datetime.now(UTC), latest + timedelta(seconds=1)).isoformat(timespec="seconds")


def _started(record: Mapping[str, Any]) -> datetime:
    with suppress(KeyError, TypeError, ValueError):
        started = datetime.fromisoformat(record[STARTED])
        if started.tzinfo is not None and _NEVER < started < _NO_TIME:
            return started
    return _NEVER


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_list(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(each, kind) for each in value)


def _is_scenario(entry: dict[str, Any]) -> bool:
    cases = entry.get("cases")
    return (
        all(_is_text(entry.get(name)) for name in ("name", "title", "kind"))
        and entry["kind"] in _KINDS
        and isinstance(cases, list)
        and all(_is_case(case) for case in cases)
    )


def _is_case(case: Any) -> bool:
    if not isinstance(case, list) or len(case) != 3 or not _is_text(case[0]):
        return False
    return all(type(size) is int and 0 <= size <= _LARGEST for size in case[1:])


def _what_is_odd(entry: dict[str, Any], needed: tuple[str, ...]) -> str | None:
    """The first field of a table's entry that is missing or has the wrong type."""
    for name in needed:
        if not _is_text(entry.get(name)):
            return name
    for name, value in entry.items():
        if name in _TEXTS_OF_ENTRIES and not _is_text(value):
            return name
        if name == "kind" and value not in _KINDS:
            return name
        if name in _NUMBERS_OF_ENTRIES and value is not None and not _is_number(name, value):
            return name
    return None


def _is_number(name: str, value: Any) -> bool:
    """Whether a number can be drawn: it is finite and not a division by zero."""
    least = 1 if name in _NOT_ZERO else 0
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and least <= value <= _LARGEST
