"""Proves the incremental API: in any allowed pieces it gives what the one-shot function gives."""

from __future__ import annotations

import contextlib

from pennyweight.model import Operation, Status
from pennyweight.target import DoesNotFitError, Failure, Layout, Result
from pennyweight.target.aead import CIPHERTEXT, MESSAGE, SEPARATE, Aead
from pennyweight.target.hash import DIGEST, Hash
from pennyweight.target.parts import TAG, AeadParts, HashParts, Span, absurd_state, cut
from pennyweight.verify.records import AeadRecord, Starts, aead_grid, in_spread, pattern
from pennyweight.verify.verdict import Failed, shown

_HASHED = (0, 1, 31, 55, 56, 63, 64, 65, 127, 128, 129, 200)
_STEPS = (1, 7, 64, 1 << 16)


def check_aead_parts(parts: AeadParts, one_shot: Aead, key: int, nonce: int) -> None:
    """33 records whole and in pieces, both ways, tags right and wrong. Raises `Failed`."""
    _check_state(parts)
    for record in aead_grid(key, nonce, Starts()):
        if not in_spread(record):
            continue
        where = f"incremental API, {record.lengths()}"
        with contextlib.suppress(DoesNotFitError):
            sealed = one_shot.seal(record.key, record.nonce, record.ad, record.message, SEPARATE)
            if isinstance(sealed, Failure):
                if one_shot.target.lacks_room(sealed):
                    one_shot.target.reset()
                    continue
                raise Failed(sealed.during(where))
            for step in {parts.block, 1 << 16}:
                _seal(parts, record, sealed, step, where)
                _open(parts, record, sealed, step, where)


def _seal(parts: AeadParts, record: AeadRecord, sealed: bytes, step: int, where: str) -> None:
    layout = parts.place(
        record.key,
        record.nonce,
        record.ad,
        record.message,
        None,
        gap=parts.target.comfortable_gap(),
    )
    _feed(parts, layout, Operation.ENCRYPT, record, step, where)
    result = _must(parts, parts.call(layout, Operation.TAG), where)
    found = result.content(CIPHERTEXT) + result.content(TAG)
    if found != sealed:
        _differs(where, sealed, found)


def _open(parts: AeadParts, record: AeadRecord, sealed: bytes, step: int, where: str) -> None:
    body, tag = sealed[: len(record.message)], sealed[len(record.message) :]
    wrong = bytes((tag[0] ^ 1,)) + tag[1:]
    for given, accepted in ((tag, True), (wrong, False)):
        layout = parts.place(
            record.key, record.nonce, record.ad, body, given, gap=parts.target.comfortable_gap()
        )
        _feed(parts, layout, Operation.DECRYPT, record, step, where)
        result = _must(parts, parts.call(layout, Operation.VERIFY), where)
        if result.content(MESSAGE) != record.message:
            _differs(where, record.message, result.content(MESSAGE))
        if accepted and result.outcome.result != 0:
            raise Failed(Failure(Status.REJECTED_VALID, f"{where}: a right tag was rejected"))
        if not accepted and result.outcome.result == 0:
            raise Failed(Failure(Status.ACCEPTED_FORGERY, f"{where}: a wrong tag was accepted"))


def _feed(
    parts: AeadParts,
    layout: Layout,
    operation: Operation,
    record: AeadRecord,
    step: int,
    where: str,
) -> None:
    """Everything before the tag, in pieces of `step` bytes."""
    _must(parts, parts.call(layout, Operation.INIT), where)
    for span in cut(len(record.ad), step):
        _must(parts, parts.call(layout, Operation.AD, span), where)
    for span in cut(len(record.message), step):
        _must(parts, parts.call(layout, operation, span), where)
    _must(parts, parts.call(layout, Operation.FINALIZE), where)


def check_hash_parts(parts: HashParts, one_shot: Hash) -> None:
    """Messages around block boundaries in pieces of several lengths. Raises `Failed`."""
    _check_state(parts)
    for size in _HASHED:
        where = f"incremental API, {size} bytes"
        with contextlib.suppress(DoesNotFitError):
            expected = one_shot.hash(pattern(0, size))
            if isinstance(expected, Failure):
                if one_shot.target.lacks_room(expected):
                    one_shot.target.reset()
                    continue
                raise Failed(expected.during(where))
            for step in _STEPS:
                found = _hash(parts, size, step, where)
                if found != expected:
                    _differs(f"{where} in pieces of {min(step, size)}", expected, found)


def _hash(parts: HashParts, size: int, step: int, where: str) -> bytes:
    layout = parts.place(pattern(0, size), parts.target.comfortable_gap())
    _must(parts, parts.call(layout, Operation.INIT), where)
    for span in cut(size, step) or [Span(0, 0)]:
        _must(parts, parts.call(layout, Operation.UPDATE, span), where)
    return _must(parts, parts.call(layout, Operation.FINALIZE), where).content(DIGEST)


def _check_state(parts: AeadParts | HashParts) -> None:
    failure = absurd_state(parts)
    if failure is not None:
        raise Failed(failure)


def _must(parts: AeadParts | HashParts, result: Result | Failure, where: str) -> Result:
    """Raises `Failed`, and `DoesNotFitError` where the buffers leave the stack too little."""
    if isinstance(result, Failure):
        if parts.target.lacks_room(result):
            parts.target.reset()
            raise DoesNotFitError(result.missing_stack)
        raise Failed(result.during(where))
    return result


def _differs(where: str, expected: bytes, got: bytes) -> None:
    reason = f"{where}: expected {shown(expected)}, got {shown(got)}"
    raise Failed(Failure(Status.WRONG_ANSWER, reason))
