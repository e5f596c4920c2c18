"""A greedy path between two configurations: a race chooses each step, then all are measured.

Fawcett and Hoos, Analysing differences between algorithm configurations through ablation, Journal
of Heuristics 22, 2016: from the source on, each round tries every remaining change, and keeps the
best. Their variant with racing uses the F-test; here it is the default rule of the project's races.
And since the instances on which a change was chosen flatter it, a part of the budget measures the
whole path on others.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import ClassVar, TypeAlias

import numpy as np

from racing.analysis.batches import BatchDecider, Batches
from racing.answer.gain import Basis, Gain, basis, gain
from racing.base.errors import InputError, RaceError
from racing.base.words import value_text
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance, Outcome
from racing.core.failures import WORST, Failures, OnFailure
from racing.core.instances import Instances
from racing.core.objective import Objective
from racing.core.stop import Stop
from racing.race import Race
from racing.rules import Keep
from racing.space import Configuration, Space, Value, Values
from racing.space.expressions import names

FOR_THE_PATH = 0.6
"""Share of the budget for choosing the path; the rest measures it."""

Known: TypeAlias = Mapping[tuple[tuple[object, ...], int], Outcome]
"""(key of a configuration in its space, instance step) → outcome of an earlier run."""

Runs: TypeAlias = Generator[list[Experiment], None, None]
SOURCE, TARGET = 1, 2
"""The ids of the two ends."""


@dataclass(frozen=True, kw_only=True)
class PathStep:
    """A step of the path.

    Attributes
    ----------
    step
        Its number, from 1.
    parameters, change
        What it changes, and how, in words; what follows from that is in brackets.
    raced_against
        Against how many other changes it was chosen; 0 where there was no choice, or no budget.
    gain
        By how much its mean cost is below that of the step before, on instances on which
        no step was chosen and no configuration of the path failed, unless a failure has a penalty;
        None where nothing was measured. Its failures are all that were measured.
    share
        That of the whole gain; None if unknown.
    values
        The configuration that it leads to.
    """

    step: int
    parameters: tuple[str, ...]
    change: str
    raced_against: int
    gain: Gain | None
    share: float | None
    values: Values


class Ablation(BatchDecider):
    """The path from a source to a target, by ask and tell: a `Decider`.

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
    failures
        What a failure counts as.

    Attributes
    ----------
    measured_on
        The steps on which the path is measured.
    independent
        Whether no step of the path was chosen on these; False where instances ran out.

    Raises
    ------
    InputError
        If the configurations are equal, or the budget is too small to measure their difference.
    """

    word: ClassVar[str] = "ablation"

    def __init__(
        self, space: Space, source: Configuration, target: Configuration, instances: Instances, *,
        budget: int, seed: int = 1, known: Known | None = None, fresh: int = 0,
        objective: Objective = "mean", failures: Failures = WORST,
    ) -> None:  # fmt: skip
        if space.key(source) == space.key(target):
            raise InputError("there is nothing to explain: the two configurations are the same")
        if budget < 4:
            raise InputError(f"budget is {budget}; an ablation needs 4 evaluations or more")
        super().__init__(budget, failures=failures)
        self.space, self.instances, self.seed, self.objective = space, instances, seed, objective
        self.measured_on, self.independent = range(0), True
        self._known, self._fresh = known or {}, fresh
        self._ids: dict[tuple[object, ...], int] = {}
        self._chosen: list[tuple[Move, int, int]] = []  # change, id, how many others
        self._race: Race | None = None
        self._id(source, "source")
        self._id(target, "target")
        self._go_on()

    def extend(self, budget: object, more: object = None) -> None:
        """Refuse: the budget decides how the path is raced.

        Raises
        ------
        RaceError
            Always.
        """
        raise RaceError("an ablation cannot be extended; begin another one, which takes over all")

    @property
    def instances_seen(self) -> int:
        """The number of complete instances of the current round."""
        return self._race.instances_seen if self._race else 0

    @property
    def survivors(self) -> tuple[Candidate, ...]:
        """The candidates that the current round has not dropped."""
        return self._race.survivors if self._race else self.candidates

    @property
    def winner(self) -> Candidate | None:
        """The target."""
        return self._candidate(TARGET)

    def instance(self, step: int) -> Instance:
        """The instance at a step."""
        return self.instances.at(step, self.seed)

    @property
    def path(self) -> tuple[PathStep, ...]:
        """The steps so far, each with its gain once the path is measured."""
        before, total = [SOURCE, *(id for _, id, _ in self._chosen)], self.total
        return tuple(self._step(at, before[at - 1], total) for at in range(1, len(before)))

    def _step(self, at: int, before: int, total: Gain | None) -> PathStep:
        change, id, raced = self._chosen[at - 1]
        gain, values = self._gain(before, id), self._candidate(id).values
        return PathStep(
            step=at, parameters=change.names, raced_against=raced, gain=gain,
            change=_in_words(self._candidate(before).values, values, change.names),
            share=_share(gain, total), values=dict(values),
        )  # fmt: skip

    @property
    def total(self) -> Gain | None:
        """The gain of the target over the source, on the same instances as the steps' gains."""
        return self._gain(SOURCE, TARGET)

    # --- the path ---------------------------------------------------------------------------

    def _batches(self) -> Batches:
        rows, goal = 0, self._candidate(TARGET).values
        while self.space.key(here := self._last().values) != self.space.key(goal):
            found = moves(self.space, here, goal)
            ids = [self._id(one.values, "ablation") for one in found]
            if len(found) == 1:
                self._chosen.append((found[0], ids[0], 0))
            elif (share := self._share(len(found))) < len(found):
                names = tuple(dict.fromkeys(name for one in found for name in one.names))
                self._chosen.append((Move(names=names, values=dict(goal)), TARGET, 0))
            else:
                yield from self._choose(dict(zip(ids, found, strict=True)), share)
                rows = max(rows, self.instances_seen)
        yield from self._measure(max(self._fresh, rows))
        return Stop.EVALUATIONS

    def _share(self, k: int) -> int:
        """Evaluations for a round with k changes, when rounds with k − 1, …, 2 follow."""
        left = FOR_THE_PATH * (self.budget.evaluations or 0) - self.spent.evaluations
        return int(left * k / (k * (k + 1) / 2 - 1))

    def _choose(self, found: Mapping[int, Move], share: int) -> Runs:
        """Race the changes from here, by the ids of what they lead to; the best one is taken."""
        race = Race(
            [self._candidate(id) for id in found], _places(self.instances.limit or share),
            budget=share, seed=self.seed, objective=self.objective,
            on_failure=OnFailure(policy=self.failures.policy),  # outcomes have their penalty
        )  # fmt: skip
        yield from self._run(race)
        standing = race.ranking()
        best = race.winner or (standing[0].candidate if standing else race.candidates[0])
        self._chosen.append((found[best.id], best.id, len(found) - 1))

    def _measure(self, first: int) -> Runs:
        """Run the whole path on instances of no earlier round, as far as the budget lasts."""
        ids = list(dict.fromkeys([SOURCE, TARGET, *(id for _, id, _ in self._chosen)]))
        limit = self.instances.limit
        self.independent = limit is None or limit - first > 1
        self.measured_on = self._affordable(ids, first if self.independent else 0)
        if self.measured_on:
            race = Race(
                [self._candidate(id) for id in ids], _places(len(self.measured_on)), rule=Keep(),
                first_test=1, seed=self.seed,
            )  # fmt: skip
            yield from self._run(race, self.measured_on.start)

    def _affordable(self, ids: Iterable[int], first: int) -> range:
        """The steps from the first on whose missing evaluations the rest of the budget covers."""
        left = (self.budget.evaluations or 0) - self.spent.evaluations
        step, end = first, first + max(left, 0) * 10 + 1  # however much is known
        if self.instances.limit is not None:
            end = min(end, self.instances.limit)
        while step < end:
            left -= sum(self._outcome(id, step) is None for id in ids)
            if left < 0:
                break
            step += 1
        return range(first, step)

    def _run(self, race: Race, first: int = 0) -> Runs:
        """Run a race, whose rows are the steps from the first on; what is known is not run."""
        self._race = race
        while not race.done:
            keys = [(one.candidate.id, one.instance.step + first) for one in race.ask()]
            yield [
                Experiment(self._candidate(id), self.instance(step))
                for id, step in keys
                if self._outcome(id, step) is None
            ]
            for id, step in keys:
                outcome = self._outcome(id, step)
                assert outcome is not None
                race.tell(replace(outcome, step=step - first))
        self.verdicts += race.verdicts

    # --- configurations and outcomes --------------------------------------------------------

    def _candidate(self, id: int) -> Candidate:
        return self.entrants[id - 1].candidate

    def _last(self) -> Candidate:
        return self._candidate(self._chosen[-1][1] if self._chosen else SOURCE)

    def _id(self, values: Configuration, origin: str) -> int:
        """The id of a configuration, which enters if it is new."""
        id = self._ids.setdefault(self.space.key(values), len(self.entrants) + 1)
        if id > len(self.entrants):
            name = "" if origin == "ablation" else origin
            self._enter(Candidate(id, dict(values), name=name), origin, len(self._chosen))
        return id

    def _outcome(self, id: int, step: int) -> Outcome | None:
        """The outcome of a candidate at a step, here or in an earlier run."""
        if (id, step) in self._told:
            return self._told[id, step]
        old = self._known.get((self.space.key(self._candidate(id).values), step))
        return None if old is None else self.failures.heard(replace(old, candidate=id))

    def _gain(self, before: int, after: int) -> Gain | None:
        """The gain of one candidate over another where the path is measured, once it is.

        Of the instances on which every configuration of the path has a cost, as it did not fail or
        a failure has a penalty, so that the gains of the steps add up to the total; wins and
        failures are of all instances.
        """
        ids, rows = self._measured
        if not rows:
            return None
        pair = [ids.index(after), ids.index(before)]

        def over(kept: Sequence[tuple[int, list[Outcome]]]) -> Gain:
            two = [[row[place] for place in pair] for _, row in kept]
            costs = np.array([[one.cost for one in row] for row in two], dtype=float)
            failed = np.array([[one.failed for one in row] for row in two], dtype=bool)
            return gain(
                costs.reshape(-1, 2), mean=True, of=self._of([step for step, _ in kept]),
                name=self._candidate(after), over=self._candidate(before),
                problems=[self._problem(step) for step, _ in kept], failed=failed.reshape(-1, 2),
                correlation=self.instances.correlation,
            )  # fmt: skip

        whole = over(rows)
        own = over([row for row in rows if all(math.isfinite(one.cost) for one in row[1])])
        return replace(
            whole, estimate=own.estimate, low=own.low, high=own.high, by_cost=own.by_cost,
            pairs=own.pairs,
        )  # fmt: skip

    @property
    def _measured(self) -> tuple[list[int], list[tuple[int, list[Outcome]]]]:
        """The ids on the path; each step where all of them have an outcome, with these."""
        ids = list(dict.fromkeys([SOURCE, TARGET, *(id for _, id, _ in self._chosen)]))
        rows = ((step, [self._outcome(id, step) for id in ids])
                for step in (self.measured_on if self.done else ()))  # fmt: skip
        return ids, [(step, [one for one in row if one]) for step, row in rows if None not in row]

    def _of(self, measured: Iterable[int]) -> Basis:
        """Whether the path, or its ends, were chosen on these instances, or on their problems."""
        if not self.independent:
            return "choice"
        chosen = set(map(self._problem, range(self.measured_on.start)))
        return basis(self.instances, map(self._problem, measured), chosen)

    def _problem(self, step: int) -> Hashable:
        """What the costs at a step are one observation of."""
        return self.instances.label_at(step, self.seed)


