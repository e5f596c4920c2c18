"""The rounds of an ablation: which changes are raced, and how the whole path is measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from racing.analysis.explain.changes import Change, changes
from racing.analysis.explain.tried import Tried
from racing.core.experiment import Outcome
from racing.core.instances import Instances
from racing.core.objective import Objective
from racing.race import Race
from racing.rules import Keep, Verdict
from racing.space import Configuration

FOR_THE_PATH = 0.6
"""Share of the budget for choosing the path; the rest measures it."""


class Stage:
    """A race of the path's configurations; its rows are steps of the run from `offset` on."""

    def __init__(self, race: Race, offset: int, changes: list[Change]) -> None:
        self.race, self.offset, self.changes = race, offset, changes
        self.waiting: set[tuple[int, int]] = set()

    def waits(self, key: tuple[int, int]) -> bool:
        """Whether an outcome can still count."""
        alive = {one.id for one in self.race.survivors}
        return key in self.waiting and key[0] in alive and not self.race.done

    def hear(self, outcome: Outcome) -> None:
        """Take an expected outcome."""
        if outcome.key in self.waiting:
            self.waiting.discard(outcome.key)
            self.tell(outcome)

    def tell(self, outcome: Outcome) -> None:
        """Tell the race, by its own count of rows."""
        self.race.tell(replace(outcome, step=outcome.step - self.offset))


class Rounds:
    """The path from the source to the target, one race at a time; `Ablation` asks and tells.

    Candidate 1 is the source, candidate 2 the target.

    Attributes
    ----------
    stage
        The race under way; None before the first one, and where none is left to be run.
    over
        Whether the path is measured, as far as the budget goes.
    chosen
        The changes so far, each with the id of the candidate that it leads to, and with how many
        others it was raced.
    measured_on
        The steps on which the path was measured.
    independent
        Whether no step of the path was chosen on these; False where instances ran out.
    verdicts
        Of all races.

    Parameters
    ----------
    tried
        What was tried and heard.
    source, target
        Where the path begins and ends.
    instances, seed, objective
        Of the run.
    budget
        Evaluations.
    fresh
        From this step on, instances chose neither source nor target.
    """

    def __init__(
        self,
        tried: Tried,
        source: Configuration,
        target: Configuration,
        instances: Instances,
        *,
        budget: int,
        fresh: int,
        seed: int,
        objective: Objective,
    ) -> None:
        self.tried, self.instances = tried, instances
        self.seed, self.objective = seed, objective
        self.stage: Stage | None = None
        self.over = False
        self.chosen: list[tuple[Change, int, int]] = []  # change, id, how many others
        self.measured_on = range(0)
        self.independent = True
        self.verdicts: list[Verdict] = []
        self._budget, self._fresh = budget, fresh
        self._source, self._target = dict(source), dict(target)
        self._rows = 0  # of the longest round
        self._measuring = False

    def begin(self) -> None:
        """Begin the first round."""
        self.tried.enter(self._source, "source")
        self.tried.enter(self._target, "target")
        self._next_round()

    def close(self, stage: Stage) -> None:
        """Charge a round, and begin the next one."""
        self.tried.charge(stage.race.results, stage.offset)
        self.verdicts += stage.race.verdicts
        if self._measuring:
            self.over = True
            return
        race, standing = stage.race, stage.race.ranking()
        self._rows = max(self._rows, race.instances_seen)
        best = race.winner or (standing[0].candidate if standing else race.candidates[0])
        key = self.tried.space.key(best.values)
        change = next(one for one in stage.changes if self.tried.space.key(one.values) == key)
        self.chosen.append((change, best.id, len(stage.changes) - 1))
        self._next_round()

    def _next_round(self) -> None:
        """Race the changes from here; take them at once where there is one, or no budget."""
        while True:
            current = self.tried.candidate(self.chosen[-1][1] if self.chosen else 1)
            if self.tried.space.key(current.values) == self.tried.space.key(self._target):
                self._measure()
                return
            found = changes(self.tried.space, current.values, self._target)
            ids = [self.tried.enter(one.values, "ablation", len(self.chosen)) for one in found]
            if len(found) == 1:
                self.chosen.append((found[0], ids[0], 0))
                continue
            share = self._share(len(found))
            if share >= len(found):
                self.stage = self._race(found, ids, share)
                return
            everything = tuple(dict.fromkeys(name for one in found for name in one.names))
            self.chosen.append((Change(names=everything, values=dict(self._target)), 2, 0))

    def _share(self, k: int) -> int:
        """Evaluations for a round with k changes, when rounds with k − 1, …, 2 follow."""
        left = FOR_THE_PATH * self._budget - self.tried.spent.evaluations
        return int(left * k / (k * (k + 1) / 2 - 1))

    def _race(self, found: list[Change], ids: list[int], share: int) -> Stage:
        race = Race(
            [self.tried.candidate(id) for id in ids],
            self._counted(self.instances.limit or share),
            budget=share,
            seed=self.seed,
            objective=self.objective,
        )
        return Stage(race, 0, found)

    def _measure(self) -> None:
        """Run the whole path on instances of no earlier round, as far as the budget lasts."""
        self._measuring = True
        ids = list(dict.fromkeys([1, 2, *(id for _, id, _ in self.chosen)]))
        first, limit = max(self._fresh, self._rows), self.instances.limit
        self.independent = limit is None or limit - first > 1
        first = first if self.independent else 0
        left = self._budget - self.tried.spent.evaluations
        missing = partial(self.tried.missing, ids)
        self.measured_on = affordable(first, limit, left, missing)
        if not self.measured_on:
            self.over = True
            return
        race = Race(
            [self.tried.candidate(id) for id in ids],
            self._counted(len(self.measured_on)),
            rule=Keep(),
            first_test=1,
            seed=self.seed,
        )
        self.stage = Stage(race, first, [])

    def _counted(self, n: int) -> Instances:
        """Places of instances, for a race whose rows are numbered from 0."""
        return Instances(range(n), order="listed")


def affordable(first: int, limit: int | None, left: int, missing: Callable[[int], int]) -> range:
    """The steps, from the first on, whose missing evaluations fit into the rest of the budget.

    Parameters
    ----------
    first
        The first step.
    limit
        How many instances there are; None without an end.
    left
        Evaluations that may be made.
    missing
        Step → how many evaluations it needs.
    """
    step, most = first, first + max(left, 0) * 10 + 1  # however much is known
    while step < min(most, most if limit is None else limit) and missing(step) <= left:
        left -= missing(step)
        step += 1
    return range(first, step)
