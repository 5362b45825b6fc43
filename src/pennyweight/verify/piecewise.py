"""Runs records that do not fit into the part's RAM through the incremental API, with one piece of
the text in memory at a time; the state is kept between the pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from pennyweight.job import Level
from pennyweight.model import Operation, Status
from pennyweight.target import Failure, Layout, Result
from pennyweight.target.aead import CIPHERTEXT, MESSAGE, Opened
from pennyweight.target.buffers import DoesNotFitError
from pennyweight.target.hash import DIGEST
from pennyweight.target.mac import TAG
from pennyweight.target.parts import OUTPUT, STATE, AeadParts, HashParts, MacParts, cut
from pennyweight.verify.parts import must_return
from pennyweight.verify.records import AeadRecord, HashRecord, MacRecord

TOO_LONG = "too long for the part's RAM"
"""Part of every note about records that were not run."""

_PIECE = 128
"""Bytes of a piece; one block if blocks are longer."""

_LARGEST_BLOCK = 1024
"""Functions with larger blocks only take complete messages."""

_SPREAD = 16
"""Approximate number of records of a file if not all are run."""

R = TypeVar("R")


def chosen(records: Sequence[R], level: Level) -> Sequence[R]:
    """The records to run in pieces at a level of verification: all, a fixed sample, or none.

    Complete files of long messages take minutes on slow parts.
    """
    if level == "every":
        return records
    return () if level == "quick" else records[:: max(1, len(records) // _SPREAD)]


def unrun_note(answers: str, missing: int, can_cut: bool) -> str:
    """A note about records of a file that were not run."""
    note = f"{missing} records of {answers} were not run: they are {TOO_LONG}"
    return f"{note}; `pennyweight verify --all` runs them in pieces" if can_cut else note


def can_cut(parts: AeadParts | HashParts | MacParts | None) -> bool:
    """Whether texts can be passed piece by piece."""
    if isinstance(parts, AeadParts):
        return parts.block <= _LARGEST_BLOCK and not parts.initial_state
    return parts is not None


def _returned(
    parts: AeadParts | HashParts | MacParts, result: Result | Failure, where: str
) -> Result:
    """Raises `Failed` for a failure, but `DoesNotFitError` if the stack had too little room next to
    the buffers: the stack use of these functions may not be known yet, and other checks verify them
    with small buffers.
    """
    if isinstance(result, Failure) and result.status is Status.STACK_OVERFLOW:
        parts.target.reset()
        raise DoesNotFitError(result.missing_stack, result.stack_room)
    return must_return(parts, result, where)


def hashed(parts: HashParts, record: HashRecord, where: str) -> bytes:
    """The output for a message, with the length of the record's. Raises `Failed`,
    `DoesNotFitError`.
    """
    gap = parts.target.comfortable_gap()
    layout = parts.place(b"", gap, custom=record.custom or None)
    state = _returned(parts, parts.call(layout, Operation.INIT), where).content(STATE)
    for span in cut(len(record.message), _PIECE):
        piece = record.message[span.start : span.start + span.size]
        layout = parts.place(piece, gap, state=state)
        state = _returned(parts, parts.call(layout, Operation.UPDATE), where).content(STATE)
    more = max(0, len(record.digest or b"") - parts.size)
    layout = parts.place(b"", gap, more=more, state=state)
    result = _returned(parts, parts.call(layout, Operation.FINALIZE), where)
    if not more:
        return result.content(DIGEST)
    result = _returned(parts, parts.call(layout, Operation.SQUEEZE), where)
    return result.content(DIGEST) + result.content(OUTPUT)


def authenticated(parts: MacParts, record: MacRecord, where: str) -> tuple[bytes, bool]:
    """The tag of a message, and whether the record's tag is accepted, if it has the right size.

    Raises `Failed`, `DoesNotFitError`.
    """
    gap = parts.target.comfortable_gap()
    layout = parts.place(record.key, b"", None, gap, custom=record.custom or None)
    state = _returned(parts, parts.call(layout, Operation.INIT), where).content(STATE)
    for span in cut(len(record.message), _PIECE):
        piece = record.message[span.start : span.start + span.size]
        layout = parts.place(b"", piece, None, gap, state=state)
        state = _returned(parts, parts.call(layout, Operation.UPDATE), where).content(STATE)
    layout = parts.place(b"", b"", None, gap, state=state)
    state = _returned(parts, parts.call(layout, Operation.FINALIZE), where).content(STATE)
    tag = _returned(parts, parts.call(layout, Operation.TAG), where).content(TAG)
    if len(record.tag) != parts.tag:
        return tag, False
    layout = parts.place(b"", b"", record.tag, gap, state=state)
    result = _returned(parts, parts.call(layout, Operation.VERIFY), where)
    return tag, result.outcome.result == 0


def sealed(parts: AeadParts, record: AeadRecord, where: str) -> bytes:
    """Ciphertext and tag. Raises `Failed`, `DoesNotFitError`."""
    state, output = _crypted(parts, record, record.message, Operation.ENCRYPT, where)
    layout = _place(parts, state)
    return output + _returned(parts, parts.call(layout, Operation.TAG), where).content(TAG)


def opened(parts: AeadParts, record: AeadRecord, ciphertext: bytes, where: str) -> Opened:
    """The plaintext of a ciphertext and its tag; none for a rejected one, although a caller that
    decrypts in pieces has it before. Raises `Failed`, `DoesNotFitError`.
    """
    if len(ciphertext) < parts.tag:
        return Opened(False, b"")
    body, tag = ciphertext[: -parts.tag], ciphertext[-parts.tag :]
    state, output = _crypted(parts, record, body, Operation.DECRYPT, where)
    layout = _place(parts, state, tag=tag)
    result = _returned(parts, parts.call(layout, Operation.VERIFY), where)
    accepted = result.outcome.result == 0
    return Opened(accepted, output if accepted else b"")


def _crypted(
    parts: AeadParts, record: AeadRecord, text: bytes, operation: Operation, where: str
) -> tuple[bytes, bytes]:
    """The state after everything except the tag, and the output."""
    gap = parts.target.comfortable_gap()
    layout = parts.place(record.key, record.nonce, b"", b"", None, gap=gap)
    state = _returned(parts, parts.call(layout, Operation.INIT), where).content(STATE)
    step = max(1, _PIECE // parts.block) * parts.block
    for span in cut(len(record.ad), step):
        layout = _place(parts, state, ad=record.ad[span.start : span.start + span.size])
        state = _returned(parts, parts.call(layout, Operation.AD), where).content(STATE)
    name, tag = (CIPHERTEXT, None) if operation is Operation.ENCRYPT else (MESSAGE, bytes(1))
    output = b""
    for span in cut(len(text), step):
        piece = text[span.start : span.start + span.size]
        layout = _place(parts, state, piece, tag=tag)
        result = _returned(parts, parts.call(layout, operation), where)
        state = result.content(STATE)
        output += result.content(name)
    layout = _place(parts, state)
    state = _returned(parts, parts.call(layout, Operation.FINALIZE), where).content(STATE)
    return state, output


def _place(
    parts: AeadParts, state: bytes, text: bytes = b"", *, ad: bytes = b"", tag: bytes | None = None
) -> Layout:
    gap = parts.target.comfortable_gap()
    return parts.place(b"", b"", ad, text, tag, gap=gap, state=state)
