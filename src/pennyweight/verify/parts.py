"""Verifies the incremental API: in any allowed pieces it gives the result of the one-shot
function.

The one-shot functions are in another program, and loading a program into a real part takes seconds.
So all their results are computed first.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

from pennyweight.catalogue.implementation import Implementation
from pennyweight.model import Operation, Status
from pennyweight.target import DoesNotFitError, Failure, Layout, Result
from pennyweight.target.aead import CIPHERTEXT, MESSAGE, SEPARATE, Aead
from pennyweight.target.hash import DIGEST, Hash
from pennyweight.target.mac import TAG, Mac
from pennyweight.target.machine import Target
from pennyweight.target.parts import (
    OUTPUT,
    STATE,
    AeadParts,
    AnyParts,
    HashParts,
    MacParts,
    Span,
    cut,
    implausible_state,
)
from pennyweight.verify.forgery import wronged
from pennyweight.verify.records import (
    AeadRecord,
    HashRecord,
    MacRecord,
    Starts,
    aead_grid,
    in_spread,
    pattern,
)
from pennyweight.verify.verdict import Failed, must_fit, wrong_answer

T = TypeVar("T")

_HASHED = (0, 1, 31, 55, 56, 63, 64, 65, 127, 128, 129, 200)
_STEPS = (1, 7, 64, 1 << 16)
_SQUEEZED = 500
_OTHER_NONCE = 0x91
_CUSTOM = (0, 1, 7, 8, 9, 32)


def check_aead_parts(
    parts: AeadParts,
    one_shot: Aead,
    key: int,
    nonce: int,
    chosen: Callable[[AeadRecord], bool] = in_spread,
) -> None:
    """Runs 33 records whole and in pieces, in both directions, with right and wrong tags; with
    separate key setup also from copies of one state. Raises `Failed`.
    """
    _check_state(parts)
    expected = _expected(
        one_shot.target,
        (record for record in aead_grid(key, nonce, Starts()) if chosen(record)),
        lambda record: record.lengths(),
        lambda record: _sealed(one_shot, record),
    )
    others = _expected(
        one_shot.target,
        (_with_other_nonce(record) for record, _, _ in expected if parts.key_setup),
        lambda record: f"{record.lengths()}, with separate key setup",
        lambda record: _sealed(one_shot, record),
    )
    for record, where, sealed in expected:
        with contextlib.suppress(DoesNotFitError):
            for step in {parts.block, 1 << 16}:
                _seal(parts, record, sealed, step, where)
                _open(parts, record, sealed, step, where)
    keyed: bytes | None = None
    for record, where, sealed in others:
        with contextlib.suppress(DoesNotFitError):
            keyed = keyed or _set_up(parts, record, where)
            _seal(parts, record, sealed, parts.block, where, keyed)


def _expected(
    target: Target,
    inputs: Iterable[T],
    name: Callable[[T], str],
    one_shot: Callable[[T], bytes | Failure],
) -> list[tuple[T, str, bytes]]:
    """(input, name in reasons, result) of each input for which there is room. Raises `Failed`."""
    found = []
    for each in inputs:
        where = f"incremental API, {name(each)}"
        with contextlib.suppress(DoesNotFitError):
            result = one_shot(each)
            if not isinstance(result, Failure):
                found.append((each, where, result))
            elif target.lacks_room(result):
                target.reset()
            else:
                raise Failed(result.during(where))
    return found


def _sealed(one_shot: Aead, record: AeadRecord) -> bytes | Failure:
    return one_shot.seal(record.key, record.nonce, record.ad, record.message, SEPARATE)


def _with_other_nonce(record: AeadRecord) -> AeadRecord:
    """Its nonce differs from the key."""
    return replace(record, nonce=pattern(_OTHER_NONCE, len(record.nonce)))


def _set_up(parts: AeadParts, record: AeadRecord, where: str) -> bytes:
    """The state after key setup; all records have the same key."""
    layout = parts.place(record.key, b"", b"", b"", None, gap=parts.target.comfortable_gap())
    return must_return(parts, parts.call(layout, Operation.KEY), where).content(STATE)


def _seal(
    parts: AeadParts,
    record: AeadRecord,
    sealed: bytes,
    step: int,
    where: str,
    keyed: bytes | None = None,
) -> None:
    """`keyed`: a state with the key, of which a copy is used."""
    layout = parts.place(
        record.key,
        record.nonce,
        record.ad,
        record.message,
        None,
        gap=parts.target.comfortable_gap(),
        state=keyed,
    )
    begin = Operation.INIT if keyed is None else Operation.START
    _feed(parts, layout, Operation.ENCRYPT, record, step, where, begin)
    result = must_return(parts, parts.call(layout, Operation.TAG), where)
    found = result.content(CIPHERTEXT) + result.content(TAG)
    if found != sealed:
        raise Failed(wrong_answer(where, sealed, found))


def _open(parts: AeadParts, record: AeadRecord, sealed: bytes, step: int, where: str) -> None:
    body, tag = sealed[: len(record.message)], sealed[len(record.message) :]
    wrong = wronged(tag, 2 * record.count + (step == parts.block))
    for given, accepted in ((tag, True), (wrong, False)):
        layout = parts.place(
            record.key, record.nonce, record.ad, body, given, gap=parts.target.comfortable_gap()
        )
        _feed(parts, layout, Operation.DECRYPT, record, step, where)
        result = must_return(parts, parts.call(layout, Operation.VERIFY), where)
        if result.content(MESSAGE) != record.message:
            raise Failed(wrong_answer(where, record.message, result.content(MESSAGE)))
        if accepted and result.outcome.result != 0:
            raise Failed(Failure(Status.REJECTED_VALID, f"{where}: a valid tag was rejected"))
        if not accepted and result.outcome.result == 0:
            raise Failed(Failure(Status.ACCEPTED_FORGERY, f"{where}: a wrong tag was accepted"))


def _feed(
    parts: AeadParts,
    layout: Layout,
    operation: Operation,
    record: AeadRecord,
    step: int,
    where: str,
    begin: Operation = Operation.INIT,
) -> None:
    """Processes everything before the tag, in pieces of `step` bytes."""
    must_return(parts, parts.call(layout, begin), where)
    for span in parts.spans(Operation.AD, len(record.ad), step):
        must_return(parts, parts.call(layout, Operation.AD, span), where)
    for span in parts.spans(operation, len(record.message), step):
        must_return(parts, parts.call(layout, operation, span), where)
    must_return(parts, parts.call(layout, Operation.FINALIZE), where)


def check_hash_parts(parts: HashParts, one_shot: Hash, implementation: Implementation) -> None:
    """Hashes messages around block boundaries in pieces of several lengths; with a customisation
    string and longer output if the implementation supports them. Raises `Failed`.
    """
    _check_state(parts)
    digests = _expected(
        one_shot.target,
        _HASHED,
        lambda size: f"{size} bytes",
        lambda size: one_shot.hash(pattern(0, size)),
    )
    if implementation.customised and implementation.manifest.customisation:
        _check_custom(parts, one_shot)
    if implementation.manifest.xof:
        _check_squeezing(parts)
    for size, where, expected in digests:
        with contextlib.suppress(DoesNotFitError):
            for step in _STEPS:
                found = _hash(parts, size, step, where)
                if found != expected:
                    raise Failed(
                        wrong_answer(f"{where} in pieces of {min(step, size)}", expected, found)
                    )


def _hash(parts: HashParts, size: int, step: int, where: str) -> bytes:
    layout = parts.place(pattern(0, size), parts.target.comfortable_gap())
    must_return(parts, parts.call(layout, Operation.INIT), where)
    for span in cut(size, step) or [Span(0, 0)]:
        must_return(parts, parts.call(layout, Operation.UPDATE, span), where)
    return must_return(parts, parts.call(layout, Operation.FINALIZE), where).content(DIGEST)


def squeezed(parts: HashParts, record: HashRecord, size: int, where: str, step: int = 0) -> bytes:
    """`size` bytes of an XOF's output, those after the digest in pieces of `step` bytes (0: all at
    once). Raises `Failed`, `DoesNotFitError`.
    """
    more = max(0, size - parts.size)
    custom = record.custom or None
    gap = parts.target.comfortable_gap()
    layout = parts.place(record.message, gap, custom=custom, more=more)
    must_return(parts, parts.call(layout, Operation.INIT), where)
    must_return(parts, parts.call(layout, Operation.UPDATE), where)
    result = must_return(parts, parts.call(layout, Operation.FINALIZE), where)
    for span in cut(more, step or max(1, more)):
        result = must_return(parts, parts.call(layout, Operation.SQUEEZE, span), where)
    output = result.content(DIGEST) + (result.content(OUTPUT) if more else b"")
    return output[:size]


def _check_squeezing(parts: HashParts) -> None:
    """Output in pieces must equal output in one call. Raises `Failed`."""
    where = "incremental API, squeezing"
    record = HashRecord(0, pattern(0, 17), None)
    with contextlib.suppress(DoesNotFitError):
        whole = squeezed(parts, record, _SQUEEZED, where)
        for step in (1, 7, 64):
            found = squeezed(parts, record, _SQUEEZED, where, step)
            if found != whole:
                raise Failed(wrong_answer(f"{where} in pieces of {step}", whole, found))


def _check_custom(parts: HashParts, one_shot: Hash) -> None:
    """A customisation string of any length gives the result of the one-shot function. Raises
    `Failed`.
    """
    digests = _expected(
        one_shot.target,
        (HashRecord(0, pattern(0, 20), None, pattern(0x10, size)) for size in _CUSTOM),
        lambda record: f"{len(record.custom)} bytes of customisation",
        lambda record: one_shot.hash(record.message, SEPARATE, record.custom),
    )
    for record, where, expected in digests:
        with contextlib.suppress(DoesNotFitError):
            found = squeezed(parts, record, parts.size, where)
            if found != expected:
                raise Failed(wrong_answer(where, expected, found))


def check_mac_parts(parts: MacParts, one_shot: Mac, key_size: int) -> None:
    """Authenticates messages around block boundaries in pieces of several lengths; makes tags, and
    verifies right and wrong ones. Raises `Failed`.
    """
    _check_state(parts)
    key = pattern(0, key_size)
    tags = _expected(
        one_shot.target,
        _HASHED,
        lambda size: f"{size} bytes",
        lambda size: one_shot.sign(key, pattern(0, size)),
    )
    for size, where, expected in tags:
        with contextlib.suppress(DoesNotFitError):
            record = MacRecord(0, key, pattern(0, size), expected, len(expected))
            if parts.key_setup:
                _check_keyed(parts, record, where)
            for step in _STEPS:
                check_mac_record(parts, record, where, step)


def _check_keyed(parts: MacParts, record: MacRecord, where: str) -> None:
    """Starts a message from a copy of the state after key setup."""
    where = f"{where}, with separate key setup"
    gap = parts.target.comfortable_gap()
    layout = parts.place(record.key, record.message, None, gap)
    keyed = must_return(parts, parts.call(layout, Operation.KEY), where).content(STATE)
    layout = parts.place(record.key, record.message, None, gap, state=keyed)
    for operation in (Operation.START, Operation.UPDATE, Operation.FINALIZE):
        must_return(parts, parts.call(layout, operation), where)
    found = must_return(parts, parts.call(layout, Operation.TAG), where).content(TAG)
    if found != record.tag:
        raise Failed(wrong_answer(where, record.tag, found))


def check_mac_record(parts: MacParts, record: MacRecord, where: str, step: int = 1 << 16) -> None:
    """Makes and verifies a tag, in pieces of `step` bytes. Raises `Failed`, `DoesNotFitError`."""
    if record.valid:
        result = _authenticated(parts, record, None, step, where)
        if result.content(TAG) != record.tag:
            raise Failed(wrong_answer(where, record.tag, result.content(TAG)))
    wrong = wronged(record.tag, record.count + len(record.message) + step)
    for tag, right in ((record.tag, record.valid), (wrong, False)):
        if len(tag) != parts.tag:
            continue
        result = _authenticated(parts, record, tag, step, where)
        if right and result.outcome.result != 0:
            raise Failed(Failure(Status.REJECTED_VALID, f"{where}: a valid tag was rejected"))
        if not right and result.outcome.result == 0:
            raise Failed(Failure(Status.ACCEPTED_FORGERY, f"{where}: a wrong tag was accepted"))


def _authenticated(
    parts: MacParts, record: MacRecord, tag: bytes | None, step: int, where: str
) -> Result:
    """The result of computing the tag, or of verifying `tag`."""
    custom = record.custom or None
    gap = parts.target.comfortable_gap()
    layout = parts.place(record.key, record.message, tag, gap, custom=custom)
    must_return(parts, parts.call(layout, Operation.INIT), where)
    for span in cut(len(record.message), step):
        must_return(parts, parts.call(layout, Operation.UPDATE, span), where)
    must_return(parts, parts.call(layout, Operation.FINALIZE), where)
    last = Operation.TAG if tag is None else Operation.VERIFY
    return must_return(parts, parts.call(layout, last), where)


def _check_state(parts: AnyParts) -> None:
    failure = implausible_state(parts)
    if failure is not None:
        raise Failed(failure)


def must_return(parts: AnyParts, result: Result | Failure, where: str) -> Result:
    """The return value of a part. Raises `Failed`, `DoesNotFitError`."""
    return must_fit(parts.target, result, where)
