"""Iterated racing: races one after the other, each around the elites of the one before."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from racing.budget import Budget
from racing.candidate import Candidate
from racing.errors import InputError, show
from racing.instances import Instances
from racing.objective import Objective
from racing.quantities import Direction
from racing.rules.f_test import FTest
from racing.rules.rule import Rule
from racing.rules.t_test import TTest
from racing.search import arguments
from racing.search.confirmation import Confirmation
from racing.search.elites import block_results
from racing.search.iterated import planning
from racing.search.iterated.capping import Capping
from racing.search.iterated.estimation import Estimation
from racing.search.iterated.generation import Generation
from racing.search.iterated.iteration import Iteration
from racing.search.iterated.newcomers import Newcomers
from racing.search.iterated.order import RaceOrder
from racing.search.iterated.planning import MOST, Planned
from racing.search.iterated.selection import Selection, finalists
from racing.search.iterated.settings import IteratedSettings
from racing.search.iterated.shape import Shape
from racing.search.iterated.terms import Terms
from racing.search.phase import Phase
from racing.search.search import Search
from racing.search.settings import Settings
from racing.seeds import Purpose, stream
from racing.space import Configuration, Space
from racing.standing import Standing, ranking


class IteratedRacing(Search):
    """Elitist iterated racing as irace 4.4 does it, driven by ask and tell like any search::

        search = IteratedRacing(space, instances, budget=1000)
        while not search.done:
            for experiment in search.ask():
                search.tell(experiment, cost_of(experiment))
        search.winner

    Races follow one another. The first one has known configurations, the default and a Sobol
    sequence; its best are the elites. Each race after it has the elites and new configurations,
    drawn around them by models that become narrower from race to race. In the end the elites of all
    races meet in a last one. This is the scheme of López-Ibáñez et al. (2016), The irace package,
    Operations Research Perspectives 3, 43–58. `Search` is usually better at the same budget, and
    keeps more workers busy; see `docs/iterated.md`.

    What it comes to is a function of the arguments and of the outcomes told, not of their order.
    Where irace refuses a budget as too small, there are fewer races, and `notes` says so.

    Parameters
    ----------
    space, instances, budget, seed, known, direction
        As for `Search`.
    objective
        What "best" means; `rank` by default, `mean` with the rule `t-test`.
    rule
        Drops configurations in the races; `f-test` by default, `t-test` where runs are capped.
    settings
        How the budget is spent.

    Raises
    ------
    InputError
        If something is not what it should be, or there is no limit that would end the search.
    """

    def __init__(
        self,
        space: Space,
        instances: Instances | Sequence[object],
        *,
        budget: Budget | int | Mapping[str, float],
        seed: int = 1,
        known: Iterable[Configuration | Candidate] = (),
        objective: Objective | None = None,
        direction: Direction = "minimize",
        rule: Rule | str | Mapping[str, object] | None = None,
        settings: IteratedSettings | None = None,
    ) -> None:
        settings = settings or IteratedSettings()
        if not isinstance(settings, IteratedSettings):
            raise InputError(f"settings is {show(settings)}; expected IteratedSettings(...)")
        self.options = settings
        default = FTest() if settings.bound is None else TTest()
        judge = arguments.judging(rule) or default
        super().__init__(
            space,
            instances,
            budget=budget,
            seed=seed,
            window=1,
            known=known,
            objective=objective or ("mean" if isinstance(judge, TTest) else "rank"),
            direction=direction,
            rule=judge,
            settings=Settings(finish=0.0, confirm=settings.confirm),
        )
        self._judge = judge
        self._shape = Shape.of(space)
        self._survivors = settings.min_survivors or planning.rounds(self._shape.parameters)
        wanted = settings.iterations or planning.rounds(self._shape.parameters)
        self._generation = Generation(iterations=wanted)
        self._newcomers = Newcomers(self._book, self._shape, settings)
        self._steps: Sequence[int] = ()
        self._capping: Capping | None = None
        if settings.bound is not None:
            self._capping = Capping(
                most=settings.bound, statistic=settings.capping, min_time=settings.min_time
            )

    @property
    def iterations(self) -> int:
        """How many races are over, without the last one of the elites of all."""
        return self._generation.races

    def ranking(self) -> tuple[Standing, ...]:
        """Where the elites stand among each other, the best first."""
        ids, steps = [one.id for one in self.elites], self._known_steps
        if not ids or not steps:
            return ()
        book, capping = self._book, self._capping
        costs = capping.costs(book, ids, steps) if capping else book.costs(ids, steps)
        return ranking(block_results(costs, ids), book.candidates, self.objective)

    @property
    def _known_steps(self) -> Sequence[int]:
        """The steps that the elites have met."""
        if self._phase is None:
            return self._steps
        if isinstance(self._phase, Confirmation):
            return self._phase.steps
        return _steps_of(self._phase)

    # --- from race to race ------------------------------------------------------------------

    def _begin(self) -> None:
        """Begin the first race, once; or estimate how long an evaluation takes."""
        if self._phase is not None or self.done:
            return
        evaluations, options = self._ledger.evaluations, self.options
        covered = planning.affordable(
            options, self._survivors, self._generation.iterations, evaluations
        )
        first = self._planned(iterations=max(covered, 1))
        if first is None or self.space.size <= first.configurations:
            size = first.configurations if first else 0
            self._phase = self._race_instead(self._why_no_iterations(size), size)
        elif math.isinf(evaluations):
            self._phase = Estimation(
                self._desk,
                self._design,
                instances=options.first_test,
                share=options.estimation,
                most=MOST,
            )
        else:
            self._fit(covered)
            self._phase = self._first_race(first, [])
        self._go_on()

    def _why_no_iterations(self, size: int) -> str:
        """Why there is one plain race, with {n} for the number of its candidates."""
        if self.space.size <= size:
            return "the space has no more than {n} configurations: all of them are raced"
        needed = planning.least(self.options, self._survivors, 1)
        return (
            f"{self.budget.evaluations} evaluations are too few for iterated racing, which needs "
            f"{needed} with these options: " + "{n} configurations are raced"
        )

    def _fit(self, covered: int) -> None:
        """Plan as many races as the budget covers."""
        wanted = self._generation.iterations
        if not 0 < covered < wanted:
            return
        self._generation = replace(self._generation, iterations=covered)
        needed = planning.least(self.options, self._survivors, wanted)
        self.notes = (
            f"{wanted} races would need {needed} evaluations, which irace would insist on: "
            f"{covered} {'is' if covered == 1 else 'are'} planned",
        )

    def _planned(
        self, *, elites: int = 0, steps: Sequence[int] = (), iterations: int | None = None
    ) -> Planned | None:
        """What the next race may spend; None if the budget does not cover it."""
        number, options = self._generation.races + 1, self.options
        if options.iterations is not None and number > self._generation.iterations:
            return None
        room = self._ledger.room
        if math.isinf(self._ledger.evaluations):
            room = 10**9  # not known yet
        limit = self._desk.rules.limit
        return planning.planned(
            options,
            number=number,
            iterations=max(iterations or self._generation.iterations, number),
            remaining=room,
            survivors=self._survivors,
            elites=elites,
            old=len(steps),
            new=int(min(options.new_instances, limit - len(steps))),
        )

    def _terms(self, number: int, evaluations: int, order: RaceOrder) -> Terms:
        options = self.options
        return Terms(
            number=number,
            evaluations=evaluations,
            order=order,
            rule=self._judge,
            first_test=options.first_test,
            each_test=options.each_test,
            survivors=self._survivors,
            idle=options.elitist_limit if options.elitist else 0,
            capping=self._capping,
        )

    def _first_race(self, planned: Planned, known: list[int]) -> Iteration:
        """The given configurations, those of the estimation, and a Sobol sequence."""
        book, design = self._book, self._design
        ids = list(known) or [book.enter(draw) for draw in design.given]
        for draw in design.take(planned.configurations - len(ids)):
            ids.append(book.enter(draw))
        terms = self._terms(1, planned.evaluations, RaceOrder())
        return Iteration(self._desk, terms, ids)

    def _next(self, phase: Phase) -> Phase:
        """The race after one that is over; in the end the elites of all, and the confirmation."""
        self._book.queue.clear()
        self._steps = _steps_of(phase)
        if isinstance(phase, Selection):
            return self._confirmation(phase.elites)
        if phase.why is not None:
            self._count(phase, phase.elites)
            return self._confirmation(phase.elites)
        if isinstance(phase, Estimation):
            wanted = self._generation.iterations
            evaluations = self._ledger.evaluations
            self._fit(planning.affordable(self.options, self._survivors, wanted, evaluations))
            if planned := self._planned():
                return self._first_race(planned, phase.ids)
        self._count(phase, phase.elites)
        return self._race_on(phase.elites)

    def _extension(self, phase: Phase) -> Phase:
        """As many races again, from the elites that there are."""
        if isinstance(phase, Confirmation):
            elites, self._steps = phase.racing, phase.met
        else:
            elites, self._steps = tuple(phase.elites), self._known_steps
        self._count(phase, elites)
        options, generation = self.options, self._generation
        more = options.iterations or planning.rounds(self._shape.parameters)
        self._generation = replace(generation, iterations=generation.races + more)
        return self._race_on(elites)

    def _count(self, phase: Phase, elites: Sequence[int]) -> None:
        """Note who came out of a race."""
        elites = tuple(elites[: self._survivors])
        if isinstance(phase, Iteration) and not isinstance(phase, Selection):
            self._generation = self._generation.after(elites)
        self._generation = replace(self._generation, elites=elites)

    def _race_on(self, elites: Sequence[int]) -> Phase:
        """Another race; without a budget for one the last, or the confirmation."""
        elites = list(elites[: self._survivors])
        if further := self._further_race(elites, self._steps):
            return further
        runs = (self._survivors + 1) * self.options.planned_instances
        if (reason := self._ledger.refusal(runs)) is not None:
            self._reasons.append(reason)
        return self._selection(elites) or self._confirmation(elites)

    def _further_race(self, elites: list[int], steps: Sequence[int]) -> Iteration | None:
        """The elites and new configurations; None if the budget or the space is used up."""
        planned = self._planned(elites=len(elites), steps=steps)
        if planned is None:
            return None
        drawn = planned.configurations - len(elites)
        self._generation, new = self._newcomers.draw(self._generation, planned.number, drawn)
        if not new:
            return None
        terms = self._terms(planned.number, planned.evaluations, self._order(planned, steps))
        return Iteration(self._desk, terms, [*elites, *new], elites, steps)

    def _order(self, planned: Planned, steps: Sequence[int]) -> RaceOrder:
        """Some new instances, then the past ones; without elitism new ones as far as there are."""
        first = max(steps, default=-1) + 1
        if not self.options.elitist:
            enough = self._desk.rules.limit - first >= self.options.first_test
            return RaceOrder(first=first if enough else 0)
        return RaceOrder(self._shuffled(steps, planned.number), planned.new, first)

    def _shuffled(self, steps: Sequence[int], number: int) -> tuple[int, ...]:
        if self.instances.order == "listed":
            return tuple(steps)
        rng = stream(self.seed, Purpose.CATCH_UP, number)
        return tuple(int(step) for step in rng.permutation(list(steps)))

    def _selection(self, elites: list[int]) -> Selection | None:
        """The race of the elites of all races; None if it makes no sense."""
        options, room = self.options, self._ledger.room
        if not (options.post_selection and options.elitist) or self.budget.timed:
            return None
        others = [id for id in self._generation.finalists if id not in elites]
        missing = [len(self._ledger.unpaid((id, step) for step in self._steps)) for id in others]
        ids = finalists(elites, others, missing, room=room, each_test=options.each_test)
        if len(ids) < 2:
            return None
        number = self._generation.races + 1
        order = RaceOrder(self._shuffled(self._steps, number), 0, max(self._steps) + 1)
        return Selection(self._desk, self._terms(number, room, order), ids, elites, self._steps)

    def _confirmation(self, elites: Sequence[int]) -> Confirmation:
        self._ledger.release(1.0)
        instances = max(self._steps, default=-1) + 1
        return Confirmation(self._desk, elites, instances, self.baseline, met=self._steps)


def _steps_of(phase: Phase) -> Sequence[int]:
    """The steps that the elites of a part have all met."""
    found: Sequence[int] = getattr(phase, "steps", range(phase.instances))
    return found
