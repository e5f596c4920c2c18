"""One race in place of a search, for small budgets and small spaces."""

from __future__ import annotations

from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment
from racing.core.failures import OnFailure
from racing.race.race import Race
from racing.search.coding import Draw
from racing.search.phase import Phase, SearchContext

LEAST = 10
"""Below this number of evaluations, too few are left for challengers: a race replaces a search."""

_CONFIRMED = 30
"""Below this number of evaluations, a race has them all, and nothing is confirmed."""

_EACH = 6
"""The evaluations for each random configuration of a single race."""


def race_size(budget: Budget) -> int:
    """The number of configurations of a single race with this many evaluations."""
    return max((budget.evaluations or 0) // _EACH, 2)


def why_no_search(budget: Budget, configurations: float, initial: int) -> str:
    """The reason for a single race, with {n} for the number of candidates; empty for a search.

    Parameters
    ----------
    configurations
        Their number in the space.
    initial
        The number of initial configurations of a search.
    """
    if configurations <= initial:
        return "the space has no more than {n} configurations: all of them are raced"
    if budget.evaluations is not None and budget.evaluations < LEAST:
        return (
            f"{budget.evaluations} evaluations are too few for a search, which needs {LEAST}: "
            "{n} configurations are raced"
        )
    return ""


def race_instead(context: SearchContext, why: str, size: int) -> SingleRace:
    """A single race: of all configurations, if there are no more than `size`."""
    account, design = context.account, context.design
    enough = (account.budget.evaluations or _CONFIRMED) >= _CONFIRMED
    account.release(1 - context.confirm if enough else 1.0)
    if context.trials.coding.space.size <= size:
        draws = design.given + design.all()
    else:
        wanted = race_size(account.budget)
        draws = design.given + design.take(wanted - len(design.given))
    context.notes.append(why.format(n=len(draws)))
    return SingleRace(context, draws)


class SingleRace(Phase):
    """All candidates in one race."""

    name = "plain"

    def __init__(self, context: SearchContext, draws: list[Draw]) -> None:
        super().__init__(context)
        trials = self._trials
        goal = trials.goal if trials.several else None
        for draw in draws:
            trials.enter(draw)
        nameless = [Candidate(one.id, one.values) for one in trials.candidates.values()]
        self._race = Race(  # to which the default is one of many: the confirmation decides on it
            nameless,
            trials.division.training,
            budget=context.account.open_to,
            seed=trials.seed,
            objective=context.objective if goal is None else goal.aim or context.objective,
            metrics=None if goal is None else goal.metrics,
            on_failure=OnFailure(policy=trials.failures.policy),  # outcomes have their penalty
            first_test=min(5, max(int(min(context.limit, 5)), 1)),
        )
        self._told: set[tuple[int, int]] = set()
        self._verdicts = 0
        self._advance()

    def update(self, candidate: int = 0) -> None:
        """Tell the race, and queue what it asks for."""
        for outcome in self._trials.outcomes_of(candidate):
            if outcome.key not in self._told:
                self._told.add(outcome.key)
                self._race.tell(outcome)
        self._advance()

    def _advance(self) -> None:
        race, trials = self._race, self._trials
        for verdict in race.verdicts[self._verdicts :]:
            self._decided(verdict)
        self._verdicts = len(race.verdicts)
        self._account.spent = race.spent
        self.instances = race.instances_seen
        self.elites = [standing.candidate.id for standing in race.ranking()]
        if race.done:
            idle = {outcome.key for outcome in race.uncounted}
            self._account.adopt(self._told - idle)
            self.over, self.why = True, race.stopped
            return
        for one in race.ask():
            pair = trials.candidates[one.candidate.id], trials.instance(one.instance.step)
            trials.queue.want(Experiment(*pair, one.bound), self._batch, 0)
