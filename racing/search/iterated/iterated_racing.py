"""Iterated racing: the public class, driven by ask and tell like any search, and its races."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from racing.base.errors import InputError, must_be
from racing.base.quantities import Direction
from racing.base.seeds import Purpose, stream
from racing.core.aims import Aim
from racing.core.budget import Budget
from racing.core.candidate import Candidate
from racing.core.failures import OnFailure
from racing.core.instances import Instances
from racing.core.metric import Metric
from racing.core.objective import Objective
from racing.rules.f_test import FTest
from racing.rules.rule import Rule
from racing.rules.t_test import TTest
from racing.search.confirmation import Confirmation
from racing.search.iterated import planning
from racing.search.iterated.capping import Capping
from racing.search.iterated.iteration import (
    Estimation,
    Iteration,
    RaceOrder,
    Selection,
    Terms,
    finalists,
)  # fmt: skip
from racing.search.iterated.newcomers import Generation, Newcomers
from racing.search.iterated.planning import MOST, Planned
from racing.search.iterated.settings import IteratedSettings
from racing.search.phase import Phase
from racing.search.search import SearchBase, judging
from racing.search.settings import Settings
from racing.search.single_race import SingleRace, race_instead
from racing.space import Configuration, Space

Floats = NDArray[np.float64]

_UNKNOWN = 10**9
"""Assumed evaluations, until it is known how many a limit of time allows."""


class IteratedRacing(SearchBase):
    """Elitist iterated racing as in irace 4.4, driven by ask and tell like any search::

        search = IteratedRacing(space, instances, budget=1000)
        while not search.done:
            for experiment in search.ask():
                search.tell(experiment, cost_of(experiment))
        search.winner

    Races follow one another. The first one has known configurations, the default and a Sobol
    sequence; its best are the elites. Each race after it has the elites and new configurations,
    drawn around them by models that become narrower from race to race. A last race compares the
    elites of all races. This is the scheme of López-Ibáñez et al. (2016), The irace package,
    Operations Research Perspectives 3, 43–58. `Search` is usually better at the same budget, and
    keeps more workers busy; see `docs/iterated.md`.

    Its result is a function of the arguments and of the outcomes, not of their order.
    Where irace refuses a small budget, there are fewer races, and `notes` says so.

    Parameters
    ----------
    space, instances, budget, seed, known, direction, metrics, on_failure
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
        If an argument is invalid, or no limit ends the search.

    Examples
    --------
    >>> import racing
    >>> from racing.space import Real, Space
    >>> space = Space({"x": Real(0, 1, default=0.9)})
    >>> search = racing.IteratedRacing(space, range(50), budget=300)
    >>> while not search.done:
    ...     for experiment in search.ask():
    ...         search.tell(experiment, abs(experiment.candidate.values["x"] - 0.3))
    >>> abs(search.winner.values["x"] - 0.3) < 0.05
    True
    """

    def __init__(
        self,
        space: Space,
        instances: Instances | Sequence[object],
        *,
        budget: Budget | int | Mapping[str, float],
        seed: int = 1,
        known: Iterable[Configuration | Candidate] = (),
        objective: Objective | Aim | Mapping[str, object] | None = None,
        direction: Direction = "minimize",
        rule: Rule | str | Mapping[str, object] | None = None,
        settings: IteratedSettings | None = None,
        metrics: Mapping[str, Metric | Mapping[str, Any] | str] | None = None,
        on_failure: OnFailure | Mapping[str, Any] | str = "rate",
    ) -> None:
        options = settings or IteratedSettings()
        if not isinstance(options, IteratedSettings):
            raise InputError(must_be("settings", "IteratedSettings(...)", options))
        if options.bound is not None and metrics is not None:
            raise InputError("bound stops runs at a bound of their one cost, and there are metrics")
        self.options = options
        self._judge = judging(rule) or (FTest() if options.bound is None else TTest())
        self.usual_objective = "mean" if isinstance(self._judge, TTest) else "rank"
        self.serves = options.serves
        super().__init__(
            space, instances, budget=budget, seed=seed, window=1, known=known, objective=objective,
            direction=direction, rule=self._judge, metrics=metrics, on_failure=on_failure,
            settings=Settings(
                finish=0.0, confirm=options.confirm, set_aside=options.set_aside, risk=options.risk
            ),
        )  # fmt: skip
        trials = self._context.trials
        self._newcomers = Newcomers(trials, options)
        self._rounds = planning.rounds(self._newcomers.shape.parameters)
        self._least = options.min_survivors or self._rounds  # survivors of a race
        self._generation = Generation(iterations=options.iterations or self._rounds)
        self._capping: Capping | None = None
        if options.bound is not None:
            self._capping = Capping(
                most=options.bound, statistic=options.capping, min_time=options.min_time
            )

    @property
    def iterations(self) -> int:
        """The number of completed races, without the last race of all elites."""
        return self._generation.races

    def _costs(self, elites: Sequence[int]) -> Floats:
        """(steps, elites) costs; a run that reached its bound counts as the largest."""
        if self._capping is None:
            return super()._costs(elites)
        return self._capping.costs(self._context.trials, elites, self._rows)

    # --- from race to race ------------------------------------------------------------------

    def _first(self) -> Phase:
        """The first race; if only time is limited, the estimation before it."""
        evaluations, options = self._context.account.evaluations, self.options
        covered = planning.affordable(
            options, self._least, self._generation.iterations, evaluations
        )
        first = self._planned(iterations=max(covered, 1))
        if first is None or self.space.size <= first.configurations:
            return self._single_race(first.configurations if first else 0)
        if math.isinf(evaluations):
            return Estimation(
                self._context, instances=options.first_test, share=options.estimation, most=MOST
            )
        self._fit(covered)
        return self._first_race(first, [])

    def _after(self, phase: Phase) -> Phase:
        """The next race; at the end the race of all elites, and the confirmation."""
        if isinstance(phase, Selection):
            return self._confirm(phase.elites, phase.steps)
        if isinstance(phase, Estimation) and phase.why is None and (first := self._plan_anew()):
            return self._first_race(first, phase.ids)
        self._count(phase, phase.elites)
        if phase.why is not None:
            return self._confirm(phase.elites, phase.steps)
        return self._next_race(phase.elites, phase.steps)

    def _extension(self, phase: Phase) -> Phase:
        """As many races again, from the current elites."""
        elites, steps = phase.elites, phase.steps
        if isinstance(phase, Confirmation):
            elites, steps = phase.racing, phase.met
        self._count(phase, elites)
        more = self._generation.races + (self.options.iterations or self._rounds)
        self._generation = replace(self._generation, iterations=more)
        return self._next_race(elites, steps)

    def _count(self, phase: Phase, elites: Sequence[int]) -> None:
        """Note the elites of a race."""
        elites = tuple(elites[: self._least])
        if isinstance(phase, Iteration) and not isinstance(phase, Selection):
            self._generation = self._generation.after(elites)
        self._generation = replace(self._generation, elites=elites)

    def _next_race(self, elites: Sequence[int], steps: Sequence[int]) -> Phase:
        """Another race; if the budget covers none, the last race or the confirmation."""
        elites, account = list(elites[: self._least]), self._context.account
        if further := self._further_race(elites, steps):
            return further
        runs = (self._least + 1) * self.options.planned_instances
        if not self._planned_all and self._planned(elites=len(elites), steps=steps) is None:
            runs = max(runs, account.room + 1)  # what is left does not make a race
        if (reason := account.refusal(runs)) is not None:
            self._context.limits_reached.append(reason)
        return self._selection(elites, steps) or self._confirm(elites, steps)

    # --- number and size of races -----------------------------------------------------------

    def _fit(self, covered: int) -> None:
        """Plan as many races as the budget covers."""
        wanted = self._generation.iterations
        if not 0 < covered < wanted:
            return
        self._generation = replace(self._generation, iterations=covered)
        needed = planning.least(self.options, self._least, wanted)
        self._context.notes[:] = [
            f"{wanted} races would need {needed} evaluations, and irace refuses this budget: "
            f"{covered} {'is' if covered == 1 else 'are'} planned"
        ]

    def _plan_anew(self) -> Planned | None:
        """The first race, planned with the measured time of an evaluation."""
        wanted, evaluations = self._generation.iterations, self._context.account.evaluations
        self._fit(planning.affordable(self.options, self._least, wanted, evaluations))
        return self._planned()

    @property
    def _planned_all(self) -> bool:
        """Whether there were as many races as the user asked for."""
        done = self._generation
        return self.options.iterations is not None and done.races >= done.iterations

    def _planned(
        self, *, elites: int = 0, steps: Sequence[int] = (), iterations: int | None = None
    ) -> Planned | None:
        """The plan of the next race; None if the budget does not cover it."""
        number, account = self._generation.races + 1, self._context.account
        if self._planned_all:
            return None
        left = self._context.limit - len(steps)
        return planning.planned(
            self.options,
            number=number,
            iterations=max(iterations or self._generation.iterations, number),
            remaining=_UNKNOWN if math.isinf(account.evaluations) else account.room,
            survivors=self._least,
            elites=elites,
            old=len(steps),
            new=int(min(self.options.new_instances, left)),
        )

    # --- the phases -------------------------------------------------------------------------

    def _single_race(self, size: int) -> SingleRace:
        """A single race, if the space or the budget is too small for iterations."""
        if self.space.size <= size:
            why = "the space has no more than {n} configurations: all of them are raced"
        else:
            needed = planning.least(self.options, self._least, 1)
            why = (
                f"{self.budget.evaluations} evaluations are too few for iterated racing, which "
                f"needs {needed} with these options: " + "{n} configurations are raced"
            )
        return race_instead(self._context, why, size)

    def _first_race(self, planned: Planned, known: list[int]) -> Iteration:
        """The given configurations, those of the estimation, and a Sobol sequence."""
        trials, design = self._context.trials, self._context.design
        ids = list(known) or [trials.enter(draw) for draw in design.given]
        ids += [trials.enter(draw) for draw in design.take(planned.configurations - len(ids))]
        return Iteration(self._context, self._terms(1, planned.evaluations, RaceOrder()), ids)

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
        return Iteration(self._context, terms, [*elites, *new], elites, steps)

    def _selection(self, elites: list[int], steps: Sequence[int]) -> Selection | None:
        """The race of the elites of all races; None if it cannot run."""
        options, account = self.options, self._context.account
        if not (options.post_selection and options.elitist) or account.budget.timed:
            return None
        others = [id for id in self._generation.finalists if id not in elites]
        missing = [len(account.unpaid((id, step) for step in steps)) for id in others]
        room = account.room
        ids = finalists(elites, others, missing, room=room, each_test=options.each_test)
        if len(ids) < 2:
            return None
        number = self._generation.races + 1
        order = RaceOrder(self._shuffled(steps, number), 0, max(steps) + 1)
        return Selection(self._context, self._terms(number, room, order), ids, elites, steps)

    def _confirm(self, elites: Sequence[int], steps: Sequence[int]) -> Confirmation:
        """The best elite and the default on fresh instances."""
        self._context.account.release(1.0)
        return Confirmation(self._context, elites, max(steps, default=-1) + 1, met=steps)

    def _terms(self, number: int, evaluations: int, order: RaceOrder) -> Terms:
        return Terms(
            options=self.options, number=number, evaluations=evaluations, order=order,
            rule=self._judge, survivors=self._least, capping=self._capping,
        )  # fmt: skip

    def _order(self, planned: Planned, steps: Sequence[int]) -> RaceOrder:
        """Some new instances, then the past ones; without elitism, new ones while they last."""
        first = max(steps, default=-1) + 1
        if not self.options.elitist:
            enough = self._context.limit - first >= self.options.first_test
            return RaceOrder(first=first if enough else 0)
        return RaceOrder(self._shuffled(steps, planned.number), planned.new, first)

    def _shuffled(self, steps: Sequence[int], number: int) -> tuple[int, ...]:
        """The past instances, in the order of one race."""
        if self.instances.order == "listed":
            return tuple(steps)
        rng = stream(self.seed, Purpose.CATCH_UP, number)
        return tuple(int(step) for step in rng.permutation(list(steps)))
