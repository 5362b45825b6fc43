"""Formats numbers and units for readers."""

from __future__ import annotations

import re

_UNIT = re.compile(r"(?<=\d) (?=(GHz|MHz|kHz|ms|µs|s|µJ|bytes|cycles|KB)\b)")
_FLAG = re.compile(r"(?<![\w-])-(?=O\w)")

MISSING = "–"
"""Replaces missing values."""

_SIGNIFICANT = 3


def integer(value: float | None) -> str:
    """Digits in groups of three.

    >>> integer(1234567)
    '1,234,567'
    """
    return MISSING if value is None else f"{value:,.0f}"


def rounded(value: float | None) -> str:
    """Three significant digits, without exponent.

    >>> rounded(1234.5), rounded(12.345), rounded(0.012345), rounded(0.0)
    ('1,230', '12.3', '0.0123', '0')
    """
    if value is None:
        return MISSING
    if value == 0:
        return "0"
    shown = float(f"{value:.{_SIGNIFICANT}g}")
    decimals = max(0, _SIGNIFICANT - 1 - _exponent(shown))
    return f"{shown:,.{decimals}f}"


def _exponent(value: float) -> int:
    return int(f"{value:e}".rpartition("e")[2])


def duration(microseconds: float | None) -> str:
    """A time in a suitable unit.

    >>> duration(950.0), duration(12345.0), duration(2_500_000.0)
    ('950 µs', '12.3 ms', '2.50 s')
    """
    if microseconds is None:
        return MISSING
    for limit, divisor, unit in ((1e3, 1.0, "µs"), (1e6, 1e3, "ms")):
        if abs(microseconds) < limit:
            return f"{rounded(microseconds / divisor)} {unit}"
    return f"{rounded(microseconds / 1e6)} s"


def frequency(hertz: int | None) -> str:
    """A clock frequency.

    >>> frequency(16_000_000), frequency(32_768)
    ('16 MHz', '32.768 kHz')
    """
    if hertz is None:
        return MISSING
    for divisor, unit in ((1e9, "GHz"), (1e6, "MHz"), (1e3, "kHz")):
        if hertz >= divisor:
            return f"{hertz / divisor:g} {unit}"
    return f"{hertz} Hz"


def memory(size: int | None) -> str:
    """Bytes, in KB of 1,024 if that is a whole number.

    >>> memory(32768), memory(1500)
    ('32 KB', '1,500 bytes')
    """
    if size is None:
        return MISSING
    return f"{size // 1024} KB" if size >= 1024 and size % 1024 == 0 else f"{size:,} bytes"


def times(ratio: float) -> str:
    """A ratio.

    >>> times(1.0271), times(3.14159), times(127.4)
    ('1.03', '3.14', '127')
    """
    return rounded(ratio)


def count(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun.

    >>> count(1, "board"), count(2, "board"), count(1200, "case")
    ('1 board', '2 boards', '1,200 cases')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def tight(text: str) -> str:
    r"""Text with non-breaking spaces between numbers and units, and non-breaking hyphens in flags.

    >>> tight("in 12 ms with -O3") == "in 12\u00a0ms with \u2011O3"
    True
    """
    return _FLAG.sub("\u2011", _UNIT.sub("\u00a0", text))


def listed(items: list[str]) -> str:
    """Joins items in a sentence.

    >>> listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])
    ('a', 'a and b', 'a, b and c')
    """
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"
