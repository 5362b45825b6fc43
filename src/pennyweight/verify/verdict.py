"""The result of verification."""

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
    """`status` is ok or the kind of failure, with the reason; `verified` lists in words what
    passed.
    """

    status: Status
    reason: str = ""
    verified: str = NOT_VERIFIED
    notes: list[str] = field(default_factory=list)
    in_place: bool = False
    """Whether output and input may share a buffer; tested, not taken from the manifest."""
    reads_outside: bool = False
    """Whether it reads outside its buffers, which bundled implementations must not."""
    writes_clen: bool = False
    """Whether decryption writes beyond the message, within the length of the ciphertext."""
    odd_words: bool = False
    """Whether it relies on a part that ignores the lowest bit of a word's address."""


_SHOWN = 48


def shown(value: bytes) -> str:
    """Bytes in hexadecimal for a message, shortened if long."""
    text = value[:_SHOWN].hex().upper() or "nothing"
    return f"{text}… ({len(value)} bytes)" if len(value) > _SHOWN else text


def too_little_ram(error: DoesNotFitError) -> Failure:
    """The failure if nothing fits, however short."""
    if error.stack_room is not None:
        reason = (
            "even for the shortest messages, the stack needs more than the "
            f"{error.stack_room} bytes of RAM that static data and buffers leave"
        )
    else:
        reason = f"{error.missing} bytes too many: even the shortest messages do not fit the RAM"
    return Failure(Status.DOES_NOT_FIT, reason)


class Failed(Exception):  # noqa: N818 - it carries a failure to the end of a check
    """A check failed."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.reason)
        self.failure = failure


def wrong_answer(where: str, expected: bytes, got: bytes) -> Failure:
    """The failure for a wrong answer, with both values."""
    return Failure(Status.WRONG_ANSWER, f"{where}: expected {shown(expected)}, got {shown(got)}")


def must_fit(target: Target, found: T | Failure, doing: str) -> T:
    """The result of a call. Raises `Failed`, or `DoesNotFitError` if the buffers leave less stack
    than other calls needed.
    """
    if not isinstance(found, Failure):
        return found
    if target.lacks_room(found):
        target.reset()
        raise DoesNotFitError(found.missing_stack, found.stack_room)
    raise Failed(found.during(doing))
