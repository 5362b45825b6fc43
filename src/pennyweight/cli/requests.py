"""Builds commands from requests: each field becomes an argument or an option."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from typing import Any

import click

from pennyweight.api.options import Option
from pennyweight.cli.completion import completer
from pennyweight.lengths import LONGEST
from pennyweight.model import UserError

_SIZE = re.compile(r"(\d+)([kK]i?)?[bB]?")
_METADATA = "option"

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def asking(kind: type) -> Decorator:
    """Adds the options of a request to a command, which receives it as `request`."""
    named = {each.name: each for each in fields(kind) if _METADATA in each.metadata}

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(**values: Any) -> Any:
            given = {name: values.pop(name) for name in named}
            return function(request=kind(**given), **values)

        command: Callable[..., Any] = call
        for each in reversed(named.values()):
            command = _parameter(each)(command)
        return command

    return decorate


def option(name: str, shape: Option, default: Any = None) -> Decorator:
    """The click option or argument of this shape, passed as `name`."""
    if not shape.switches:
        several = shape.form == "names"
        return click.argument(
            name,
            nargs=-1 if several else 1,
            required=shape.required,
            metavar=shape.metavar,
            shell_complete=completer(name),
        )
    more: dict[str, Any] = {"shell_complete": completer(name)}
    if shape.choices:
        more["type"] = click.Choice(list(shape.choices))
    elif shape.form == "flag":
        more["is_flag"] = True
    elif shape.form in ("names", "texts"):
        more["multiple"] = True
        default = () if default is None else (default,) if isinstance(default, str) else default
    elif shape.form in _TYPES:
        more["type"] = _TYPES[shape.form]
    if shape.form in _CALLBACKS:
        more["callback"] = _CALLBACKS[shape.form]
    if shape.metavar:
        more["metavar"] = shape.metavar
    if default is not None and not shape.required:
        more["default"] = default
    return click.option(
        *shape.switches,
        name,
        help=shape.help_text or None,
        required=shape.required,
        show_default=shape.shows_default or None,
        **more,
    )


def _parameter(each: Field[Any]) -> Decorator:
    default = None if each.default is MISSING else each.default
    return option(each.name, each.metadata[_METADATA], default)


def positive(_: click.Context, parameter: click.Parameter, value: int | None) -> int | None:
    """Checks that a count is at least 1."""
    if value is not None and value < 1:
        raise UserError(f"{parameter.opts[0]}: {value} is less than 1; use a positive number.")
    return value


def _split(
    _: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[str, ...]:
    names = [name.strip() for value in values for name in value.split(",")]
    if not all(names):
        option = parameter.opts[0]
        if len(names) == len(values):
            raise UserError(f"{option} is empty; give a name or leave the option out.")
        raise UserError(f"{option}: empty name between two commas; remove one comma.")
    return tuple(dict.fromkeys(names))


def _size(_: click.Context, parameter: click.Parameter, text: str | None) -> int | None:
    """A size in bytes, or with the suffix k in units of 1024."""
    if text is None:
        return None
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        raise UserError(
            f"{parameter.opts[0]}: '{text}' is not a size; use bytes, such as 4096 or 4k"
        )
    return int(found[1]) * (1024 if found[2] else 1)


def _length(_: click.Context, parameter: click.Parameter, value: int) -> int:
    if not 0 <= value <= LONGEST:
        raise UserError(f"{parameter.opts[0]}: {value} is out of range; use 0 to {LONGEST} bytes")
    return value


_TYPES = {"count": int, "length": int, "number": float}
_CALLBACKS: dict[str, Callable[..., Any]] = {
    "count": positive,
    "length": _length,
    "names": _split,
    "size": _size,
}
