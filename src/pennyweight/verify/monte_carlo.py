"""The Monte Carlo tests of NIST CAVP: chains of 100,000 hashes with every thousandth recorded.

Rules: SHAVS (2014), section 6.4, for SHA-2; SHA3VS (2016), sections 6.2.3 and 6.3.3, for SHA-3 and
SHAKE. Each thousand starts where the previous one ended, so each can be run separately.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from pennyweight.verify.name_value import FormatError

STEPS = 1000
"""Hashes from one recorded value to the next."""

_SHAKE_MESSAGE = 16
_FIELD = re.compile(r"^(Seed|Msg|MD|Outputlen|Output) = ([0-9a-fA-F]+)\s*$", re.MULTILINE)
_BOUNDS = re.compile(r"(Minimum|Maximum) Output Length \(bits\) = (\d+)")

Function = Callable[[bytes, int], bytes]
"""A hash: message and number of bytes of output."""


class Rule(StrEnum):
    """How the next message follows from the previous outputs."""

    SHA2 = "SHA-2"
    SHA3 = "SHA-3"
    SHAKE = "SHAKE"


@dataclass(frozen=True, slots=True)
class Chain:
    """`values[0]` is the seed, `values[i]` the value after `i` thousand hashes.

    `least` and `most` are the bounds of SHAKE's output length in bytes.
    """

    rule: Rule
    values: tuple[bytes, ...]
    least: int = 0
    most: int = 0

    def after(self, checkpoint: int, function: Function) -> bytes:
        """The value that `function` gives for `values[checkpoint]`, computed from the previous one.

        `checkpoint` counts from 1.
        """
        value = self.values[checkpoint - 1]
        if self.rule is Rule.SHA2:
            return _sha2(value, function)
        if self.rule is Rule.SHA3:
            return _sha3(value, function)
        size = self.most if checkpoint == 1 else self._next_size(value)
        return self._shake(value, size, function)

    def _shake(self, value: bytes, size: int, function: Function) -> bytes:
        for _ in range(STEPS):
            message = value[:_SHAKE_MESSAGE].ljust(_SHAKE_MESSAGE, b"\0")
            value = function(message, size)
            size = self._next_size(value)
        return value

    def _next_size(self, output: bytes) -> int:
        return self.least + int.from_bytes(output[-2:], "big") % (self.most - self.least + 1)


def _sha2(value: bytes, function: Function) -> bytes:
    last = [value, value, value]
    for _ in range(STEPS):
        last = [*last[1:], function(b"".join(last), len(value))]
    return last[-1]


def _sha3(value: bytes, function: Function) -> bytes:
    for _ in range(STEPS):
        value = function(value, len(value))
    return value


def read(text: str) -> Chain:
    """The chain of a file `*Monte.rsp`. Raises `FormatError`."""
    fields = list(_fields(text))
    values = tuple(bytes.fromhex(value) for name, value in fields if name != "Outputlen")
    if len(values) < 2 or fields[0][0] not in ("Seed", "Msg"):
        raise FormatError("not one of CAVP's Monte Carlo files (no seed with values after it)")
    if fields[0][0] == "Seed":
        rule = Rule.SHA3 if "SHA3-" in text.partition("[")[0] else Rule.SHA2
        return Chain(rule, values)
    bounds = {name: int(bits) // 8 for name, bits in _BOUNDS.findall(text)}
    if set(bounds) != {"Minimum", "Maximum"}:
        raise FormatError("not one of CAVP's Monte Carlo files (no bounds of the output length)")
    return Chain(Rule.SHAKE, values, bounds["Minimum"], bounds["Maximum"])


def _fields(text: str) -> Iterator[tuple[str, str]]:
    for match in _FIELD.finditer(text):
        yield match[1], match[2]
