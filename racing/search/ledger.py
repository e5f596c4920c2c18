"""What a search may spend and has spent, counted in the order of its decisions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from racing.budget import Budget, Spent
from racing.experiment import Outcome
from racing.race.limits import refusal
from racing.stop import Stop

_MOST = 10**9


class Ledger:
    """Charges decisions one after the other, and says whether more fits.

    A part of the budget may be kept back. A decision whose outcomes break a limit of time does not
    count, so that nothing depends on how many workers there were.
    """

    def __init__(self, budget: Budget, kept: float = 0.0) -> None:
        self.budget = budget
        self.spent = self._before = Spent()
        self._charged: set[tuple[int, int]] = set()
        self.release(1 - kept)

    def release(self, share: float = 1.0) -> None:
        """Open up to a share of the budget; of an extension, of what it adds."""
        self.open_to = _share(self.budget, share, self._before)

    def extend(self, budget: Budget, kept: float = 0.0) -> None:
        """Go on with other limits, which count from the start as those before did."""
        self.budget, self._before = budget, self.spent
        self.release(1 - kept)

    def charge(self, outcomes: Sequence[Outcome], instances: int = 0) -> Stop | None:
        """Charge outcomes, each once, unless they break a limit of time: then which."""
        outcomes = [outcome for outcome in outcomes if outcome.key not in self._charged]
        after, budget = _added(self.spent, outcomes, instances), self.budget
        if budget.target_time is not None and after.target_time > budget.target_time:
            return Stop.TARGET_TIME
        if budget.wall_time is not None and after.wall_time > budget.wall_time:
            return Stop.WALL_TIME
        self.spent = after
        self._charged.update(outcome.key for outcome in outcomes)
        return None

    def unpaid(self, keys: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """Those of these pairs of a candidate and a step that are not charged."""
        return [key for key in keys if key not in self._charged]

    def refusal(self, runs: int) -> Stop | None:
        """Why this many further runs do not fit; None if they do."""
        return refusal(runs, self.spent, self.open_to)

    @property
    def room(self) -> int:
        """How many evaluations are expected to fit into what is open and left."""
        left = self.open_to.left(self.spent)
        spent, found = self.spent, [left.evaluations]
        for name in ("target_time", "wall_time"):
            used, rest = getattr(spent, name), getattr(left, name)
            if rest == 0:
                return 0
            if math.isfinite(rest) and used > 0:
                found.append(rest * spent.evaluations / used)
        return int(min(*found, _MOST))

    @property
    def progress(self) -> float:
        """The largest share of any limit that is spent, 0 to 1, of the part that is open.

        Evaluations and target time are counted as charged; wall-clock time is that of the latest
        outcome charged.
        """
        shares = [
            getattr(self.spent, name) / limit
            for name in ("evaluations", "target_time", "wall_time")
            if (limit := getattr(self.open_to, name)) is not None
        ]
        return min(max(shares, default=0.0), 1.0)

    @property
    def evaluations(self) -> float:
        """How many evaluations the open part is expected to allow in all; inf if unknown.

        Limits of time are divided by the mean time of the evaluations charged so far.
        """
        return self._expected(self.spent)

    def expected(self, outcomes: Sequence[Outcome]) -> float:
        """The same, from outcomes that are not charged yet."""
        return self._expected(_added(self.spent, outcomes, 0))

    def _expected(self, spent: Spent) -> float:
        found = [math.inf]
        if self.open_to.evaluations is not None:
            found.append(self.open_to.evaluations)
        for name in ("target_time", "wall_time"):
            limit, used = getattr(self.open_to, name), getattr(spent, name)
            if limit is not None and used > 0:
                found.append(limit * spent.evaluations / used)
        return min(found)


def _added(spent: Spent, outcomes: Sequence[Outcome], instances: int) -> Spent:
    """What is spent with these outcomes too."""
    return Spent(
        evaluations=spent.evaluations + len(outcomes),
        wall_time=max(spent.wall_time, *(o.elapsed for o in outcomes), 0.0),
        target_time=spent.target_time + math.fsum(o.seconds for o in outcomes),
        instances=max(spent.instances, instances),
    )


def _share(budget: Budget, share: float, before: Spent) -> Budget:
    """The limits with a share of what lies beyond `before`; instances are not shared out."""

    def upto(name: str) -> float | None:
        limit, used = getattr(budget, name), getattr(before, name)
        return None if limit is None else used + (limit - used) * share

    evaluations = upto("evaluations")
    return Budget(
        evaluations=None if evaluations is None else max(math.floor(evaluations), 1),
        wall_time=upto("wall_time"),
        target_time=upto("target_time"),
        instances=budget.instances,
    )