def _places(n: int) -> Instances:
    """Places of instances, for a race whose rows are numbered from 0."""
    return Instances(range(n), order="listed")


def _share(gain: Gain | None, total: Gain | None) -> float | None:
    """The share of the whole gain; None where either is unknown or the whole is 0."""
    whole = None if total is None else total.estimate
    if gain is None or gain.estimate is None or whole is None or whole <= 0:
        return None
    return gain.estimate / whole


def _in_words(before: Configuration, after: Configuration, names: tuple[str, ...]) -> str:
    """The changes of a step; those of other parameters, which follow, are in brackets."""
    own: list[str] = []
    rest: list[str] = []
    for name in dict.fromkeys([*before, *after]):
        if before.get(name) != after.get(name):
            text = f"{name}: {value_text(before.get(name))} → {value_text(after.get(name))}"
            (own if name in names else rest).append(text)
    return "; ".join(own) + (f" ({'; '.join(rest)})" if rest else "")


# --- the next steps on a path ----------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Move:
    """One step towards a configuration.

    Attributes
    ----------
    names
        The parameters that take the value that they have there. More than one where none of them
        can change alone, as the space forbids it.
    values
        The configuration after it. Parameters that the change makes active have the value of the
        configuration that it leads to; those that it makes inactive are gone.
    """

    names: tuple[str, ...]
    values: Values


