"""A greedy path from one configuration to another, each step raced; then every step measured.

Fawcett and Hoos, Analysing differences between algorithm configurations through ablation, Journal
of Heuristics 22, 2016: from the source on, each round tries every remaining change, and keeps the
best. Their variant with racing uses the F-test; here it is the default rule of the project's races.
And since the instances on which a change was chosen flatter it, a part of the budget measures the
whole path on others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from racing.budget import Budget, Spent
from racing.candidate import Candidate
from racing.decider import Entrant
from racing.errors import InputError, RaceError
from racing.experiment import Experiment, Instance, Outcome
from racing.explain.book import Book, Known
from racing.explain.changes import Change, changes
from racing.explain.measurement import affordable
from racing.explain.stage import Stage
from racing.instances import Instances
from racing.objective import Objective
from racing.race import Race
from racing.results import Results
from racing.rules import Keep, Verdict
from racing.search.gain import Gain
from racing.space import Configuration, Space
from racing.standing import Standing
from racing.stop import Stop

FOR_THE_PATH = 0.6
"""Share of the budget for choosing the path; the rest measures it."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """One configuration on the path.

    Attributes
    ----------
    change
        What led to it.
    candidate
        The configuration.
    raced
        Against how many other changes it was chosen; 0 where there was no choice, or no budget.
    gain
        By how much its mean cost is below that of the step before, on instances that chose no
        step; None where nothing was measured.
    """

    change: Change
    candidate: Candidate
    raced: int
    gain: Gain | None = None


class Ablation:
    """The path from a source to a target, by ask and tell: a `Decider`.

    What it comes to is a function of its arguments and of the outcomes told, not of their order.

    Attributes
    ----------
    chosen
        The changes so far, each with the id of the candidate that it leads to, and with how many
        others it was raced.
    measured_on
        The steps on which the path was measured.
    independent
        Whether these chose no step of the path; False where instances ran out.

    Parameters
    ----------
    space
        Both configurations are in it.
    source, target
        Where the path begins and ends, such as the default and the winner of a search.
    instances, seed
        The stream of the run: step t here is its step t.
    budget
        How many evaluations may be made; those that are known are free.
    known
        Outcomes of earlier runs, by configuration and step.
    fresh
        From this step on, instances chose neither source nor target.
    objective
        What is the best of several changes.

    Raises
    ------
    InputError
        If the configurations are equal, or the budget is too small to measure their difference.
    """

    def __init__(
        self,
        space: Space,
        source: Configuration,
        target: Configuration,
        instances: Instances,
        *,
        budget: int,
        seed: int = 1,
        known: Known | None = None,
        fresh: int = 0,
        objective: Objective = "mean",
    ) -> None:
        if space.key(source) == space.key(target):
            raise InputError("there is nothing to explain: the two configurations are the same")
        if budget < 4:
            raise InputError(f"budget is {budget}; an ablation needs 4 evaluations or more")
        self.space, self.instances, self.seed = space, instances, seed
        self.budget, self.objective = Budget(evaluations=budget), objective
        self.stopped: Stop | None = None
        self.verdicts: list[Verdict] = []
        self.chosen: list[tuple[Change, int, int]] = []  # change, id, how many others
        self.measured_on = range(0)
        self.independent = True
        self._rows = 0  # of the longest round
        self._book, self._fresh = Book(space, known or {}), fresh
        self._backlog: deque[Experiment] = deque()
        self._out: dict[tuple[int, int], Experiment] = {}
        self._stage: Stage | None = None
        self._measuring = False
        self._source, self._target = dict(source), dict(target)

    # --- the conversation -------------------------------------------------------------------

    def restore(self, entrants: Sequence[Entrant]) -> None:
        """Take over the candidates that a log holds; they come up again in the same order.

        Raises
        ------
        RaceError
            If the ablation has begun.
        """
        if self._stage is not None or self.entrants:
            raise RaceError("restore must come before the first ask and tell")
        self._book.logged = {entrant.candidate.id: entrant for entrant in entrants}

    def ask(self, limit: int | None = None, *, speculate: int = 0) -> list[Experiment]:
        """Experiments to be run next; nothing is speculated on."""
        self._go_on()
        taken: list[Experiment] = []
        while self._backlog and (limit is None or len(taken) < limit):
            experiment = self._backlog.popleft()
            if self._stage is not None and self._stage.waits(experiment.key):
                self._out[experiment.key] = experiment
                taken.append(experiment)
        return taken

    def tell(self, outcome: Outcome) -> None:
        """Hear of an outcome.

        Raises
        ------
        RaceError
            If the candidate is unknown, or the outcome was told before.
        """
        self._go_on()
        self._book.hear(outcome)
        self._out.pop(outcome.key, None)
        if not self.done and self._stage is not None:
            self._stage.hear(outcome)
            self._go_on()

    def lost(self, *experiments: Experiment) -> None:
        """Hear that experiments will not be answered: they are asked for again if need be."""
        for experiment in experiments:
            if self._out.pop(experiment.key, None) is None:
                raise RaceError(f"experiment {experiment.key} is not out")
            if not self.done and self._stage is not None and self._stage.waits(experiment.key):
                self._backlog.appendleft(experiment)

    def end(self, reason: Stop) -> None:
        """Stop from outside."""
        if not self.done:
            self.stopped = reason
            self._backlog.clear()

    def extend(self, budget: Budget) -> None:
        """Not possible: the budget decides how the path is raced.

        Raises
        ------
        RaceError
            Always.
        """
        raise RaceError("an ablation cannot be extended; begin another one, which takes over all")

    # --- queries ----------------------------------------------------------------------------

    @property
    def done(self) -> bool:
        """Whether it is over."""
        return self.stopped is not None

    @property
    def pending(self) -> tuple[Experiment, ...]:
        """The experiments that are out."""
        return tuple(self._out.values())

    @property
    def unwanted(self) -> tuple[Experiment, ...]:
        """Those of `pending` that can no longer count."""
        stage = self._stage if not self.done else None
        return tuple(one for key, one in self._out.items() if stage is None or not stage.waits(key))

    @property
    def spent(self) -> Spent:
        """What was spent on rounds that are over."""
        return self._book.spent

    @property
    def speculative(self) -> int:
        """None: every experiment is certain to be needed."""
        return 0

    @property
    def wasted(self) -> int:
        """None: what is told counts."""
        return 0

    @property
    def outcomes(self) -> int:
        """How many outcomes it has heard."""
        return len(self._book.told)

    @property
    def instances_seen(self) -> int:
        """How many instances the round under way has complete."""
        return self._stage.race.instances_seen if self._stage else 0

    @property
    def entrants(self) -> Sequence[Entrant]:
        """Source, target, and every configuration that was tried between them."""
        return self._book.entrants

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """Those of `entrants`."""
        return tuple(entrant.candidate for entrant in self.entrants)

    @property
    def survivors(self) -> tuple[Candidate, ...]:
        """Those that the round under way has not dropped."""
        return self._stage.race.survivors if self._stage else self.candidates

    @property
    def winner(self) -> Candidate | None:
        """The target."""
        return self.candidates[1] if len(self.entrants) > 1 else None

    @property
    def results(self) -> Results:
        """The costs of the round under way."""
        if self._stage is None:
            raise RaceError("there are no results before the first ask")
        return self._stage.race.results

    def ranking(self) -> tuple[Standing, ...]:
        """Where the candidates of the round under way stand."""
        return self._stage.race.ranking() if self._stage else ()

    def instance(self, step: int) -> Instance:
        """The instance at a step."""
        return self.instances.at(step, self.seed)

    @property
    def path(self) -> tuple[Step, ...]:
        """The steps so far, each with its gain once the path is measured."""
        ids = [1, *(id for _, id, _ in self.chosen)]
        return tuple(
            Step(change=change, candidate=self._book.candidate(id), raced=raced,
                 gain=self._measured(before, id))
            for (change, id, raced), before in zip(self.chosen, ids, strict=False)
        )  # fmt: skip

    @property
    def total(self) -> Gain | None:
        """The gain of the target over the source, on the same instances as the steps' gains."""
        return self._measured(1, 2)

    def _measured(self, before: int, after: int) -> Gain | None:
        return self._book.gain(before, after, self.measured_on) if self.done else None

    # --- from round to round ----------------------------------------------------------------

    def _go_on(self) -> None:
        """Begin, and go on as far as outcomes are there."""
        if not self.entrants:
            self._book.enter(self._source, "source")
            self._book.enter(self._target, "target")
            self._next_round()
        while not self.done and self._stage is not None:
            if self._stage.race.done:
                self._close(self._stage)
            elif not self._line_up(self._stage):
                return

    def _line_up(self, stage: Stage) -> bool:
        """Answer what is known, and queue the rest; False if there is nothing more to ask for."""
        batch = stage.race.ask()
        for asked in batch:
            step = asked.instance.step + stage.offset
            outcome = self._book.outcome(asked.candidate.id, step)
            if outcome is None:
                stage.waiting.add((asked.candidate.id, step))
                self._backlog.append(Experiment(asked.candidate, self.instance(step)))
            elif not stage.race.done:
                stage.tell(outcome)
        return bool(batch)

    def _close(self, stage: Stage) -> None:
        """Charge a round, and begin the next one."""
        self._book.charge(stage)
        self._backlog.clear()
        self.verdicts += stage.race.verdicts
        if self._measuring:
            self.end(Stop.EVALUATIONS)
            return
        race, standing = stage.race, stage.race.ranking()
        self._rows = max(self._rows, race.instances_seen)
        best = race.winner or (standing[0].candidate if standing else race.candidates[0])
        key = self.space.key(best.values)
        change = next(one for one in stage.changes if self.space.key(one.values) == key)
        self.chosen.append((change, best.id, len(stage.changes) - 1))
        self._next_round()

    def _next_round(self) -> None:
        """Race the changes from here; take them at once where there is one, or no budget."""
        while True:
            current = self._book.candidate(self.chosen[-1][1] if self.chosen else 1)
            if self.space.key(current.values) == self.space.key(self._target):
                self._measure()
                return
            found = changes(self.space, current.values, self._target)
            ids = [self._book.enter(one.values, "ablation", len(self.chosen)) for one in found]
            if len(found) == 1:
                self.chosen.append((found[0], ids[0], 0))
                continue
            share = self._share(len(found))
            if share >= len(found):
                self._stage = self._race(found, ids, share)
                return
            everything = tuple(dict.fromkeys(name for one in found for name in one.names))
            self.chosen.append((Change(names=everything, values=dict(self._target)), 2, 0))

    def _share(self, k: int) -> int:
        """Evaluations for a round with k changes, when rounds with k − 1, …, 2 follow."""
        assert self.budget.evaluations is not None
        left = FOR_THE_PATH * self.budget.evaluations - self.spent.evaluations
        return int(left * k / (k * (k + 1) / 2 - 1))

    def _race(self, found: list[Change], ids: list[int], share: int) -> Stage:
        race = Race(
            [self._book.candidate(id) for id in ids],
            self._counted(self.instances.limit or share),
            budget=share,
            seed=self.seed,
            objective=self.objective,
        )
        return Stage(race, 0, found)

    def _measure(self) -> None:
        """Run the whole path on instances that chose nothing of it, as far as the budget goes."""
        assert self.budget.evaluations is not None
        self._measuring = True
        ids = list(dict.fromkeys([1, 2, *(id for _, id, _ in self.chosen)]))
        first, limit = max(self._fresh, self._rows), self.instances.limit
        self.independent = limit is None or limit - first > 1
        first = first if self.independent else 0
        left = self.budget.evaluations - self.spent.evaluations
        self.measured_on = affordable(
            first, limit, left, lambda step: self._book.missing(ids, step)
        )
        if not self.measured_on:
            self.end(Stop.EVALUATIONS)
            return
        race = Race(
            [self._book.candidate(id) for id in ids],
            self._counted(len(self.measured_on)),
            rule=Keep(),
            first_test=1,
            seed=self.seed,
        )
        self._stage = Stage(race, first, [])

    def _counted(self, n: int) -> Instances:
        """Places of instances, for a race whose rows are numbered from 0."""
        return Instances(range(n), order="listed")
