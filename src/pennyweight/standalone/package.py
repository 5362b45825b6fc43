"""The files of a vendored implementation, except its README."""

from __future__ import annotations

import json
from typing import Any, Literal

from pennyweight.build.failure import BuildError
from pennyweight.catalogue.implementation import Implementation
from pennyweight.catalogue.manifest import MANIFEST
from pennyweight.catalogue.root import data_root
from pennyweight.model import UserError
from pennyweight.standalone.flat_sources import flatten
from pennyweight.standalone.tests import test_files

Api = Literal["one-shot", "incremental"]

LICENSE = "LICENSE"
_INCREMENTAL = ("incremental", "key_setup", "xof", "customisation")
_FACTS = (
    "title",
    "license",
    "shares",
    "constant_time",
    "word_bits",
    "in_place",
    "notes",
    "meant_for",
)


def package(implementation: Implementation, api: Api = "one-shot") -> dict[str, str]:
    """The files by their paths in the folder, with their text.

    Raises `UserError` for an implementation that is not bundled or lacks the API.
    """
    if not implementation.bundled:
        raise UserError(
            f"{implementation.folder}: only bundled implementations can be vendored; "
            "`pennyweight implementations` lists them"
        )
    incremental = api == "incremental"
    if incremental and not implementation.manifest.incremental:
        raise UserError(
            f"{implementation.id} has no incremental API: its algorithm does not take a message in "
            "pieces; use --api one-shot"
        )
    try:
        flat = flatten(implementation)
    except BuildError as error:
        raise UserError(f"{implementation.id}: {error.reason}") from None
    return {
        **flat.files,
        MANIFEST: _manifest(implementation, flat.compiled, incremental),
        LICENSE: (data_root() / LICENSE).read_text(encoding="utf-8"),
        **test_files(implementation, flat, incremental),
    }


def _manifest(implementation: Implementation, compiled: tuple[str, ...], incremental: bool) -> str:
    """The manifest, which Pennyweight reads in addition to `api.h`. Above all it has the order of
    linking, which decides addresses, and with them cycles on parts with a cache or slow flash.
    """
    manifest = implementation.manifest
    named = (*_FACTS, *(_INCREMENTAL if incremental else ()))
    fields: dict[str, Any] = {name: getattr(manifest, name) for name in named}
    fields["sources"] = compiled
    lines = [f"# {implementation.id} of Pennyweight, for `pennyweight measure`."]
    for name, value in fields.items():
        is_default = value in ("", None, ()) or (value is False and name in _INCREMENTAL)
        if not is_default:
            # The basic strings of TOML have the escapes of JSON.
            lines.append(f"{name} = {json.dumps(value, ensure_ascii=False)}")
    return "".join(f"{line}\n" for line in lines)
