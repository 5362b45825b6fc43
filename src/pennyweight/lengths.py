"""Parses lengths from the command line: pairs, lists and ranges."""

from __future__ import annotations

from collections.abc import Iterable

from pennyweight.model import MOST_CASES, UserError

LONGEST = 1 << 20
"""Longest length in bytes. No supported part has more RAM, so a larger number is a typing error."""


def parse_pairs(text: str, option: str = "--lengths") -> list[tuple[int, int]]:
    """Parses pairs of associated data and message lengths as given to ``--lengths``.

    ``AD:M`` in bytes, or ``M`` for a message without associated data; several separated by commas;
    each number may be a range ``0-256/4``. `option` is the option's name, for messages. Raises
    UserError.

    >>> parse_pairs("16:64,0:0-8/4,128")
    [(16, 64), (0, 0), (0, 4), (0, 8), (0, 128)]
    """
    pairs: list[tuple[int, int]] = []
    for item in text.split(","):
        where = f"{option}: '{item.strip()}'"
        if not item.strip():
            raise UserError(
                f"{where} is not AD:M, such as 16:64 for 16 bytes of associated data and a message "
                "of 64 bytes, nor M alone."
            )
        ad_text, colon, m_text = item.strip().partition(":")
        if not colon:
            ad_text, m_text = "0", ad_text
        messages, ads = _parse_side(m_text, where), _parse_side(ad_text, where)
        if len(pairs) + len(ads) * len(messages) > MOST_CASES:
            raise UserError(
                f"{where} makes more than {MOST_CASES:,} pairs, too many for a job; give a step, "
                "as 0-4096/64."
            )
        pairs.extend((ad, m) for ad in ads for m in messages)
    return list(dict.fromkeys(pairs))


def pairs_of(lengths: str | Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The pairs of a request, given as text or as pairs. Raises UserError."""
    return parse_pairs(lengths) if isinstance(lengths, str) else check_pairs(lengths)


def check_pairs(pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Checks pairs that a program passes, and removes duplicates. Raises UserError."""
    if not isinstance(pairs, Iterable):
        raise UserError(f"lengths: {pairs!r} is not a list of pairs; use [(16, 64)] or '16:64'.")
    checked = []
    for pair in pairs:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise UserError(f"lengths: {pair!r} is not a pair of associated data and message.")
        for length in pair:
            if isinstance(length, bool) or not isinstance(length, int):
                raise UserError(f"lengths: {length!r} is not a whole number of bytes.")
            if not 0 <= length <= LONGEST:
                raise UserError(f"lengths: {length} is out of range; use 0 to {LONGEST} bytes.")
        checked.append((pair[0], pair[1]))
    if not checked:
        raise UserError("lengths: the list is empty; give at least one pair, such as (16, 64).")
    return list(dict.fromkeys(checked))


def _parse_side(text: str, where: str) -> range:
    """Parses one side of AD:M: a number, first-last, or first-last/step."""
    numbers, slash, step_text = text.strip().partition("/")
    if numbers.startswith("-") or "--" in numbers:
        raise UserError(f"{where}: '{numbers}' is negative; a length is 0 bytes or more.")
    first_text, dash, last_text = numbers.partition("-")
    if dash and not last_text.strip():
        raise UserError(f"{where}: '{numbers}' has no end; a range is written 0-256.")
    if slash and not dash:
        raise UserError(f"{where}: a step needs a range, such as 0-256/4.")
    first = _parse_number(first_text, where)
    last = _parse_number(last_text, where) if dash else first
    step = _parse_number(step_text, where) if slash else 1
    if step == 0:
        raise UserError(f"{where}: the step is 0; use at least 1.")
    if last < first:
        raise UserError(f"{where}: the range goes from {first} down to {last}; swap them.")
    return range(first, last + 1, step)


def _parse_number(text: str, where: str) -> int:
    if not text.strip():
        raise UserError(f"{where}: a length is missing; both sides of AD:M are numbers of bytes.")
    if not (text.isascii() and text.isdigit()) or len(text) > 9 or int(text) > LONGEST:
        raise UserError(f"{where}: '{text}' is not a whole number of bytes up to {LONGEST}.")
    return int(text)
