"""Searches for the order of lines with the least cost; the simulated boards are the cost model.

From the given order and from orders of list scheduling, lines are moved within the limits of their
dependences. A change is accepted if the cost is at most that of the current order, or of the one
some changes ago (E. K. Burke, Y. Bykov, "The late acceptance hill-climbing heuristic", European
Journal of Operational Research, 2017), so that the search leaves local minima. Finally, lines that
gain nothing where they are move back, so that the result differs from the source only where that
helps.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from scripts.schedule.program import Image, Setting
from scripts.schedule.regions import Patcher, Region

HISTORY = 12
"""Changes after which a cost is compared again."""
SLOWER = 1 << 50
"""The cost of a call that is slower than before: more than all calls can gain."""
SCALE = 1_000_000
"""Costs are millionths of the cycles before."""
PATIENCE = (3, 12, 60)
"""Changes without a gain, times the lines of a region, after which the next region is tried. All
regions are tried with the first number until none gains, then with the next.
"""

Order = tuple[int, ...]


class BudgetSpentError(Exception):
    """No evaluations, or no time, are left."""


@dataclass(slots=True)
class Budget:
    """Evaluations and seconds that are left."""

    evaluations: int
    seconds: float | None = None
    used: int = 0
    after_each: Callable[[int], None] = lambda used: None
    """Receives the number of evaluations after each."""
    _started: float = field(default_factory=time.monotonic)

    def spend(self) -> None:
        """Counts an evaluation. Raises `BudgetSpentError`."""
        late = self.seconds is not None and time.monotonic() - self._started > self.seconds
        if self.used >= self.evaluations or late:
            raise BudgetSpentError
        self.used += 1
        self.after_each(self.used)


class Costs:
    """Costs of orders on all boards, each computed once."""

    def __init__(
        self,
        settings: Sequence[Setting],
        images: Sequence[Image],
        regions: Sequence[Region],
        budget: Budget,
        before: list[list[int]],
    ) -> None:
        self._settings = settings
        self._images = images
        self._patchers = [Patcher(image, regions) for image in images]
        self._budget = budget
        self.before = before
        self._known: dict[tuple[Order, ...], int] = {}

    @property
    def count(self) -> int:
        """The instructions of all regions in the first image."""
        return self._patchers[0].count

    def cost(self, cycles: Sequence[Sequence[int]]) -> int:
        """The sum over calls, relative to the cycles before."""
        total = 0
        for setting, now, before in zip(self._settings, cycles, self.before, strict=True):
            for each, old in zip(now, before, strict=True):
                total += setting.weight * each * SCALE // old + (SLOWER if each > old else 0)
        return total

    def cycles(self, orders: Sequence[Order]) -> list[list[int]] | None:
        """The cycles of each call on each board; `None` if one fails."""
        found = []
        for setting, image, patcher in zip(
            self._settings, self._images, self._patchers, strict=True
        ):
            cycles = setting.cycles(image.patched(patcher.changes(orders)))
            if cycles is None:
                return None
            found.append(cycles)
        return found

    def of(self, orders: Sequence[Order]) -> int:
        """The cost of an order of each region. Raises `BudgetSpentError`."""
        key = tuple(orders)
        known = self._known.get(key)
        if known is None:
            self._budget.spend()
            cycles = self.cycles(orders)
            known = 1 << 62 if cycles is None else self.cost(cycles)
            self._known[key] = known
        return known


def search(
    costs: Costs,
    regions: Sequence[Region],
    seed: int,
    budget: Budget,
    report: Callable[[int, int], None] = lambda cost, used: None,
) -> list[Order]:
    """The best orders found. The same seed and number of evaluations give the same orders.

    `report` receives the cost and the number of evaluations after each gain. Ctrl-C ends the search
    with the best orders so far.
    """
    generator = random.Random(seed)
    best: list[Order] = [region.lines for region in regions]
    by_weight = sorted(range(len(regions)), key=lambda each: -regions[each].executed)
    try:
        least = costs.of(best)
        for patience in PATIENCE:
            before = least + 1
            while least < before:
                before = least
                for index in by_weight:
                    region = regions[index]
                    limit = patience * len(region.lines)
                    for order, cost in _improvements(costs, best, index, region, generator, limit):
                        if cost < least:
                            least = cost
                            report(cost, budget.used)
                        best[index] = order
    except (BudgetSpentError, KeyboardInterrupt):
        pass
    try:
        # Evaluations for this are counted too, but not limited by what the search has used.
        budget.seconds = None
        budget.evaluations = budget.used + max(200, budget.used // 4)
        for index in by_weight:
            best[index] = _tidied(costs, best, index, regions[index])
    except (BudgetSpentError, KeyboardInterrupt):
        pass
    return best


def _improvements(
    costs: Costs,
    best: list[Order],
    index: int,
    region: Region,
    generator: random.Random,
    limit: int,
) -> Iterator[tuple[Order, int]]:
    """Better orders of a region, each with its cost, until `limit` changes have not helped."""

    def cost_of(order: Order) -> int:
        return costs.of([*best[:index], order, *best[index + 1 :]])

    least = cost_of(best[index])
    current, now = best[index], least
    for start in starts(region):
        cost = cost_of(start)
        if cost < now:
            current, now = start, cost
    if now < least:
        least = now
        yield current, now
    history = [now] * HISTORY
    without = changes = 0
    while without < limit:
        changed = _changed(current, region, generator)
        if changed is None:
            return
        cost = cost_of(changed)
        position = changes % HISTORY
        if cost <= now or cost <= history[position]:
            current, now = changed, cost
        history[position] = now
        changes += 1
        without += 1
        if now < least:
            least, without = now, 0
            yield current, now


def _changed(order: Order, region: Region, generator: random.Random) -> Order | None:
    """The order with one line, or two adjacent ones, moved; `None` if none can move."""
    for _ in range(8 * len(order)):
        length = 1 if generator.random() < 0.8 else 2
        at = generator.randrange(len(order))
        moved, rest = order[at : at + length], order[:at] + order[at + length :]
        low, high = window(moved, rest, region)
        places = [place for place in range(low, high + 1) if place != at]
        if places:
            # Near places are as likely as all others together.
            near = [place for place in places if abs(place - at) <= 3]
            place = generator.choice(near if near and generator.random() < 0.5 else places)
            return rest[:place] + moved + rest[place:]
    return None


def window(moved: Order, rest: Order, region: Region) -> tuple[int, int]:
    """The first and the last place at which lines may be inserted among the others."""
    low, high = 0, len(rest)
    for place, line in enumerate(rest):
        if any((line, each) in region.pairs for each in moved):
            low = place + 1
        if high == len(rest) and any((each, line) in region.pairs for each in moved):
            high = place
    return low, high


def starts(region: Region) -> Iterator[Order]:
    """Orders of list scheduling, with priorities that suit different pipelines."""
    follows: dict[int, list[int]] = {line: [] for line in region.lines}
    for first, second in sorted(region.pairs):
        follows[first].append(second)
    depth: dict[int, int] = {}
    for line in reversed(region.lines):
        depth[line] = 1 + max((depth[each] for each in follows[line]), default=0)
    place = {line: position for position, line in enumerate(region.lines)}
    # The longest path first; the same, but no line directly after one that it needs.
    yield _listed(region, lambda line, last: (-depth[line], place[line]))
    yield _listed(
        region, lambda line, last: (int(line in follows.get(last, ())), -depth[line], place[line])
    )
    yield _listed(region, lambda line, last: (int(line in follows.get(last, ())), place[line], 0))


def _listed(region: Region, priority: Callable[[int, int], tuple[int, ...]]) -> Order:
    needs = dict.fromkeys(region.lines, 0)
    follows: dict[int, list[int]] = {line: [] for line in region.lines}
    for first, second in region.pairs:
        needs[second] += 1
        follows[first].append(second)
    order: list[int] = []
    ready = [line for line, count in needs.items() if count == 0]
    while ready:
        last = order[-1] if order else -1
        line = min(ready, key=lambda each: priority(each, last))
        ready.remove(line)
        for second in follows[line]:
            needs[second] -= 1
            if needs[second] == 0:
                ready.append(second)
        order.append(line)
    return tuple(order)


def _tidied(costs: Costs, best: list[Order], index: int, region: Region) -> Order:
    """The order with as many lines as possible back in the source's order, at the same cost."""
    order = best[index]
    limit = costs.of(best)
    moved = True
    while moved:
        moved = False
        for at in range(len(order) - 1):
            first, second = order[at], order[at + 1]
            if first < second or (first, second) in region.pairs:
                continue
            changed = (*order[:at], second, first, *order[at + 2 :])
            if costs.of([*best[:index], changed, *best[index + 1 :]]) <= limit:
                order, moved = changed, True
                best[index] = order
    return order
