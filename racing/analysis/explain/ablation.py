"""A greedy path between two configurations: a race chooses each step, then all are measured.

Fawcett and Hoos, Analysing differences between algorithm configurations through ablation, Journal
of Heuristics 22, 2016: from the source on, each round tries every remaining change, and keeps the
best. Their variant with racing uses the F-test; here it is the default rule of the project's races.
And since the instances on which a change was chosen flatter it, a part of the budget measures the
whole path on others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from racing.analysis.explain.changes import Change
from racing.analysis.explain.rounds import Rounds, Stage
from racing.analysis.explain.tried import Known, Tried
from racing.answer.gain import Gain
from racing.base.errors import InputError, RaceError
from racing.core.budget import Budget, Spent
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Experiment, Instance, Outcome
from racing.core.instances import Instances
from racing.core.objective import Objective
from racing.core.stop import Stop
from racing.rules import Verdict
from racing.space import Configuration, Space


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
        By how much its mean cost is below that of the step before, on instances on which
        no step was chosen; None where nothing was measured.
    """

    change: Change
    candidate: Candidate
    raced: int
    gain: Gain | None = None


class Ablation:
    """The path from a source to a target, by ask and tell: a `Decider`.

    Its result is a function of its arguments and of the outcomes, not of their order.

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
        self.instances, self.seed = instances, seed
        self.budget, self.objective = Budget(evaluations=budget), objective
        self.stopped: Stop | None = None
        self._tried = Tried(space, known or {})
        self._rounds = Rounds(
            self._tried, source, target, instances,
            budget=budget, fresh=fresh, seed=seed, objective=objective,
        )  # fmt: skip
        self._backlog: deque[Experiment] = deque()
        self._out: dict[tuple[int, int], Experiment] = {}

    # --- the conversation -------------------------------------------------------------------

    def restore(self, entrants: Sequence[Entrant]) -> None:
        """Take over the candidates of a log; they enter again in the same order.

        Raises
        ------
        RaceError
            If the ablation has begun.
        """
        if self._stage is not None or self.entrants:
            raise RaceError("restore must come before the first ask and tell")
        self._tried.logged = {entrant.candidate.id: entrant for entrant in entrants}

    def ask(self, limit: int | None = None, *, speculate: int = 0) -> list[Experiment]:
        """The experiments to run next, without speculation."""
        self._go_on()
        taken: list[Experiment] = []
        while self._backlog and (limit is None or len(taken) < limit):
            experiment = self._backlog.popleft()
            if self._stage is not None and self._stage.waits(experiment.key):
                self._out[experiment.key] = experiment
                taken.append(experiment)
        return taken

    def tell(self, outcome: Outcome) -> None:
        """Take an outcome.

        Raises
        ------
        RaceError
            If the candidate is unknown, or the outcome was told before.
        """
        self._go_on()
        self._tried.hear(outcome)
        self._out.pop(outcome.key, None)
        if not self.done and self._stage is not None:
            self._stage.hear(outcome)
            self._go_on()

    def lost(self, *experiments: Experiment) -> None:
        """Take experiments back; `ask` returns them again if they are still needed."""
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

    def spare(self, experiment: Experiment) -> bool:
        """Whether a second attempt may begin."""
        return not self.budget.paid

    def charge(self, spent: Mapping[str, float]) -> None:
        """Do nothing: the budget of an ablation is one of evaluations."""

    def extend(self, budget: Budget) -> None:
        """Refuse: the budget decides how the path is raced.

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
        """The spending on finished rounds."""
        return self._tried.spent

    @property
    def speculative(self) -> int:
        """None: every experiment is certain to be needed."""
        return 0

    @property
    def wasted(self) -> int:
        """None: every outcome counts."""
        return 0

    @property
    def expected_evaluations(self) -> float:
        """The evaluations that the budget still allows."""
        return 0.0 if self.done else max((self.budget.evaluations or 0) - self.outcomes, 0.0)

    @property
    def outcomes(self) -> int:
        """The number of outcomes received."""
        return len(self._tried.told)

    @property
    def instances_seen(self) -> int:
        """The number of complete instances of the current round."""
        return self._stage.race.instances_seen if self._stage else 0

    @property
    def entrants(self) -> Sequence[Entrant]:
        """Source, target, and every configuration that was tried between them."""
        return self._tried.entrants

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """The candidates of `entrants`."""
        return tuple(entrant.candidate for entrant in self.entrants)

    @property
    def survivors(self) -> tuple[Candidate, ...]:
        """The candidates that the current round has not dropped."""
        return self._stage.race.survivors if self._stage else self.candidates

    @property
    def winner(self) -> Candidate | None:
        """The target."""
        return self.candidates[1] if len(self.entrants) > 1 else None

    @property
    def as_search(self) -> None:
        """None, as it is not a search."""

    def instance(self, step: int) -> Instance:
        """The instance at a step."""
        return self.instances.at(step, self.seed)

    @property
    def verdicts(self) -> Sequence[Verdict]:
        """The verdicts of all finished rounds."""
        return self._rounds.verdicts

    @property
    def path(self) -> tuple[Step, ...]:
        """The steps so far, each with its gain once the path is measured."""
        chosen = self._rounds.chosen
        before = [1, *(id for _, id, _ in chosen)]
        return tuple(
            Step(change=change, candidate=self._tried.candidate(id), raced=raced,
                 gain=self._measured(last, id))
            for last, (change, id, raced) in zip(before, chosen, strict=False)
        )  # fmt: skip

    @property
    def total(self) -> Gain | None:
        """The gain of the target over the source, on the same instances as the steps' gains."""
        return self._measured(1, 2)

    @property
    def measured_on(self) -> range:
        """The steps on which the path is measured."""
        return self._rounds.measured_on

    @property
    def independent(self) -> bool:
        """Whether no step of the path was chosen on these instances; False if instances ran out."""
        return self._rounds.independent

    def _measured(self, before: int, after: int) -> Gain | None:
        return self._tried.gain(before, after, self.measured_on) if self.done else None

    # --- inside -----------------------------------------------------------------------------

    @property
    def _stage(self) -> Stage | None:
        return self._rounds.stage

    def _go_on(self) -> None:
        """Start, and continue as far as outcomes are known."""
        if not self.entrants:
            self._rounds.begin()
            self._end_with_rounds()
        while not self.done and self._stage is not None:
            if self._stage.race.done:
                self._backlog.clear()
                self._rounds.close(self._stage)
                self._end_with_rounds()
            elif not self._line_up(self._stage):
                return

    def _end_with_rounds(self) -> None:
        if self._rounds.over:
            self.end(Stop.EVALUATIONS)

    def _line_up(self, stage: Stage) -> bool:
        """Answer known experiments, and queue the rest; False if none is left."""
        batch = stage.race.ask()
        for asked in batch:
            step = asked.instance.step + stage.offset
            outcome = self._tried.outcome(asked.candidate.id, step)
            if outcome is None:
                stage.waiting.add((asked.candidate.id, step))
                self._backlog.append(Experiment(asked.candidate, self.instance(step)))
            elif not stage.race.done:
                stage.tell(outcome)
        return bool(batch)
