"""The best known attack on each algorithm, as recorded in its family's file.

Attacks are not part of :class:`~pennyweight.catalogue.algorithms.Algorithm`, whose content enters
the names of jobs, so a new paper does not invalidate results.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field, field_validator

from pennyweight.catalogue.tomlfile import Table, parse, read_text

LONGEST = 240
"""Maximum characters of a summary: one sentence that fits into a table."""


class Attack(Table):
    """A table `[[attack]]` of a family's file: the best published attack on some of its variants.

    It states which property fails and to what extent: rounds of the total, complexity, and the
    model if it is unusual (repeated nonces, related keys).
    """

    summary: Annotated[str, Field(min_length=1, max_length=LONGEST)]
    source: Annotated[str, Field(min_length=1)]
    """Authors, title, venue and year."""
    variants: tuple[str, ...] = ()
    """Names of the variants; empty: all variants of the file that no other attack names."""

    @field_validator("summary")
    @classmethod
    def _is_a_sentence(cls, text: str) -> str:
        if not text.endswith("."):
            raise ValueError("write one sentence, with a full stop at its end")
        return text

    @field_validator("source")
    @classmethod
    def _has_a_year(cls, text: str) -> str:
        words = text.replace("/", " ").replace(",", " ").replace(")", " ").split()
        if not any(word.isdigit() and 1970 <= int(word) <= 2100 for word in words):
            raise ValueError("cite authors, title, venue and year")
        return text


class _Name(BaseModel):
    name: str


class _File(BaseModel):
    """A family's file, reduced to names and attacks."""

    variant: tuple[_Name, ...] = ()
    attack: tuple[Attack, ...] = ()


def by_variant(attacks: Iterable[Attack], variants: Iterable[str]) -> dict[str, Attack]:
    """The attack on each of a file's variants that has one. Raises ValueError for a name that the
    file does not have, and for a second attack on one variant.
    """
    known = list(variants)
    found: dict[str, Attack] = {}
    rest: Attack | None = None
    for each in attacks:
        if not each.variants and rest is not None:
            raise ValueError("two attacks without 'variants': name the variants of one of them")
        rest = each if not each.variants else rest
        for name in each.variants:
            if name not in known:
                raise ValueError(f"an attack names '{name}', which is not a variant of this file")
            if name in found:
                raise ValueError(f"'{name}' has two attacks: keep the better one")
            found[name] = each
    if rest is not None:
        found = {**dict.fromkeys(known, rest), **found}
    return found


def best_attack(name: str, path: Path) -> Attack | None:
    """The best known attack on a variant of a family's file; None if none is recorded.

    Raises `UserError`.
    """
    return _of_file(path).get(name)


@cache
def _of_file(path: Path) -> Mapping[str, Attack]:
    if not path.is_file():  # an algorithm that exists only in memory
        return {}
    file = parse(read_text(path), path, _File)
    return by_variant(file.attack, [each.name for each in file.variant])
