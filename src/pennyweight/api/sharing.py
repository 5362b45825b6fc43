"""`--shares`: third-party packages with another number of shares."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pennyweight.catalogue import Implementation, shared_api
from pennyweight.catalogue.share_macros import SHARE_MACROS, macro_of
from pennyweight.catalogue.shared_api import MACROS, MOST_SHARES, SharedApi
from pennyweight.model import UserError

_FORM = re.compile(r"(\d{1,3})(?::(\d{1,3}))?")


def with_shares(
    implementations: Sequence[Implementation], given: str | int | None
) -> list[Implementation]:
    """The implementations with a number of shares, by which their names end. `given` is the number
    of the key, or the key's and that of all other inputs: ``3`` or ``3:1``. Raises `UserError` if
    one of them has no such option.
    """
    if given is None:
        return list(implementations)
    found = _FORM.fullmatch(str(given).strip())
    key = int(found[1]) if found else 0
    others = int(found[2] or found[1]) if found else 0
    if not 2 <= key <= MOST_SHARES or not 1 <= others <= MOST_SHARES:
        raise UserError(
            f"--shares: '{given}' is not a number of shares; use 2 to {MOST_SHARES}, or KEY:OTHERS "
            "such as 3:1"
        )
    return [_with(each, key, others) for each in implementations]


def _with(implementation: Implementation, key: int, others: int) -> Implementation:
    if implementation.bundled:
        raise UserError(
            f"--shares: {implementation.id} is bundled, and its name states the number of shares; "
            "name another one, such as ascon-128/masked3"
        )
    shared = implementation.shared
    if shared is not None:
        if not shared_api.has_default_only(implementation.folder):
            raise UserError(
                f"--shares: the api.h of {implementation.id} defines {MACROS['key']} without "
                f"#ifndef {MACROS['key']}, which has {shared.key} shares; omit --shares"
            )
        numbers = {name: key if name == "key" else others for name in MACROS}
        defines = [f"{MACROS[name]} {number}" for name, number in numbers.items()]
        shared = SharedApi(**numbers)
    else:
        macro = macro_of(implementation.folder)
        if macro is None or others != key:
            known = ", ".join((MACROS["key"], *SHARE_MACROS))
            raise UserError(
                f"--shares: the number of shares of {implementation.id} is unknown: no header uses "
                f"{known}; omit --shares, or define the package's own macro in implementation.toml"
                if macro is None
                else f"--shares: {implementation.id} has one number of shares; use --shares {key}"
            )
        defines = [f"{macro} {key}"]
    manifest = implementation.manifest
    return replace(
        implementation,
        name=f"{implementation.name}-{key}shares" + (f"-{others}" if others != key else ""),
        manifest=manifest.model_copy(
            update={"shares": key, "defines": (*manifest.defines, *defines)}
        ),
        shared=shared,
    )
