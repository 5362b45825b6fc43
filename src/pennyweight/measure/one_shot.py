"""Measures the one-shot functions: places buffers, calls, and checks the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pennyweight.build.link import AUTH, AUTH_VERIFY
from pennyweight.catalogue.implementation import Implementation
from pennyweight.measure.case_costs import Counts, Function, repeated
from pennyweight.model import Case, Operation, Status
from pennyweight.target import Failure, Layout, Result, Target
from pennyweight.target.aead import Placement
from pennyweight.target.hash import Hash
from pennyweight.target.interface import Argument
from pennyweight.target.mac import Mac
from pennyweight.target.shared_aead import aead_of
from pennyweight.verify.records import pattern


@dataclass(frozen=True, slots=True)
class Call:
    """A function with its buffers and arguments, and its expected result."""

    function: str
    layout: Layout
    arguments: list[Argument]
    check: Callable[[Result], Failure | None]


class OneShot(Function):
    """Encrypt, decrypt, hash, authenticate and verify of one implementation on one board.

    Inputs are bytes that count up from 0. Decryption gets the ciphertext of encryption,
    verification the tag.
    """

    def __init__(
        self, target: Target, implementation: Implementation, buffered: bool, roomy: bool = False
    ) -> None:
        self.target = target
        self._aead = aead_of(target, implementation, roomy)
        self._hash = Hash(target, implementation.digest, implementation.customised)
        self._mac = Mac(target, implementation.tag)
        self._key = pattern(0, implementation.key)
        self._nonce = pattern(0, implementation.nonce)
        self._longest = implementation.longest
        self._buffered = buffered
        self._checks_by_calls = implementation.shared is not None

    def measure(self, case: Case, in_place: bool) -> Counts | Failure:
        """Raises `DoesNotFitError`."""
        call = self.prepared(case, in_place)
        if isinstance(call, Failure):
            return call

        def once() -> Result | Failure:
            return self.target.run(call.function, call.arguments, call.layout)

        self.target.reset()
        repeats, warm = self.target.repeats, self.target.warm
        if not self._checks_by_calls:
            return repeated(once, call.check, self._buffered, repeats, warm)
        # Calls that check the first result would change the caches that the second call finds.
        results: list[Result] = []
        counts = repeated(once, results.append, self._buffered, repeats, warm)
        failures = (call.check(result) for result in results)
        return next(filter(None, failures), counts)

    def prepared(self, case: Case, in_place: bool = False) -> Call | Failure:
        """Prepares the call for a case, including its inputs. Raises `DoesNotFitError`."""
        placement = Placement(in_place=in_place)
        ad, message = pattern(0, case.ad), pattern(0, case.m)
        if case.op is Operation.HASH:
            layout, arguments = self._hash.hashing(message, placement, ad)
            return Call(self._hash.function, layout, arguments, self._check_digest)
        if case.op is Operation.AUTH:
            layout, arguments = self._mac.signing(self._key, message, placement)
            return Call(AUTH, layout, arguments, self._check_signed)
        if case.op is Operation.AUTH_VERIFY:
            return self._verified(message, placement)
        if self._longest and (ad or case.m > self._longest):
            reason = f"it takes messages of at most {self._longest} bytes, and no associated data"
            return Failure(Status.SKIPPED, reason)
        aead = self._aead
        sealing = aead.sealing(self._key, self._nonce, ad, message, placement)
        if isinstance(sealing, Failure):
            return sealing
        layout, arguments = sealing
        if case.op is Operation.ENC:
            return Call(aead.encrypt, layout, arguments, self._check_sealed)
        self.target.reset()
        sealed = aead.sealed(self.target.run(aead.encrypt, arguments, layout))
        if isinstance(sealed, Failure):
            return sealed.during("encrypting the message to decrypt")
        opening = aead.opening(self._key, self._nonce, ad, sealed, placement)
        if isinstance(opening, Failure):
            return opening
        layout, arguments = opening
        return Call(
            aead.decrypt, layout, arguments, lambda result: self._check_opened(result, message)
        )

    def _verified(self, message: bytes, placement: Placement) -> Call | Failure:
        self.target.reset()
        tag = self._mac.sign(self._key, message, placement)
        if isinstance(tag, Failure):
            return tag.during("computing the tag to verify")
        layout, arguments = self._mac.checking(self._key, message, tag, placement)
        return Call(AUTH_VERIFY, layout, arguments, self._check_accepted)

    def _check_sealed(self, result: Result) -> Failure | None:
        sealed = self._aead.sealed(result)
        return sealed if isinstance(sealed, Failure) else None

    def _check_digest(self, result: Result) -> Failure | None:
        digest = self._hash.hashed(result)
        return digest if isinstance(digest, Failure) else None

    def _check_signed(self, result: Result) -> Failure | None:
        tag = self._mac.signed(result)
        return tag if isinstance(tag, Failure) else None

    def _check_accepted(self, result: Result) -> Failure | None:
        accepted = self._mac.checked(result)
        if isinstance(accepted, Failure):
            return accepted
        return None if accepted else Failure(Status.REJECTED_VALID, "its own tag was rejected")

    def _check_opened(self, result: Result, message: bytes) -> Failure | None:
        opened = self._aead.opened(result)
        if isinstance(opened, Failure):
            return opened
        if not opened.accepted:
            return Failure(Status.REJECTED_VALID, "its own ciphertext was rejected")
        if opened.plaintext != message:
            return Failure(
                Status.WRONG_ANSWER, "decrypting its own ciphertext gives a different message"
            )
        return None
