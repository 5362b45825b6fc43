"""Finds, unpacks, checks and reads known-answer files."""

from __future__ import annotations

import functools
import hashlib
import lzma
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar

from pennyweight.catalogue.algorithms import Format, KnownAnswers
from pennyweight.catalogue.implementation import Implementation
from pennyweight.catalogue.root import data_root
from pennyweight.model import Kind, UserError
from pennyweight.verify import blake2, cavp_ccm, monte_carlo, name_value, wycheproof
from pennyweight.verify.name_value import FormatError
from pennyweight.verify.records import AeadRecord, HashRecord, MacRecord

_LARGEST = 64 << 20
_LARGEST_OF_PACKAGE = 8 << 20
"""Maximum size in bytes, which becomes tens of times that in memory. NIST's files have up to two
million.
"""

_REGENERATED = (Format.LWC_AEAD, Format.LWC_HASH, Format.LWC_CXOF)

_AEAD: dict[Format, Callable[[str], Iterable[AeadRecord]]] = {
    Format.WYCHEPROOF_AEAD: wycheproof.aead_records,
    Format.CAVP_CCM: cavp_ccm.aead_records,
}
"""Readers of formats that `name_value` does not read."""

_PACKAGE_FILES = {
    Kind.AEAD: ("AEAD",),
    Kind.HASH: ("HASH", "XOF"),
    Kind.AUTH: ("AUTH", "MAC", "PRF", "PRFS"),
}
_CUSTOMISED = ("CXOF",)
"""The names of the output files of NIST's genkat programs and those of Ascon's authors."""

R = TypeVar("R")


def shipped(answers: KnownAnswers) -> Path | None:
    """The path of a set's file in `algorithms/vectors/`, if it exists."""
    if not answers.file:
        return None
    folder = data_root() / "algorithms" / "vectors"
    for name in (answers.file, f"{answers.file}.xz"):
        if (folder / name).is_file():
            return folder / name
    return None


def is_regenerated(answers: KnownAnswers) -> bool:
    """Whether the inputs follow a rule, so that no file is needed."""
    return answers.format in _REGENERATED


def aead_records(answers: KnownAnswers) -> tuple[AeadRecord, ...]:
    """The records of a bundled set. Raises `UserError`."""
    return _read(answers, _AEAD.get(answers.format, name_value.aead_records))


def hash_records(answers: KnownAnswers) -> tuple[HashRecord, ...]:
    """The records of a bundled set. Raises `UserError`."""
    if answers.format is Format.BLAKE2:
        return _read(answers, blake2.hash_records, answers.select)
    return _read(answers, name_value.hash_records)


def mac_records(answers: KnownAnswers) -> tuple[MacRecord, ...]:
    """The records of a bundled set. Raises `UserError`."""
    if answers.format is Format.BLAKE2:
        return _read(answers, blake2.mac_records, answers.select)
    if answers.format is Format.WYCHEPROOF_MAC:
        return _read(answers, wycheproof.mac_records)
    return _read(answers, name_value.mac_records)


def monte_chain(answers: KnownAnswers) -> monte_carlo.Chain:
    """The chain of a bundled set of format `cavp-monte`. Raises `UserError`."""
    [chain] = _read(answers, _chain)
    return chain


def _chain(text: str) -> list[monte_carlo.Chain]:
    return [monte_carlo.read(text)]


def _read(
    answers: KnownAnswers, reader: Callable[..., Iterable[R]], *details: str
) -> tuple[R, ...]:
    """The result of `reader` for a bundled file's text and `details`. Raises `UserError`."""
    path = shipped(answers)
    if path is None:
        raise UserError(
            f"algorithms/vectors/{answers.file}: there is no such file, but a set of known answers "
            "names it; restore it or correct 'file'"
        )
    records: tuple[R, ...] = _parsed(path, answers.sha256, reader, details)
    return records


@functools.lru_cache(maxsize=32)
def _parsed(path: Path, sha256: str, reader: Callable[..., Any], details: tuple[str, ...]) -> Any:
    """A tuple of records, read once per process. Raises `UserError`."""
    text = _text(path, sha256)
    try:
        return tuple(reader(text, *details))
    except (FormatError, ValueError) as error:
        raise UserError(f"{path}: {error}; correct the file or its 'format'") from None


def passed(
    answers: KnownAnswers, records: int, rejected: int = 0, others: int = 0, pieces: int = 0
) -> str:
    """In words: how many records of a file passed, how many were rejected, how many were run in
    pieces, and how many were skipped because the implementation does not have their sizes.
    """
    share = f"all {records}" if records == answers.records else f"{records} of {answers.records}"
    name = Path(answers.file).name.removesuffix(".xz")
    notes = [f"{rejected} of them rejected"] if rejected else []
    notes += [f"{pieces} of them in pieces"] if pieces else []
    notes += [f"{others} of other sizes skipped"] if others else []
    note = f" ({', '.join(notes)})" if notes else ""
    return f"{share} records of {name}{note}"


def check_count(answers: KnownAnswers, found: int) -> None:
    """Raises `UserError` if a file's number of records with these sizes differs from the stated
    one.
    """
    if found != answers.records:
        raise UserError(
            f"algorithms/vectors/{answers.file}: {found} records have the variant's sizes, but "
            f"'records' says {answers.records}; correct 'records' or restore the file"
        )


def _text(path: Path, sha256: str) -> str:
    data = _unpacked(path)
    found = hashlib.sha256(data).hexdigest()
    if found != sha256:
        raise UserError(
            f"{path}: the SHA-256 of its content is {found}, but the algorithm's file has "
            f"{sha256}; restore the file"
        )
    return data.decode("utf-8")


def _unpacked(path: Path) -> bytes:
    if path.suffix != ".xz":
        return path.read_bytes()
    try:
        with lzma.open(path) as file:
            return file.read(_LARGEST)
    except (lzma.LZMAError, EOFError):
        raise UserError(f"{path}: not a complete .xz file; restore it") from None


def package_file(implementation: Implementation) -> tuple[Path, str] | None:
    """The known-answer file next to the code of a NIST package, with LF line ends."""
    kinds = _CUSTOMISED if implementation.customised else _PACKAGE_FILES[implementation.kind]
    for folder in (implementation.folder, implementation.folder.parent):
        for path in (path for what in kinds for path in sorted(folder.glob(f"LWC_{what}_KAT_*"))):
            if path.suffix != ".txt" or not _is_own(path, implementation.tree):
                continue
            if path.is_file() and path.stat().st_size < _LARGEST_OF_PACKAGE:
                text = path.read_bytes().decode("utf-8", errors="replace")
                return path, text.replace("\r\n", "\n")
    return None


def _is_own(path: Path, tree: Path) -> bool:
    """Whether it is not a link that leads out of the package's tree."""
    return not path.is_symlink() or path.resolve().is_relative_to(tree.resolve())
