"""The scheme of iterated racing: the sequence of races, and the arguments of each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from racing.base.seeds import Purpose, stream
from racing.rules.rule import Rule
from racing.search.confirmation import Confirmation
from racing.search.iterated import planning
from racing.search.iterated.capping import Capping
from racing.search.iterated.estimation import Estimation
from racing.search.iterated.iteration import Iteration
from racing.search.iterated.model import Shape
from racing.search.iterated.newcomers import Generation, Newcomers
from racing.search.iterated.planning import MOST, Planned
from racing.search.iterated.selection import Selection, finalists
from racing.search.iterated.settings import IteratedSettings
from racing.search.iterated.terms import RaceOrder, Terms
from racing.search.phase import Phase, SearchContext
from racing.search.single_race import SingleRace, race_instead

_UNKNOWN = 10**9
"""Assumed evaluations, until it is known how many a limit of time allows."""


class Scheme:
    """A sequence of races, each around the elites of the one before.

    Attributes
    ----------
    generation
        The state after the races so far.
    capping
        Bounds runs; None where costs are no running times.
    """

    def __init__(self, context: SearchContext, options: IteratedSettings, rule: Rule) -> None:
        self._context, self._options, self._rule = context, options, rule
        shape = Shape.of(context.trials.coding.space)
        self._rounds = planning.rounds(shape.parameters)
        self._survivors = options.min_survivors or self._rounds
        self.generation = Generation(iterations=options.iterations or self._rounds)
        self._newcomers = Newcomers(context.trials, shape, options)
        self.capping: Capping | None = None
        if options.bound is not None:
            self.capping = Capping(
                most=options.bound, statistic=options.capping, min_time=options.min_time
            )

    # --- from race to race ------------------------------------------------------------------

    def first(self) -> Phase:
        """The first race; if only time is limited, the estimation before it."""
        evaluations, options = self._context.account.evaluations, self._options
        wanted = self.generation.iterations
        covered = planning.affordable(options, self._survivors, wanted, evaluations)
        first = self._planned(iterations=max(covered, 1))
        if first is None or self._context.trials.coding.space.size <= first.configurations:
            return self._single_race(first.configurations if first else 0)
        if math.isinf(evaluations):
            return Estimation(
                self._context, instances=options.first_test, share=options.estimation, most=MOST
            )
        self._fit(covered)
        return self._first_race(first, [])

    def after(self, phase: Phase) -> Phase:
        """The next race; at the end the race of all elites, and the confirmation."""
        if isinstance(phase, Selection):
            return self._confirmation(phase.elites, phase.steps)
        if phase.why is not None:
            self._count(phase, phase.elites)
            return self._confirmation(phase.elites, phase.steps)
        if isinstance(phase, Estimation) and (planned := self._plan_anew()):
            return self._first_race(planned, phase.ids)
        self._count(phase, phase.elites)
        return self._next_race(phase.elites, phase.steps)

    def extension(self, phase: Phase) -> Phase:
        """As many races again, from the current elites."""
        elites, steps = tuple(phase.elites), phase.steps
        if isinstance(phase, Confirmation):
            elites, steps = phase.racing, phase.met
        self._count(phase, elites)
        more = self._options.iterations or self._rounds
        self.generation = replace(self.generation, iterations=self.generation.races + more)
        return self._next_race(elites, steps)

    def _count(self, phase: Phase, elites: Sequence[int]) -> None:
        """Note the elites of a race."""
        elites = tuple(elites[: self._survivors])
        if isinstance(phase, Iteration) and not isinstance(phase, Selection):
            self.generation = self.generation.after(elites)
        self.generation = replace(self.generation, elites=elites)

    def _next_race(self, elites: Sequence[int], steps: Sequence[int]) -> Phase:
        """Another race; if the budget covers none, the last race or the confirmation."""
        elites = list(elites[: self._survivors])
        if further := self._further_race(elites, steps):
            return further
        account, runs = (
            self._context.account,
            (self._survivors + 1) * self._options.planned_instances,
        )
        if not self._planned_all and self._planned(elites=len(elites), steps=steps) is None:
            runs = max(runs, account.room + 1)  # what is left does not make a race
        if (reason := account.refusal(runs)) is not None:
            self._context.limits_reached.append(reason)
        return self._selection(elites, steps) or self._confirmation(elites, steps)

    # --- number and size of races -----------------------------------------------------------

    def _fit(self, covered: int) -> None:
        """Plan as many races as the budget covers."""
        wanted = self.generation.iterations
        if not 0 < covered < wanted:
            return
        self.generation = replace(self.generation, iterations=covered)
        needed = planning.least(self._options, self._survivors, wanted)
        self._context.notes[:] = [
            f"{wanted} races would need {needed} evaluations, and irace refuses this budget: "
            f"{covered} {'is' if covered == 1 else 'are'} planned"
        ]

    def _plan_anew(self) -> Planned | None:
        """The first race, planned with the measured time of an evaluation."""
        wanted, evaluations = self.generation.iterations, self._context.account.evaluations
        self._fit(planning.affordable(self._options, self._survivors, wanted, evaluations))
        return self._planned()

    @property
    def _planned_all(self) -> bool:
        """Whether there were as many races as the user asked for."""
        return self._options.iterations is not None and (
            self.generation.races >= self.generation.iterations
        )

    def _planned(
        self, *, elites: int = 0, steps: Sequence[int] = (), iterations: int | None = None
    ) -> Planned | None:
        """The plan of the next race; None if the budget does not cover it."""
        number, options, account = self.generation.races + 1, self._options, self._context.account
        if self._planned_all:
            return None
        limit = self._context.constants.limit
        return planning.planned(
            options,
            number=number,
            iterations=max(iterations or self.generation.iterations, number),
            remaining=_UNKNOWN if math.isinf(account.evaluations) else account.room,
            survivors=self._survivors,
            elites=elites,
            old=len(steps),
            new=int(min(options.new_instances, limit - len(steps))),
        )

    # --- the phases -------------------------------------------------------------------------

    def _single_race(self, size: int) -> SingleRace:
        """A single race, if the space or the budget is too small for iterations."""
        if self._context.trials.coding.space.size <= size:
            why = "the space has no more than {n} configurations: all of them are raced"
        else:
            needed = planning.least(self._options, self._survivors, 1)
            why = (
                f"{self._context.account.budget.evaluations} evaluations are too few for iterated "
                f"racing, which needs {needed} with these options: "
                + "{n} configurations are raced"
            )
        return race_instead(self._context, why, size)

    def _first_race(self, planned: Planned, known: list[int]) -> Iteration:
        """The given configurations, those of the estimation, and a Sobol sequence."""
        trials, design = self._context.trials, self._context.design
        ids = list(known) or [trials.enter(draw) for draw in design.given]
        for draw in design.take(planned.configurations - len(ids)):
            ids.append(trials.enter(draw))
        terms = self._terms(1, planned.evaluations, RaceOrder())
        return Iteration(self._context, terms, ids)

    def _further_race(self, elites: list[int], steps: Sequence[int]) -> Iteration | None:
        """The elites and new configurations; None if the budget or the space is used up."""
        planned = self._planned(elites=len(elites), steps=steps)
        if planned is None:
            return None
        drawn = planned.configurations - len(elites)
        self.generation, new = self._newcomers.draw(self.generation, planned.number, drawn)
        if not new:
            return None
        terms = self._terms(planned.number, planned.evaluations, self._order(planned, steps))
        return Iteration(self._context, terms, [*elites, *new], elites, steps)

    def _selection(self, elites: list[int], steps: Sequence[int]) -> Selection | None:
        """The race of the elites of all races; None if it cannot run."""
        options, account = self._options, self._context.account
        if not (options.post_selection and options.elitist) or account.budget.timed:
            return None
        others = [id for id in self.generation.finalists if id not in elites]
        missing = [len(account.unpaid((id, step) for step in steps)) for id in others]
        room = account.room
        ids = finalists(elites, others, missing, room=room, each_test=options.each_test)
        if len(ids) < 2:
            return None
        number = self.generation.races + 1
        order = RaceOrder(self._shuffled(steps, number), 0, max(steps) + 1)
        terms = self._terms(number, room, order)
        return Selection(self._context, terms, ids, elites, steps)

    def _confirmation(self, elites: Sequence[int], steps: Sequence[int]) -> Confirmation:
        """The best elite and the default on fresh instances."""
        self._context.account.release(1.0)
        return Confirmation(self._context, elites, max(steps, default=-1) + 1, met=steps)

    def _terms(self, number: int, evaluations: int, order: RaceOrder) -> Terms:
        options = self._options
        return Terms(
            number=number,
            evaluations=evaluations,
            order=order,
            rule=self._rule,
            first_test=options.first_test,
            each_test=options.each_test,
            survivors=self._survivors,
            idle=options.elitist_limit if options.elitist else 0,
            capping=self.capping,
        )

    def _order(self, planned: Planned, steps: Sequence[int]) -> RaceOrder:
        """Some new instances, then the past ones; without elitism, new ones while they last."""
        first = max(steps, default=-1) + 1
        if not self._options.elitist:
            enough = self._context.constants.limit - first >= self._options.first_test
            return RaceOrder(first=first if enough else 0)
        return RaceOrder(self._shuffled(steps, planned.number), planned.new, first)

    def _shuffled(self, steps: Sequence[int], number: int) -> tuple[int, ...]:
        """The past instances, in the order of one race."""
        trials = self._context.trials
        if trials.instances.order == "listed":
            return tuple(steps)
        rng = stream(trials.seed, Purpose.CATCH_UP, number)
        return tuple(int(step) for step in rng.permutation(list(steps)))