def differing(
    space: Space, one: Configuration, other: Configuration
) -> dict[str, tuple[Value | None, Value | None]]:
    """Parameter → its values in two configurations, where they differ; None = inactive."""
    keys = zip(space, space.key(one), space.key(other), strict=True)
    return {name: (one.get(name), other.get(name)) for name, a, b in keys if a != b}


def moves(space: Space, current: Configuration, target: Configuration) -> list[Move]:
    """The smallest changes of a configuration that bring it nearer to another one.

    One for each parameter that can change alone. A parameter that cannot, since the configuration
    would not be allowed, changes with one that a clause, a bound or a condition joins it to, or
    with all of these. Where nothing smaller is allowed, everything changes at once.

    Parameters
    ----------
    current, target
        Two different configurations of the space.

    Returns
    -------
    list of Move
        Never empty; no two lead to the same configuration.
    """
    wanted = [name for name in differing(space, current, target) if name in target]
    related = _related(space)
    here = space.key(current)
    found: dict[tuple[object, ...], Move] = {}
    for name in wanted:
        others = [one for one in wanted if one in related[name] and one != name]
        for group in _groups(name, others):
            values = _moved(space, current, target, group)
            if values is None:
                continue  # not allowed: with others perhaps
            if (key := space.key(values)) != here:
                found.setdefault(key, Move(names=group, values=values))
            break
    if not found:
        everything = tuple(wanted) or tuple(differing(space, current, target))
        return [Move(names=everything, values=dict(target))]
    return list(found.values())


def _groups(name: str, others: list[str]) -> Iterator[tuple[str, ...]]:
    """A parameter alone, with each of the others, with all of them."""
    yield (name,)
    for other in others:
        yield name, other
    if len(others) > 1:
        yield name, *others


def _moved(
    space: Space, current: Configuration, target: Configuration, group: Iterable[str]
) -> Values | None:
    """The configuration with these parameters as the target has them; None if not allowed."""
    values = {**target, **current, **{name: target[name] for name in group}}
    try:
        return space.complete(values, lenient=True)
    except InputError:
        return None


def _related(space: Space) -> Mapping[str, set[str]]:
    """Parameter → those connected to it by clauses, bounds or conditions, also indirectly."""
    together = chain(
        (set(names(clause)) for clause in space.structure.forbidden),
        ({name, *parents} for name, parents in space.structure.parents.items()),
    )
    found = {name: {name} for name in space}
    for group in together:
        joined = set().union(*(found[name] for name in group)) if group else set()
        for name in joined:
            found[name] = joined
    return found
