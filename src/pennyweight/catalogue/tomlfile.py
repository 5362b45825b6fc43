"""Reads a TOML file into a pydantic model and reports each problem in one sentence."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from pennyweight.catalogue.suggest import did_you_mean
from pennyweight.model import UserError


class Table(BaseModel):
    """A table of a data file: unknown fields are errors, and values are immutable."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


T = TypeVar("T", bound=BaseModel)

_TYPE = re.compile(r"(tuple|list|dict|literal|constrained-\w+|function-\w+)\b\W")

LARGEST = 4 << 20
"""Maximum bytes of a data file; real ones have some kilobytes."""


def read_text(path: Path, errors: str = "strict") -> str:
    """The text of a data file. Raises `UserError`."""
    try:
        with open(path, "rb", opener=_opened) as file:
            content = file.read(LARGEST + 1) or b""
        if len(content) > LARGEST:
            raise UserError(f"{path}: larger than {LARGEST >> 20} MB; check the path")
        text = content.decode("utf-8", errors)
        return text.replace("\r\n", "\n").replace("\r", "\n")
    except FileNotFoundError:
        raise UserError(f"{path}: there is no such file; check the path") from None
    except UnicodeDecodeError:
        raise UserError(f"{path}: not UTF-8 text; save it as UTF-8") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror}); check the path") from None


def _opened(path: str, flags: int) -> int:
    """Opens without blocking, because a package's file may be a link to a system file that never
    returns data, such as /proc/kmsg. Pipes from a shell (`<(...)`) are waited for.
    """
    return os.open(path, flags | (os.O_NONBLOCK if Path(path).is_file() else 0))


def parse(text: str, path: Path, model: type[T]) -> T:
    """Parses `text` as `model`; `path` appears in messages. Raises `UserError`."""
    return validate(loads(text, path), path, model)


def loads(text: str, path: Path) -> dict[str, Any]:
    """Parses `text` as TOML tables; `path` appears in messages. Raises `UserError`."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UserError(f"{path}: not valid TOML: {error}; correct that line") from None
    except RecursionError:
        raise UserError(
            f"{path}: lists or tables are nested too deep; no field needs more than a few levels"
        ) from None


def validate(data: dict[str, Any], path: Path, model: type[T]) -> T:
    """Validates `data` as `model`. Raises `UserError`, for a misspelt field rather than a missing
    one.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        problems = sorted(error.errors(), key=lambda each: each["type"] != "extra_forbidden")
        raise UserError(_sentence(path, problems[0], model)) from None


def _sentence(path: Path, error: Any, model: type[BaseModel]) -> str:
    """One sentence: file, field, problem, remedy."""
    location = tuple(error["loc"])
    field = _dotted(location)
    kind = error["type"]
    if kind == "missing":
        return f"{path}: the field '{field}' is missing; add it"
    if kind == "extra_forbidden":
        hint = did_you_mean(str(location[-1]), _fields_beside(model, location))
        return f"{path}: unknown field '{field}':{hint or ' remove it'}"
    if kind == "too_short" and error["ctx"]["actual_length"] == 0:
        return f"{path}: field '{field}': an empty list; give at least one"
    message = str(error["msg"]).removeprefix("Value error, ")
    message = message[:1].lower() + message[1:]
    # Pydantic's tuples are lists in TOML.
    message = message.replace("a valid tuple", "a list, in [ ]")
    given = error.get("input")
    shown = f", not {given!r}" if isinstance(given, str | int | float | bool) else ""
    if message.endswith(shown):
        shown = ""
    return f"{path}: field '{field}': {message}{shown}" if field else f"{path}: {message}"


def _dotted(location: tuple[Any, ...]) -> str:
    """Converts `("memory", 0, "size")` to `memory[1].size`, counting tables from one.

    In a field of several types, Pydantic puts the name of the type behind that of the field.
    """
    text = ""
    for part in location:
        if isinstance(part, str) and _TYPE.match(part):
            continue
        if isinstance(part, int):
            text += f"[{part + 1}]"
        else:
            text += f".{part}" if text else str(part)
    return text


def _fields_beside(model: type[BaseModel], location: tuple[Any, ...]) -> list[str]:
    """The names that are allowed at `location`."""
    current: Any = model
    for part in location[:-1]:
        if isinstance(part, int) or current is None:
            continue
        field = _by_name(current, part)
        # A word that is not a field is a key in a table of tables.
        current = _model_of(field.annotation) if field is not None else current
    if current is None:
        return []
    return [field.alias or name for name, field in current.model_fields.items()]


def _by_name(model: type[BaseModel], name: str) -> Any:
    for key, field in model.model_fields.items():
        if name in (key, field.alias):
            return field
    return None


def _model_of(annotation: Any) -> type[BaseModel] | None:
    """The model inside an annotation such as `tuple[Memory, ...]` or `Energy | None`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for argument in getattr(annotation, "__args__", ()):
        found = _model_of(argument)
        if found is not None:
            return found
    return None
