"""Measures the incremental functions, each after the preceding parts."""

from __future__ import annotations

from collections.abc import Sequence

from pennyweight.catalogue.implementation import Implementation
from pennyweight.measure.case_costs import Counts, Function, repeated
from pennyweight.model import Case, Kind, Operation, Status
from pennyweight.target import Failure, Layout, Result, Target
from pennyweight.target.aead import CIPHERTEXT
from pennyweight.target.mac import TAG
from pennyweight.target.parts import HashParts, MacParts, aead_parts, implausible_state
from pennyweight.verify.records import pattern

_Op = Operation

_BEFORE: dict[Operation, tuple[Operation, ...]] = {
    _Op.INIT: (),
    _Op.KEY: (),
    _Op.START: (_Op.KEY,),
    _Op.AD: (_Op.INIT,),
    _Op.ENCRYPT: (_Op.INIT, _Op.AD),
    _Op.DECRYPT: (_Op.INIT, _Op.AD),
    _Op.FINALIZE: (_Op.INIT, _Op.AD, _Op.ENCRYPT),
    _Op.TAG: (_Op.INIT, _Op.AD, _Op.ENCRYPT, _Op.FINALIZE),
    _Op.VERIFY: (_Op.INIT, _Op.AD, _Op.DECRYPT, _Op.FINALIZE),
}
"""The parts that precede a part, for a message of the case's lengths."""

_HASH_BEFORE: dict[Operation, tuple[Operation, ...]] = {
    _Op.INIT: (),
    _Op.UPDATE: (_Op.INIT,),
    _Op.FINALIZE: (_Op.INIT, _Op.UPDATE),
    _Op.SQUEEZE: (_Op.INIT, _Op.FINALIZE),
}

_MAC_BEFORE: dict[Operation, tuple[Operation, ...]] = {
    _Op.INIT: (),
    _Op.KEY: (),
    _Op.START: (_Op.KEY,),
    _Op.UPDATE: (_Op.INIT,),
    _Op.FINALIZE: (_Op.INIT, _Op.UPDATE),
    _Op.TAG: (_Op.INIT, _Op.UPDATE, _Op.FINALIZE),
    _Op.VERIFY: (_Op.INIT, _Op.UPDATE, _Op.FINALIZE),
}


def state_size(target: Target, implementation: Implementation) -> int:
    """Bytes of the state between the calls of the incremental API."""
    if implementation.kind is Kind.HASH:
        return HashParts(target, implementation.digest).state_size
    if implementation.kind is Kind.AUTH:
        return MacParts(target, implementation.tag).state_size
    return aead_parts(target, implementation).state_size


_OPENING = (_Op.DECRYPT, _Op.VERIFY)


class AeadPartsFunction(Function):
    """The parts of an AEAD on one board. Inputs count up from 0."""

    def __init__(self, target: Target, implementation: Implementation, buffered: bool) -> None:
        self.target = target
        self._parts = aead_parts(target, implementation)
        self._key = pattern(0, implementation.key)
        self._nonce = pattern(0, implementation.nonce)
        self._buffered = buffered

    def measure(self, case: Case, in_place: bool) -> Counts | Failure:
        """Raises `DoesNotFitError`."""
        failure = implausible_state(self._parts)
        if failure is not None:
            return failure
        given, tag = pattern(0, case.m), None
        if case.op in _OPENING:
            sealed = self._sealed(case, in_place)
            if isinstance(sealed, Failure):
                return sealed.during("encrypting the message to decrypt")
            given, tag = sealed.content(CIPHERTEXT), sealed.content(TAG)

        def once() -> Result | Failure:
            layout = self._place(case, given, tag, in_place)
            return self._run(layout, (*self._called(_BEFORE[case.op], case), case.op))

        self.target.reset()
        return repeated(
            once,
            lambda result: _check(case.op, result),
            self._buffered,
            self.target.repeats,
            self.target.warm,
        )

    def _sealed(self, case: Case, in_place: bool) -> Result | Failure:
        self.target.reset()
        layout = self._place(case, pattern(0, case.m), None, in_place)
        return self._run(layout, (*self._called(_BEFORE[_Op.TAG], case), _Op.TAG))

    def _called(self, operations: Sequence[Operation], case: Case) -> list[Operation]:
        """Without the parts that have nothing to process."""
        sizes = {_Op.AD: case.ad, _Op.ENCRYPT: case.m, _Op.DECRYPT: case.m}
        return [
            each
            for each in operations
            if each not in sizes or self._parts.spans(each, sizes[each], 1 << 16)
        ]

    def _place(self, case: Case, given: bytes, tag: bytes | None, in_place: bool) -> Layout:
        return self._parts.place(
            self._key, self._nonce, pattern(0, case.ad), given, tag, in_place=in_place
        )

    def _run(self, layout: Layout, operations: Sequence[Operation]) -> Result | Failure:
        """Calls one part after the other and returns the last one's result."""
        for operation in operations[:-1]:
            result = self._parts.call(layout, operation)
            if isinstance(result, Failure):
                return result.during(f"the part '{operation}' before")
        return self._parts.call(layout, operations[-1])


