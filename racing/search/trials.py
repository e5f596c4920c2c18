"""The candidates of a search, their outcomes, and the queue of experiments."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from racing.base.errors import InputError, RaceError
from racing.core.ask_tell import check_limit, not_out, stranger, told_twice
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Experiment, Instance, Outcome
from racing.core.failures import WORST, Failures
from racing.core.goal import Goal
from racing.core.instances import Instances
from racing.core.objective import Objective
from racing.core.results import Results
from racing.core.verdict import Verdict
from racing.search.block import Block
from racing.search.coding import Coding, Draw
from racing.search.division import Division

Floats = NDArray[np.float64]
Key = tuple[int, int]

_SAME = 1e-9
"""The largest difference of a draw between machines, on the unit scale."""

REPEATS = 3
"""The least number of equal repeats from which the seed is known to change nothing."""


class Batch:
    """Experiments that the search waits for together."""

    __slots__ = ("missing",)

    def __init__(self) -> None:
        self.missing = 0

    @property
    def complete(self) -> bool:
        """Whether every outcome is there."""
        return self.missing == 0


class TaskQueue:
    """Hands out experiments, each once, those with the lowest priority number first."""

    def __init__(self) -> None:
        self._heap: list[tuple[int, int, Experiment]] = []
        self._order = 0
        self._priority: dict[Key, int] = {}
        self._waiting: dict[Key, list[Batch]] = {}
        self._out: dict[Key, Experiment] = {}

    def __len__(self) -> int:
        return len(self._heap)

    @property
    def out(self) -> tuple[Experiment, ...]:
        """The experiments handed out that have no outcome yet."""
        return tuple(self._out.values())

    @property
    def unwanted(self) -> tuple[Experiment, ...]:
        """The experiments handed out that no batch waits for."""
        return tuple(one for key, one in self._out.items() if key not in self._waiting)

    def want(self, experiment: Experiment, batch: Batch, priority: int) -> None:
        """Queue an experiment unless it is queued or out already; the batch waits for it."""
        batch.missing += 1
        key = experiment.key
        if key in self._waiting:
            self._waiting[key].append(batch)
            return
        self._waiting[key] = [batch]
        self._priority[key] = priority
        if key not in self._out:
            self._push(experiment)

    def take(self, limit: int | None) -> list[Experiment]:
        """Up to `limit` experiments."""
        check_limit(limit)
        taken: list[Experiment] = []
        while self._heap and (limit is None or len(taken) < limit):
            experiment = heapq.heappop(self._heap)[2]
            if experiment.key in self._waiting and experiment.key not in self._out:
                self._out[experiment.key] = experiment
                taken.append(experiment)
        return taken

    def answered(self, key: Key) -> bool:
        """Note an outcome; returns whether a batch waited for it."""
        self._out.pop(key, None)
        self._priority.pop(key, None)
        batches = self._waiting.pop(key, ())
        for batch in batches:
            batch.missing -= 1
        return bool(batches)

    def lost(self, experiment: Experiment) -> None:
        """Queue again experiments that were handed out and got lost."""
        if self._out.pop(experiment.key, None) is None:
            raise not_out(experiment, len(self._out))
        if experiment.key in self._waiting:
            self._push(experiment)

    def clear(self) -> None:
        """Empty the queue and the batches; experiments handed out stay out."""
        self._heap.clear()
        self._waiting.clear()
        self._priority.clear()

    def _push(self, experiment: Experiment) -> None:
        self._order += 1
        heapq.heappush(self._heap, (self._priority[experiment.key], self._order, experiment))


class Trials:
    """Candidates by id with their points, outcomes by (id, row), and the queue of tasks.

    Phases speak of rows, see `Division`: here alone they become the steps of instances, and back.

    Attributes
    ----------
    team
        Members of a portfolio, whose outcomes count for every candidate: its cost on an instance is
        the lowest of its own and theirs. Empty in a search for one configuration.
    """

    def __init__(
        self,
        coding: Coding,
        instances: Instances,
        seed: int,
        goal: Goal | None = None,
        failures: Failures = WORST,
        *,
        aside: float | None = 0,
    ) -> None:
        self.coding, self.instances, self.seed = coding, instances, seed
        self.division = Division(instances, seed, aside)
        self.goal, self.failures = goal, failures
        self.team: tuple[int, ...] = ()
        self.queue = TaskQueue()
        self.entrants: list[Entrant] = []
        self.candidates: dict[int, Candidate] = {}
        self.points: dict[int, Floats] = {}
        self.recorded: dict[tuple[int, int], Outcome] = {}
        self.logged: Mapping[int, Entrant] = {}
        self._by_candidate: dict[int, list[Outcome]] = {}
        self._met: dict[int, Instance] = {}

    # --- candidates -------------------------------------------------------------------------

    def enter(self, draw: Draw, *, id: int | None = None, entered: int = 0) -> int:
        """Add a draw as a candidate; returns its id.

        Parameters
        ----------
        id
            The next by default.
        entered
            The number of decisions before it.
        """
        id = len(self.candidates) + 1 if id is None else id
        candidate = Candidate(id, draw.values, name=draw.name, parent=draw.parent)
        entrant = Entrant(
            candidate=candidate, origin=draw.origin, draw=draw.address, entered=entered
        )
        if id in self.logged:
            entrant = self._as_logged(entrant, self.logged[id])
        self.entrants.append(entrant)
        self.candidates[id], self.points[id] = entrant.candidate, draw.point
        return id

    def _as_logged(self, drawn: Entrant, logged: Entrant) -> Entrant:
        """The candidate of the log, checked to equal the draw up to rounding.

        Raises
        ------
        RaceError
            If it is not.
        """
        ours, theirs = drawn.candidate, logged.candidate
        if ours.values != theirs.values and not self._alike(ours, theirs):
            raise RaceError(
                f"candidate {ours.id} is {dict(ours.values)} here and {dict(theirs.values)} in the "
                "log: the log was written by another scenario, or by a version that draws "
                "differently; continue it with that one"
            )
        return logged

    def _alike(self, ours: Candidate, theirs: Candidate) -> bool:
        """Whether two candidates are equal up to rounding."""
        try:
            mine, logged = self.coding.point(ours.values), self.coding.point(theirs.values)
        except InputError:
            return False
        return np.allclose(mine, logged, rtol=0, atol=_SAME, equal_nan=True)

    # --- instances and outcomes -------------------------------------------------------------

    def instance(self, row: int) -> Instance:
        """The instance of a row."""
        if row not in self._met:
            self._met[row] = self.instances.at(self.division.step(row), self.seed)
        return self._met[row]

    def grow(self, more: Instances) -> Instances:
        """Add instances to the stream; returns all.

        Raises
        ------
        RaceError
            If the seed changes no cost: then later passes have no rows.
        """
        if self.division.closed is not None:
            raise RaceError(
                "the seed changes no cost of its instances, so no more can be added: begin a new "
                "run with all of them, and let it `reuse` the log of this one"
            )
        begun = 1 + max((self.division.step(row) for _, row in self.recorded), default=-1)
        self.instances = grown = self.instances.grown(more, begun)
        self.division.grow(grown)
        self._met.clear()
        return grown

    def problems(self, rows: Iterable[int]) -> list[Hashable]:
        """The problem of each row; costs on one problem are one observation of it."""
        return [self.instances.labels[self.instance(row).number - 1] for row in rows]

    def steps(self, rows: Sequence[int]) -> Sequence[int]:
        """The steps of these rows."""
        return [self.division.step(row) for row in rows] if self.division.aside else rows

    def in_steps(self, verdict: Verdict) -> Verdict:
        """A verdict about rows, with the steps of these."""
        if not self.division.aside:
            return verdict
        rows = range(verdict.instances) if verdict.steps is None else verdict.steps
        return replace(verdict, steps=tuple(self.steps(rows)))

    def want(self, ids: Iterable[int], rows: Iterable[int], *, priority: int = 0) -> Batch:
        """Queue these candidates on these instances, as far as they have not run."""
        ids = list(ids)
        return self.want_pairs([(id, row) for row in rows for id in ids], priority=priority)

    def missing(self, ids: Iterable[int], rows: Iterable[int]) -> list[tuple[int, int]]:
        """The (candidate, row) pairs without an outcome."""
        ids = list(ids)
        return [(id, row) for row in rows for id in ids if (id, row) not in self.recorded]

    def complete(self, ids: Iterable[int], rows: Iterable[int]) -> list[int]:
        """The rows among these that all of these candidates have met."""
        ids = list(ids)
        return [row for row in rows if all((id, row) in self.recorded for id in ids)]

    def want_pairs(
        self, pairs: Iterable[tuple[int, int]], *, priority: int = 0, bound: float | None = None
    ) -> Batch:
        """Queue (candidate, row) pairs, as far as they have not run.

        Parameters
        ----------
        bound
            Of the cost of each; see `Experiment`.
        """
        batch = Batch()
        for id, row in pairs:
            if (id, row) not in self.recorded:
                experiment = Experiment(self.candidates[id], self.instance(row), bound)
                self.queue.want(experiment, batch, priority)
        return batch

    def record(self, outcome: Outcome) -> None:
        """Keep an outcome.

        Raises
        ------
        RaceError
            If the candidate is unknown, or the outcome was recorded before.
        InputError
            If there is no such instance.
        """
        if outcome.candidate not in self.candidates:
            raise RaceError(stranger(outcome, "search"))
        row = self.division.row(outcome.step)
        if (outcome.candidate, row) in self.recorded:
            raise RaceError(told_twice(outcome))
        self.instance(row)
        inside = outcome if row == outcome.step else replace(outcome, step=row)
        self.recorded[inside.key] = inside
        self._by_candidate.setdefault(outcome.candidate, []).append(inside)
        self.queue.answered(outcome.key)

    def witnesses(self, ids: Sequence[int], row: int) -> list[int]:
        """Those who can tell whether this row repeats what is known of its problem.

        `REPEATS` of these candidates, all with different costs there, tell it: few levels of cost
        are often equal by chance.
        """
        before = self.earlier(row)
        if before is None or self.missing(ids, [before]):
            return []
        costs = {self.recorded[id, before].cost: id for id in reversed(ids)}
        found = [id for id in ids if id in costs.values() and self.recorded[id, before].succeeded]
        return found[:REPEATS] if len(found) >= REPEATS else []

    def repeats(self, ids: Sequence[int], rows: Sequence[int]) -> bool:
        """Whether all these candidates have the costs on these rows that were known of them.

        `REPEATS` different costs tell it.
        """
        told = [
            (self.recorded[id, before], self.recorded[id, row])
            for row in rows
            if (before := self.earlier(row)) is not None
            for id in ids
            if not self.missing([id], [before, row])
        ]
        same = all((a.cost, a.metrics) == (b.cost, b.metrics) for a, b in told)
        return same and len({a.cost for a, _ in told if a.succeeded}) >= REPEATS

    def known_again(self, met: int, most: float) -> int | None:
        """The first row with a known problem, after `met` rows and before a second pass begins.

        None if the second pass begins after more than `most` rows.
        """
        for row in range(met, int(min(self.division.limits[0], 2 * most + 1))):
            if (before := self.earlier(row)) is not None and before < met:
                return row if met <= self.second_pass(row).start <= most else None
        return None

    def second_pass(self, row: int) -> range:
        """The rows up to this one with problems that were met before."""
        return range(len({self.instance(one).number for one in range(row + 1)}), row + 1)

    def earlier(self, row: int) -> int | None:
        """The first row of the same problem, if that is another row and has another seed."""
        here = self.instance(row)
        there = next(one for one in range(row + 1) if self.instance(one).number == here.number)
        return there if self.instance(there).seed != here.seed else None

    def costs(self, ids: Sequence[int], rows: Sequence[int]) -> Floats:
        """(rows, ids) costs of a complete block, each with the help of the team."""
        own = self.own_costs(ids, rows)
        if not self.team:
            return own
        team = self.own_costs(self.team, rows).min(axis=1, keepdims=True)
        return np.asarray(np.minimum(own, team))

    def block(self, ids: Sequence[int], rows: Sequence[int], objective: Objective) -> Block:
        """The complete block of these candidates on these instances."""
        costs = self.costs(ids, rows)
        if not self.several:
            return Block(costs, objective, failures=self.failures)
        return Block(costs, objective, self.metrics(ids, rows), self.goal, self.failures)

    @property
    def several(self) -> bool:
        """Whether more than one cost decides."""
        return self.goal is not None and self.goal.kind != "single"

    @property
    def limited(self) -> bool:
        """Whether there are constraints."""
        return self.goal is not None and bool(self.goal.limits)

    def own_costs(self, ids: Sequence[int], rows: Sequence[int]) -> Floats:
        """(rows, ids) costs of a complete block, without a team."""
        recorded = self.recorded
        found = [[recorded[id, row].cost for id in ids] for row in rows]
        return np.array(found).reshape(len(rows), len(ids))

    def metrics(self, ids: Sequence[int], rows: Sequence[int]) -> Floats | None:
        """(rows, ids, metrics) costs of each metric on a complete block; None for one cost."""
        if self.goal is None:
            return None
        failed = (np.inf,) * len(self.goal.names)
        found = [[self.recorded[id, row].metrics or failed for id in ids] for row in rows]
        return np.array(found).reshape(len(rows), len(ids), len(failed))

    def failed(self, ids: Sequence[int], rows: Sequence[int]) -> NDArray[np.bool_]:
        """(rows, ids) what failed, whatever it counts as, on a complete block."""
        found = [[self.recorded[id, row].failed for id in ids] for row in rows]
        return np.array(found, dtype=bool).reshape(len(rows), len(ids))

    def censored(self, id: int, rows: Iterable[int]) -> bool:
        """Whether a run of a candidate on one of these instances was stopped at its bound."""
        return any(self.recorded[id, row].censored for row in rows)

    def outcomes(self, ids: Iterable[int], rows: Sequence[int]) -> list[Outcome]:
        """The known outcomes of these candidates on these instances, with rows as steps."""
        recorded = self.recorded
        found = (recorded.get((id, row)) for id in ids for row in rows)
        return [outcome for outcome in found if outcome is not None]

    def outcomes_of(self, id: int) -> list[Outcome]:
        """All outcomes of a candidate, with rows as steps."""
        return list(self._by_candidate.get(id, ()))

    def results(
        self, survivors: Sequence[int], without: Collection[tuple[int, int]] = ()
    ) -> Results:
        """All costs by step, NaN where not run, with these ids as survivors.

        Parameters
        ----------
        without
            Pairs of a candidate and a row, whose outcomes are left out.
        """
        columns = {id: column for column, id in enumerate(self.candidates)}
        step, goal = self.division.step, self.goal
        end = max((step(row) for _, row in self.recorded), default=-1) + 1
        costs = np.full((end, len(columns)), np.nan)
        failed = np.zeros(costs.shape, dtype=bool)
        metrics = None if goal is None else np.full((*costs.shape, len(goal.names)), np.nan)
        for (id, row), outcome in self.recorded.items():
            if (id, row) not in without:
                place = step(row), columns[id]
                costs[place], failed[place] = outcome.cost, outcome.failed
                if metrics is not None:
                    metrics[place] = outcome.metrics or np.inf
        alive = ~np.isnan(costs)
        for array in (costs, alive, metrics, failed):
            if array is not None:
                array.flags.writeable = False
        places = np.array([columns[id] for id in survivors], dtype=np.intp)
        return Results(
            costs, alive, tuple(columns), places, metrics=metrics, goal=goal,
            failures=self.failures, failed=None if self.failures.cost is None else failed,
        )  # fmt: skip
