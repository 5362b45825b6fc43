"""Third-party masked packages with another number of shares than their default."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

from pennyweight.catalogue import shared_api
from pennyweight.catalogue.api_header import API
from pennyweight.catalogue.implementation import Implementation
from pennyweight.catalogue.share_macros import SHARE_MACROS, known_values, macro_of
from pennyweight.catalogue.shared_api import MACROS, MOST_SHARES, SharedApi
from pennyweight.model import UserError

OPTION = "--shares"
_FORM = re.compile(r"(\d{1,3})(?::(\d{1,3}))?")


@dataclass(frozen=True, slots=True)
class ShareCount:
    """The number of shares of the key, and of all other inputs."""

    key: int
    others: int

    def __str__(self) -> str:
        return str(self.key) if self.key == self.others else f"{self.key}:{self.others}"

    @property
    def suffix(self) -> str:
        """The end of the names of implementations with this number."""
        return f"-{self.key}shares" + ("" if self.key == self.others else f"-{self.others}")


def share_count(given: object) -> ShareCount:
    """Reads `3`, ``"3"`` or ``"3:1"``. Raises ValueError."""
    known = isinstance(given, int | str) and not isinstance(given, bool)
    found = _FORM.fullmatch(str(given).strip()) if known else None
    count = ShareCount(int(found[1]), int(found[2] or found[1])) if found else ShareCount(0, 0)
    if not 2 <= count.key <= MOST_SHARES or not 1 <= count.others <= MOST_SHARES:
        raise ValueError(
            f"'{given}' is not a number of shares; use 2 to {MOST_SHARES}, or KEY:OTHERS such as "
            "3:1"
        )
    return count


def with_shares(
    implementations: Sequence[Implementation], given: str | int | None
) -> list[Implementation]:
    """The implementations with a number of shares, by which their names end. `given` is the value
    of the option. Those without masks are excluded if others have them: see `unmasked`. Raises
    `UserError` if one of the others has no such option, or if all are without masks.
    """
    if given is None:
        return list(implementations)
    try:
        count = share_count(given)
    except ValueError as error:
        raise UserError(f"{OPTION}: {error}") from None
    without = unmasked(implementations)
    return [
        each if each.problem else with_count(each, count)
        for each in implementations
        if each not in without
    ]


def unmasked(implementations: Sequence[Implementation]) -> list[Implementation]:
    """Those without masks among several of which at least one has them; otherwise none."""
    without = [each for each in implementations if not (each.problem or _is_masked(each))]
    return without if len(without) < len(implementations) else []


def with_counts(
    implementations: Sequence[Implementation], counts: Sequence[str], where: str
) -> list[Implementation]:
    """Each masked implementation once for each number of shares; others unchanged.

    One with a fixed number is measured with that number, which must be one of `counts`. `where` is
    the field that has them. Raises `UserError` for a number that an implementation cannot have, and
    if none is masked.
    """
    if not counts:
        return list(implementations)
    wanted = [share_count(each) for each in counts]
    usable = [each for each in implementations if not each.problem]
    if usable and not any(_is_masked(each) for each in usable):
        raise UserError(
            f"{where}: none of the packages is masked, such as {usable[0].id}; remove 'shares', or "
            "state 'shares' in the implementation.toml of a masked one"
        )
    found = []
    for each in implementations:
        if each.problem or not _is_masked(each):
            found.append(each)
        elif _has_choice(each):
            found += [with_count(each, count, where) for count in wanted]
        else:
            _check_fixed(each, wanted, where)
            found.append(each)
    return found


def _is_masked(implementation: Implementation) -> bool:
    return implementation.manifest.shares is not None or _has_choice(implementation)


def _has_choice(implementation: Implementation) -> bool:
    if implementation.shared is not None:
        return shared_api.has_default_only(implementation.folder)
    return macro_of(implementation.folder) is not None


def _check_fixed(implementation: Implementation, wanted: Sequence[ShareCount], where: str) -> None:
    """Raises `UserError` unless the fixed number is one of those wanted."""
    shares = implementation.manifest.shares
    if any(count.key == shares for count in wanted):
        return
    reason = (
        f"its {API} defines {MACROS['key']} without #ifndef {MACROS['key']}"
        if implementation.shared
        else f"no header uses {', '.join(SHARE_MACROS)}"
    )
    raise UserError(
        f"{where}: {implementation.folder} can be built with {shares} shares only, because "
        f"{reason}; add {shares} to 'shares', or remove the folder from 'packages'"
    )


def with_count(
    implementation: Implementation, count: ShareCount, where: str = OPTION
) -> Implementation:
    """The implementation with a number of shares. Raises `UserError` if it has no such option."""
    shared = implementation.shared
    if implementation.bundled:
        raise UserError(
            f"{OPTION}: {implementation.id} is bundled, and its name states the number of shares; "
            f"omit {OPTION}, or name another one: `pennyweight implementations "
            f"{implementation.algorithm}` lists them"
        )
    if shared is not None:
        if not shared_api.has_default_only(implementation.folder):
            raise UserError(
                f"{OPTION}: the {API} of {implementation.id} defines {MACROS['key']} without "
                f"#ifndef {MACROS['key']}, which has {shared.key} shares; omit {OPTION}"
            )
        shared = _all_inputs(count)
        values = {macro: getattr(shared, name) for name, macro in MACROS.items()}
    else:
        macro = macro_of(implementation.folder)
        if macro is None or count.others != count.key:
            _refuse(implementation, count, macro, where)
        values = {macro: count.key}
    _check_values(implementation, values, count, where)
    defines = [f"{macro} {value}" for macro, value in values.items()]
    manifest = implementation.manifest
    return replace(
        implementation,
        name=f"{implementation.name}{count.suffix}",
        manifest=manifest.model_copy(
            update={"shares": count.key, "defines": (*manifest.defines, *defines)}
        ),
        shared=shared,
        requested_shares=str(count),
    )


def _check_values(
    implementation: Implementation, values: Mapping[str, int], count: ShareCount, where: str
) -> None:
    """Raises `UserError` for a number of shares for which the package has no code."""
    for macro, value in values.items():
        known = known_values(implementation.folder, macro)
        if known and value not in known:
            numbers = f"{', '.join(map(str, known[:-1]))} and {known[-1]}"
            raise UserError(
                f"{where}: '{count}': {implementation.id} has code for {macro} of "
                f"{numbers if known[1:] else known[0]} only; use one of these"
            )


def _refuse(
    implementation: Implementation, count: ShareCount, macro: str | None, where: str
) -> NoReturn:
    if macro is not None:
        remedy = f"use {where} {count.key}" if where == OPTION else f"replace it with {count.key}"
        raise UserError(
            f"{where}: '{count}': {implementation.id} has one number of shares; {remedy}"
        )
    known = ", ".join((MACROS["key"], *SHARE_MACROS))
    raise UserError(
        f"{OPTION}: the number of shares of {implementation.id} is unknown: no header uses "
        f"{known}; omit {OPTION}, or define the package's own macro in implementation.toml"
    )


def _all_inputs(count: ShareCount) -> SharedApi:
    return SharedApi(**{name: count.key if name == "key" else count.others for name in MACROS})
