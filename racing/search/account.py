"""The budget of a search and what is spent, counted in the order of decisions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from racing.core.budget import PAID, Budget, Spent
from racing.core.experiment import Outcome
from racing.core.stop import Stop
from racing.race.limits import paid, refusal, reused

_MOST = 10**9
_PRICED = ("target_time", "wall_time", *PAID)


class BudgetAccount:
    """Charges decisions in order, and checks whether more fits.

    A part of the budget may be reserved. A decision whose outcomes break a limit of time or
    money does not count, so the result does not depend on the number of workers; nor does anything
    fit after it.

    Attributes
    ----------
    broken
        The limit that a decision has broken, if any.
    """

    broken: Stop | None = None

    def __init__(self, budget: Budget, kept: float = 0.0) -> None:
        self.budget = budget
        self.spent = self._before = self._since = Spent()
        self._charged: set[tuple[int, int]] = set()
        self.release(1 - kept)

    def release(self, share: float = 1.0) -> None:
        """Release this share of the budget; in an extension, of what it adds."""
        self.open_to = _share(self.budget, share, self._before)

    def restart(self) -> None:
        """Let `progress` count from here: another search begins."""
        self._since = self.spent

    def extend(self, budget: Budget, kept: float = 0.0) -> None:
        """Replace the limits; the new ones count from the start too."""
        self.budget, self._before, self.broken = budget, self.spent, None
        self.release(1 - kept)

    def lose(self, spent: Mapping[str, float]) -> None:
        """Charge payments that no decision needs."""
        paid = {unit: getattr(self.spent, unit) + spent.get(unit, 0.0) for unit in PAID}
        self.spent = replace(self.spent, **paid)

    def charge(self, outcomes: Sequence[Outcome], instances: int = 0) -> Stop | None:
        """Charge outcomes, each once; return the limit of time or money that they break, if any."""
        outcomes = [outcome for outcome in outcomes if outcome.key not in self._charged]
        after, budget = _added(self.spent, outcomes, instances), self.budget
        for name in _PRICED:
            limit = getattr(budget, name)
            if limit is not None and getattr(after, name) > limit:
                self.broken = Stop(name)
                return self.broken
        self.spent = after
        self._charged.update(outcome.key for outcome in outcomes)
        return None

    def adopt(self, keys: Iterable[tuple[int, int]]) -> None:
        """Note what is charged already, in `spent`."""
        self._charged.update(keys)

    def unpaid(self, keys: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """The (candidate, step) pairs that are not charged yet."""
        return [key for key in keys if key not in self._charged]

    def refusal(self, runs: int) -> Stop | None:
        """Why this many further runs do not fit; None if they do."""
        if reason := self.broken or refusal(runs, self.spent, self.open_to):
            return reason
        left, share = self.open_to.left(self.spent), runs / max(self.spent.made, 1)
        for unit in self.open_to.paid:
            rest = getattr(left, unit)
            if rest == 0 or getattr(self.spent, unit) * share > rest:
                return Stop(unit)
        return None

    @property
    def room(self) -> int:
        """The expected number of evaluations that fit into the released part that is left."""
        if self.broken:
            return 0
        left = self.open_to.left(self.spent)
        spent, found = self.spent, [left.evaluations]
        for name in _PRICED:
            used, rest = getattr(spent, name), getattr(left, name)
            if rest == 0:
                return 0
            if math.isfinite(rest) and used > 0:
                found.append(rest * spent.made / used)
        return int(min(*found, _MOST))

    @property
    def progress(self) -> float:
        """The largest spent share of any limit, 0 to 1, within the released part, since `restart`.

        Evaluations and target time are counted as charged; wall-clock time is that of the latest
        outcome charged.
        """
        shares = [
            (getattr(self.spent, name) - begun) / max(limit - begun, math.ulp(limit))
            for name in ("evaluations", *_PRICED)
            if (limit := getattr(self.open_to, name)) is not None
            for begun in (getattr(self._since, name),)
        ]
        return min(max(shares, default=0.0), 1.0)

    @property
    def evaluations(self) -> float:
        """The expected number of evaluations in the whole released part; inf if unknown.

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
        for name in _PRICED:
            limit, used = getattr(self.open_to, name), getattr(spent, name)
            if limit is not None and used > 0:
                found.append(spent.reused + limit * spent.made / used)
        return min(found)


def _added(spent: Spent, outcomes: Sequence[Outcome], instances: int) -> Spent:
    """The spending with these outcomes added."""
    return Spent(
        evaluations=spent.evaluations + len(outcomes),
        wall_time=max(spent.wall_time, *(o.elapsed for o in outcomes), 0.0),
        target_time=spent.target_time + math.fsum(o.seconds for o in outcomes),
        instances=max(spent.instances, instances),
        reused=spent.reused + reused(outcomes),
        **paid(spent, outcomes),
    )


def _share(budget: Budget, share: float, before: Spent) -> Budget:
    """The limits, each reduced to this share of what exceeds `before`; instances stay."""
    parts = {
        name: used + (limit - used) * share
        for name in ("evaluations", *_PRICED)
        if (limit := getattr(budget, name)) is not None
        for used in (getattr(before, name),)
    }
    if "evaluations" in parts:
        parts["evaluations"] = max(math.floor(parts["evaluations"]), 1)
    return replace(budget, **parts)
