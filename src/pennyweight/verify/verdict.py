"""What verification found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

from pennyweight.model import Status
from pennyweight.target.buffers import DoesNotFitError
from pennyweight.target.failure import Failure
from pennyweight.target.machine import Target

NOT_VERIFIED = "not verified"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Verdict:
    """`status` is ok or what went wrong, with the reason; `verified` tells in words what passed."""

    status: Status
    reason: str = ""
    verified: str = NOT_VERIFIED
    notes: list[str] = field(default_factory=list)
    in_place: bool = False
    """May output take the place of input? Tried, not believed."""
    reads_outside: bool = False
    """Does it read beside its buffers, which only a bundled implementation must not?"""
    writes_clen: bool = False
    """Does decryption write beyond the message, within the length of the ciphertext? Likewise."""
    odd_words: bool = False
    """Does it count on a part that ignores the lowest bit of a word's address? Likewise."""


_SHOWN = 48


def shown(value: bytes) -> str:
    """Bytes in hexadecimal for a message, long ones cut."""
    text = value[:_SHOWN].hex().upper() or "nothing"
    return f"{text}… ({len(value)} bytes)" if len(value) > _SHOWN else text


def too_little_ram(error: DoesNotFitError) -> Failure:
    """Nothing can be checked, however short."""
    if error.stack_room is not None:
        reason = (
            "even for the shortest messages the stack needs more than the "
            f"{error.stack_room} bytes of RAM that static data and buffers leave"
        )
    else:
        reason = f"{error.missing} bytes over: even the shortest messages do not fit the RAM"
    return Failure(Status.DOES_NOT_FIT, reason)


class Failed(Exception):  # noqa: N818 - it carries a failure to the end of a check
    """A check failed."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.reason)
        self.failure = failure


def wrong_answer(where: str, expected: bytes, got: bytes) -> Failure:
    """The failure of an answer that differs, with both values."""
    return Failure(Status.WRONG_ANSWER, f"{where}: expected {shown(expected)}, got {shown(got)}")


def must_fit(target: Target, found: T | Failure, doing: str) -> T:
    """What a call gave. Raises `Failed`, and `DoesNotFitError` where the buffers leave less stack
    than other calls needed.
    """
    if not isinstance(found, Failure):
        return found
    if target.lacks_room(found):
        target.reset()
        raise DoesNotFitError(found.missing_stack, found.stack_room)
    raise Failed(found.during(doing))