class HashPartsFunction(Function):
    """The parts of a hash on one board. The message counts up from 0.

    `squeeze` is measured after the empty message, with `m` bytes of output after the digest.
    """

    def __init__(self, target: Target, implementation: Implementation, buffered: bool) -> None:
        self.target = target
        self._parts = HashParts(target, implementation.digest)
        self._custom = implementation.customised and implementation.manifest.customisation
        self._buffered = buffered

    def measure(self, case: Case, in_place: bool) -> Counts | Failure:
        """Raises `DoesNotFitError`. A hash has no output that could be in place."""
        failure = implausible_state(self._parts)
        if failure is not None:
            return failure
        more = case.m if case.op is _Op.SQUEEZE else 0
        message = pattern(0, case.m - more)
        custom = pattern(0, case.ad) if self._custom and case.ad else None

        def once() -> Result | Failure:
            layout = self._parts.place(message, custom=custom, more=more)
            for operation in _skip_empty(_HASH_BEFORE[case.op], case):
                result = self._parts.call(layout, operation)
                if isinstance(result, Failure):
                    return result.during(f"the part '{operation}' before")
            return self._parts.call(layout, case.op)

        self.target.reset()
        return repeated(
            once, lambda result: None, self._buffered, self.target.repeats, self.target.warm
        )


class MacPartsFunction(Function):
    """The parts of a MAC on one board. Inputs count up from 0."""

    def __init__(self, target: Target, implementation: Implementation, buffered: bool) -> None:
        self.target = target
        self._parts = MacParts(target, implementation.tag)
        self._key = pattern(0, implementation.key)
        self._buffered = buffered

    def measure(self, case: Case, in_place: bool) -> Counts | Failure:
        """Raises `DoesNotFitError`. A MAC has no output that could be in place."""
        failure = implausible_state(self._parts)
        if failure is not None:
            return failure
        message, tag = pattern(0, case.m), None
        if case.op is _Op.VERIFY:
            self.target.reset()
            made = self._run(Case(_Op.TAG, 0, case.m), self._parts.place(self._key, message, None))
            if isinstance(made, Failure):
                return made.during("computing the tag to verify")
            tag = made.content(TAG)

        def once() -> Result | Failure:
            return self._run(case, self._parts.place(self._key, message, tag))

        self.target.reset()
        return repeated(
            once,
            lambda result: _check(case.op, result),
            self._buffered,
            self.target.repeats,
            self.target.warm,
        )

    def _run(self, case: Case, layout: Layout) -> Result | Failure:
        for operation in _skip_empty(_MAC_BEFORE[case.op], case):
            result = self._parts.call(layout, operation)
            if isinstance(result, Failure):
                return result.during(f"the part '{operation}' before")
        return self._parts.call(layout, case.op)


def _skip_empty(operations: Sequence[Operation], case: Case) -> tuple[Operation, ...]:
    """Without the parts that have nothing to process."""
    sizes = {_Op.AD: case.ad, _Op.ENCRYPT: case.m, _Op.DECRYPT: case.m, _Op.UPDATE: case.m}
    return tuple(each for each in operations if sizes.get(each, 1) > 0)


def _check(operation: Operation, result: Result) -> Failure | None:
    if operation is _Op.VERIFY and result.outcome.result != 0:
        return Failure(Status.REJECTED_VALID, "its own tag was rejected")
    return None
