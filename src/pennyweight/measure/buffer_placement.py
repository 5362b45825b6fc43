"""Places a case's buffers: separately, otherwise in place, otherwise the case does not fit."""

from __future__ import annotations

from dataclasses import dataclass

from pennyweight.measure.case_costs import Counts, Function
from pennyweight.model import Case, Status
from pennyweight.target import DoesNotFitError, Failure
from pennyweight.target.buffers import STACK_MARGIN

SEPARATE = "separate"
IN_PLACE = "in place"


@dataclass(frozen=True, slots=True)
class Measured:
    """A case's counts, or the reason for their absence, and the placement of its buffers."""

    found: Counts | Failure
    buffers: str = SEPARATE


class Fitter:
    """Measures the cases of one function; remembers how much stack each operation needs."""

    def __init__(self, function: Function, may_overlap: bool) -> None:
        self._function = function
        self._may_overlap = may_overlap
        self._stack: dict[str, int | Failure] = {}

    def measure(self, case: Case) -> Measured:
        """Measures one case. Failures other than lack of room are the implementation's own."""
        apart = self._try(case, in_place=False)
        if not _lacks_room(apart):
            return Measured(_known(apart))
        if self._may_overlap:
            over = self._try(case, in_place=True)
            if not _lacks_room(over):
                return Measured(_known(over), IN_PLACE)
            return Measured(self._lack(case, over), IN_PLACE)
        return Measured(self._lack(case, apart))

    def _try(self, case: Case, in_place: bool) -> Counts | Failure | DoesNotFitError:
        try:
            return self._function.measure(case, in_place)
        except DoesNotFitError as error:
            return error

    def _lack(self, case: Case, found: Counts | Failure | DoesNotFitError) -> Failure:
        """Decides whether buffers or stack are too large: buffers, if they leave less stack than
        the operation needs on empty inputs; the stack, if they leave enough or empty inputs fail
        too.
        """
        need = self._stack_of_empty(case)
        if isinstance(need, Failure):
            return need
        if isinstance(found, Failure) and found.stack_room >= need + STACK_MARGIN:
            return found
        if isinstance(found, DoesNotFitError):
            missing = found.missing + need
        else:
            assert isinstance(found, Failure)
            missing = max(found.missing_stack, need - found.stack_room)
        return Failure(
            Status.DOES_NOT_FIT,
            f"{missing} bytes too many: the buffers and about {need} bytes of stack exceed "
            f"the {self._function.target.top - self._function.target.bottom} bytes of RAM that "
            "static data leaves",
        )

    def _stack_of_empty(self, case: Case) -> int | Failure:
        """Bytes of stack of the operation on empty inputs, or the failure on empty inputs."""
        if case.op not in self._stack:
            tried = self._try(Case(case.op, 0, 0), in_place=False)
            if isinstance(tried, DoesNotFitError):
                reason = f"{tried.missing} bytes too many, even with empty inputs"
                self._stack[case.op] = Failure(Status.DOES_NOT_FIT, reason)
            else:
                self._stack[case.op] = tried if isinstance(tried, Failure) else tried.stack
        return self._stack[case.op]


def _lacks_room(found: Counts | Failure | DoesNotFitError) -> bool:
    if isinstance(found, Failure):
        return found.status is Status.STACK_OVERFLOW
    return isinstance(found, DoesNotFitError)


def _known(found: Counts | Failure | DoesNotFitError) -> Counts | Failure:
    assert not isinstance(found, DoesNotFitError)
    return found
