"""Calls as users write them: `aes(out:16, in:16, rk:176, 10)`."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from pennyweight.model import UserError
from pennyweight.target.buffers import Layout, Request
from pennyweight.target.interface import Argument

_CALL = re.compile(r"\s*(?P<function>[A-Za-z_]\w*)\s*(?:\((?P<arguments>[^()]*)\)\s*)?")
_BUFFER = re.compile(r"(?P<name>[A-Za-z_]\w*)\s*:\s*(?P<size>\d+)")
_NUMBER = re.compile(r"(?P<value>-?(?:0[xX][0-9a-fA-F]+|\d+))(?P<long>[uU]?[lL][lL])?")

_LARGEST_BUFFER = 1 << 24
"""No board has more RAM."""
_LARGEST_WORD = 1 << 32
_LARGEST = 1 << 64


@dataclass(frozen=True, slots=True)
class Buffer:
    """A pointer to so many bytes of RAM."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class Number:
    """An `int` or `size_t`; `long` ones are an `unsigned long long`."""

    value: int
    long: bool = False


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A function and the arguments of each call."""

    function: str
    arguments: tuple[Buffer | Number, ...] = ()

    def values(self, layout: Layout) -> list[Argument]:
        """The arguments, with the addresses of buffers."""
        return [_value(each, layout) for each in self.arguments]


def parse_call(text: str, option: str) -> FunctionCall:
    """Reads a call: a function's name, and its arguments in parentheses if it has any.

    An argument is a buffer, `NAME:BYTES`, or a number; one that ends in `ull` is an
    `unsigned long long`. Raises `UserError`, which names `option`.
    """
    found = _CALL.fullmatch(text)
    if found is None:
        raise UserError(
            f"{option}: '{text}' is not a call; write a function's name and its arguments, such as "
            "'aes(out:16, in:16, rk:176)'"
        )
    written = (found["arguments"] or "").strip()
    parts = [part.strip() for part in written.split(",")] if written else []
    return FunctionCall(found["function"], tuple(_argument(part, option) for part in parts))


def requests_of(calls: Iterable[FunctionCall], option: str) -> list[Request]:
    """The buffers of calls, each once, with bytes that depend on its name alone.

    Buffers of the same name are one. Raises `UserError` if they differ in size.
    """
    sizes: dict[str, int] = {}
    for call in calls:
        for each in call.arguments:
            if not isinstance(each, Buffer):
                continue
            if sizes.setdefault(each.name, each.size) != each.size:
                raise UserError(
                    f"{option}: the buffer '{each.name}' has {sizes[each.name]} bytes in one call "
                    f"and {each.size} in another; give it one size, or another name"
                )
    return [Request(name, size, _filling(name, size), size) for name, size in sizes.items()]


def _filling(name: str, size: int) -> bytes:
    return hashlib.shake_128(name.encode()).digest(size)


def _argument(text: str, option: str) -> Buffer | Number:
    buffer = _BUFFER.fullmatch(text)
    if buffer is not None:
        size = int(buffer["size"])
        if not 0 < size <= _LARGEST_BUFFER:
            raise UserError(
                f"{option}: the buffer '{text}' is empty or larger than any board's RAM; give its "
                f"bytes, from 1 to {_LARGEST_BUFFER}"
            )
        return Buffer(buffer["name"], size)
    number = _NUMBER.fullmatch(text)
    if number is None:
        raise UserError(
            f"{option}: the argument '{text}' is neither a buffer nor a number; write NAME:BYTES, "
            "such as 'out:16', or a number"
        )
    value, long = int(number["value"], 0), number["long"] is not None
    if not (0 <= value < _LARGEST if long else -_LARGEST_WORD // 2 <= value < _LARGEST_WORD):
        raise UserError(
            f"{option}: the number {text} is too large; end it in 'ull' if the parameter is an "
            "unsigned long long"
        )
    return Number(value, long)


def _value(argument: Buffer | Number, layout: Layout) -> Argument:
    if isinstance(argument, Buffer):
        return ("pointer", layout.address(argument.name))
    if argument.long:
        return ("u64", argument.value)
    return ("size" if argument.value >= 0 else "int", argument.value)
