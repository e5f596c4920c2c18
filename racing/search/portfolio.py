"""A portfolio search: several searches in turn, each for a member that the team lacks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from racing.answer.gain import Gain, gain
from racing.base.errors import InputError, RaceError
from racing.core.candidate import Candidate
from racing.core.instances import Instances
from racing.core.stop import Stop
from racing.core.verdict import Verdict
from racing.search.block import Block
from racing.search.confirmation import Confirmation, affordable
from racing.search.elites import displaced, ranked
from racing.search.initial import Initial, initial_size
from racing.search.main_phase import Finish, MainPhase
from racing.search.phase import Phase
from racing.search.sampler import Floats
from racing.search.search import Search
from racing.search.settings import portfolio_refusal
from racing.search.team import (
    Probe,
    TeamRuns,
    Turn,
    after,
    complete,
    promising,
    turns_of,
    worth_a_probe,
)
from racing.space import Parameter, Space
from racing.stats.teams import best_team

ENOUGH = (
    "the instances rank configurations alike, so one configuration is enough: a single search had "
    "the whole budget"
)


class PortfolioSearch(Search):
    """A search for a team of configurations, of which the best one counts on each instance::

        search = PortfolioSearch(space, instances, budget=3000, portfolio=2)
        while not search.done:
            for experiment in search.ask():
                search.tell(experiment, cost_of(experiment))
        search.team, search.team_gain

    At first twelve configurations run on eight instances. If these rank them alike, one
    configuration is enough, and a single search has the whole budget.

    Otherwise one search follows the other, each with an equal share. The first is for the best
    single configuration. In each later one, the cost of a configuration on an instance, with its
    seed, is the lowest of its own and the team's: it looks for what the team lacks. The last share
    revisits the first half of the members: each is sought again beside the others, which were not
    known when it was chosen. All share candidates and outcomes; each evaluation is charged once.

    The team runs on every instance of the first search, and later searches use these instances
    only. At the end the team is the best one of all configurations that have met these, the default
    among them. It runs on fresh instances, with the best single configuration and the default.

    Its result is a function of the arguments and of the outcomes, as that of `Search`. It cannot
    be extended: the shares are those of the budget.

    Xu, Hoos and Leyton-Brown (2010), Hydra: Automatically configuring algorithms for
    portfolio-based selection, Proceedings of AAAI, 210–216. There, each step begins anew.

    Parameters
    ----------
    portfolio
        The number of members, 2 to 8.
    space, instances, budget, options
        As of `Search`. The objective is `mean`; there are no metrics, and no capping.

    Raises
    ------
    InputError
        If an argument is invalid, or the budget or the space is too small.

    Examples
    --------
    >>> from racing.search import PortfolioSearch
    >>> space = {"x": {"real": [0, 1], "default": 0.5}}
    >>> search = PortfolioSearch(space, [0.1, 0.9] * 20, budget=600, portfolio=2)
    >>> while not search.done:
    ...     for one in search.ask():
    ...         search.tell(one, abs(one.candidate.values["x"] - one.instance.problem))
    >>> sorted(round(one.values["x"], 1) for one in search.team)
    [0.1, 0.9]
    """

    def __init__(
        self,
        space: Space | Mapping[str, Parameter | Mapping[str, object]],
        instances: Instances | Sequence[object],
        *,
        portfolio: int,
        **options: Any,
    ) -> None:
        super().__init__(space, instances, **options)
        capped = self.settings.bounds_runs
        several = self.goal is not None
        why = portfolio_refusal(
            portfolio, self.budget.evaluations, self.objective, capped=capped, several=several
        )
        if why:
            raise InputError(why)
        self._size = portfolio
        self._turns, self._turn = turns_of(portfolio), -1
        self._members: list[int] = []
        self._single: int | None = None
        self._met = self._raced = 0
        self._tested: Sequence[int] = ()
        self._same = False
        self._gone: set[int] = set()
        self._limit = self._context.limit
        self._context.decided = self._decide
        first = initial_size(self._context.account.evaluations / (portfolio + 1), self.settings)
        if self.space.size <= (first if math.isfinite(self._share(0)) else first * portfolio):
            raise InputError(
                f"portfolio is {portfolio}, and the space has {self.space.size} configurations, no "
                "more than a search begins with; race all of them, and choose a team of that run "
                "with `racing portfolio`"
            )

    # --- the team ---------------------------------------------------------------------------

    @property
    def portfolio(self) -> int:
        """The number of members; 1 once instances are known to rank configurations alike."""
        return 1 if self._same else self._size

    @property
    def team(self) -> tuple[Candidate, ...]:
        """The members so far, in the order of their turns."""
        if self._same and self.done:
            return (self.winner,) if self.winner else ()
        return self._named(self._members)

    @property
    def single(self) -> Candidate | None:
        """The best single configuration, fixed before the first fresh instance; None before."""
        return None if self._single is None else self._context.trials.candidates[self._single]

    @property
    def team_gain(self) -> Gain | None:
        """The gain of the team over `single` on fresh instances; None if unknown."""
        return self._gain_over(self.single)

    @property
    def team_gain_over_default(self) -> Gain | None:
        """The gain of the team over the baseline on fresh instances; None if unknown."""
        return self._gain_over(self.baseline)

    def _gain_over(self, other: Candidate | None) -> Gain | None:
        """The mean difference between a configuration and the team, with its interval."""
        phase = self._confirmation
        if other is None or phase is None or self._members == [other.id]:
            return None
        ids = [*self._members, other.id]
        rows = dict.fromkeys([*self._tested, *phase.fresh])
        fresh = [row for row in rows if self._all_ran(ids, row)]
        if not fresh:
            return None
        known = [row for row in range(self._met) if self._all_ran(ids, row)]
        return self._gain_on(
            fresh, other, **phase.on(fresh), skewed=True, chosen=self._gain_on(known, other)
        )  # fmt: skip

    def _all_ran(self, ids: Sequence[int], row: int) -> bool:
        return not self._context.account.unpaid((id, row) for id in ids)

    def _gain_on(self, rows: Sequence[int], other: Candidate, **how: Any) -> Gain:
        """The gain of the team over another configuration on these instances."""
        trials, ids = self._context.trials, [*self._members, other.id]
        costs, failed = trials.own_costs(ids, rows), trials.failed(ids, rows)
        return gain(
            np.column_stack([costs[:, :-1].min(axis=1), costs[:, -1]]), mean=True,
            name="the team", over=f"one run of {other}",
            failed=np.column_stack([failed[:, :-1].all(axis=1), failed[:, -1]]), **how,
        )  # fmt: skip

    # --- queries ----------------------------------------------------------------------------

    @property
    def _best(self) -> tuple[Sequence[int], Sequence[int], int]:
        """Those of the team so far; at the end those of the confirmation, whose winner is first."""
        if self._confirmation is not None or not self._members:
            return super()._best
        return self._members, range(self._met), self._met

    def _costs(self, elites: Sequence[int]) -> Floats:
        """(steps, elites) costs of their own."""
        return self._context.trials.own_costs(elites, self._rows)

    # --- phases -----------------------------------------------------------------------------

    def _first(self) -> Phase:
        """The first turn."""
        self._turn, self._context.shared = 0, True
        self._release(1 - self.settings.finish)
        return Initial(self._context)

    def _after(self, phase: Phase) -> Phase:
        """Initial, main and finish of a turn, then the team's runs, then the next turn."""
        context, elites, instances = self._context, phase.elites, phase.instances
        if isinstance(phase, TeamRuns):
            return self._after_team(phase)
        if isinstance(phase, Initial) and phase.why is None and self._worth_a_probe:
            return Probe(context, elites, instances)
        if isinstance(phase, Probe):
            self._share_again(phase)
        if isinstance(phase, Initial | Probe) and phase.why is None:
            return MainPhase(context, elites, instances, begun=self._begun)
        if isinstance(phase, Initial | Probe | MainPhase):
            self._release(1.0)
            return Finish(context, elites, instances)
        if self._same:
            return self._confirm_one(phase)
        self._choose(phase)
        return self._run_team()

    def _ended(self, phase: Phase) -> Phase:
        """As a search for one configuration, unless there are two members or more."""
        if self._single is not None:
            return self._confirm_team(phase.steps, ended=True)
        if not self._members:
            return super()._ended(phase)
        if len(self._members) > 1:
            return phase  # a team so far is of its turns so far
        self._context.trials.team = ()
        met = [row for row in range(self._raced) if self._all_ran(self._members, row)]
        found = Confirmation(self._context, self._members, self._raced, met=met, ended=True)
        self._members = [found.elites[0]]
        return found

    @property
    def _worth_a_probe(self) -> bool:
        whole = self._context.account.evaluations * (self._size + 1)
        return self._turn == 0 and worth_a_probe(self._context, whole)

    def _share_again(self, probe: Probe) -> None:
        """One turn if all instances rank alike; else equal shares of the rest of the budget."""
        whole = self._context.account.evaluations * (self._size + 1)
        self._same = probe.agreed
        self._turns = [Turn(until=1.0)] if self._same else after(self._turns, probe.extra / whole)
        self._release(1 - self.settings.finish)

    def _confirm_one(self, phase: Phase) -> Confirmation:
        """The end of a search for one configuration."""
        context, elites, instances = self._context, phase.elites, phase.instances
        context.account.release(1.0)
        self._members, self._single = [elites[0]], elites[0]
        self._met = self._raced = instances
        context.notes.append(ENOUGH)
        return Confirmation(context, elites, instances)

    def _run_team(self) -> TeamRuns:
        """The team's runs on all instances so far, at the cost of the next turn."""
        self._context.trials.team = ()
        self._turn += 1
        if self._turn < len(self._turns):
            self._release(1 - self.settings.finish)
            return TeamRuns(self._context, self._members, range(self._raced))
        self._context.account.release(1.0)
        runs = dict.fromkeys([*self._members, *self._others])
        return TeamRuns(self._context, list(runs), range(self._raced))

    def _after_team(self, phase: TeamRuns) -> Phase:
        """The next turn; or the runs on fresh instances; or after these the confirmation."""
        if self._single is not None:
            return self._confirm_team(phase.steps)
        self._met = phase.instances
        while self._turn < len(self._turns) and phase.why is None and self._met:
            turn = self._turns[self._turn]
            whole = len(self._members) == self._size
            possible = turn.revisits is None or whole
            if possible and (begun := self._begin_turn(turn)) is not None:
                return begun
            self._turn += 1
        return self._run_unseen()

    def _confirm_team(self, steps: Sequence[int], *, ended: bool = False) -> Confirmation:
        """The confirmation after the runs on these instances; `ended` as there."""
        self._tested, ids = steps, [self._single, *self._members]
        known = [id for id in dict.fromkeys(ids) if id is not None]
        return Confirmation(
            self._context, known, self._raced, met=range(self._met), fresh=steps, ended=ended
        )

    def _begin_turn(self, turn: Turn) -> Phase | None:
        """The first phase of a turn; None if the budget has no room for it."""
        context, met = self._context, range(self._met)
        self._release(1 - self.settings.finish)
        evaluations = float(context.account.room)
        size = initial_size(evaluations, self.settings)
        if evaluations < 2 * size:
            return None
        context.limits_reached.clear()
        context.limit = self._met
        if turn.revisits is None:
            context.account.restart()  # wide draws again; a revisit refines
            context.trials.team = tuple(self._members)
            return Initial(
                context, again=promising(context, met, size // 2), evaluations=evaluations
            )
        others = [id for id in self._members if id != self._members[turn.revisits]]
        context.trials.team = tuple(others)
        ids = [id for id in complete(context, met) if id not in others]
        ids, _ = ranked(ids, context.trials.block(ids, met, self.objective))
        return MainPhase(context, ids[: self.settings.elites], self._met, begun=self._begun)

    def _choose(self, phase: Phase) -> None:
        """Let the best of a turn join the team, or replace the member that it revisits."""
        elites, steps = list(phase.elites), phase.steps
        if len(elites) > 1:
            block = self._context.trials.block(elites, steps, self.objective)
            self._decide(displaced(elites, block, 1))
        place = self._turns[self._turn].revisits
        if place is None:
            self._members.append(elites[0])
        else:
            self._members[place] = elites[0]
        self._raced = max(self._raced, phase.instances)

    def _run_unseen(self) -> TeamRuns:
        """Choose the single best and the team, on shared instances; run them on unseen ones."""
        context, met = self._context, range(self._met)
        context.account.release(1.0)
        context.limit = self._limit
        ids = complete(context, met) or self._members
        trials = context.trials
        own = Block(trials.own_costs(ids, met), self.objective, failures=trials.failures)
        self._single = ids[int(own.order()[0])]
        if missing := self._size - len(self._members):
            context.notes.append(f"the budget did not last for {missing} of the members")
        self._choose_all(ids, own)
        runs = list(dict.fromkeys([*self._members, self._single, *self._others]))
        fresh = affordable(context, runs, self._raced, context.account.room)
        return TeamRuns(context, runs, fresh, self._raced)

    def _choose_all(self, ids: Sequence[int], own: Block) -> None:
        """Choose the team among these; drop members that are no longer in it."""
        before, team = self._members, best_team(own.scores, len(self._members))
        self._members = [ids[column] for column in team]
        kept = list(dict.fromkeys([*self._members, self._single or ids[0]]))
        if lost := [id for id in before if id not in kept]:
            columns = [ids.index(id) for id in (*kept, *lost)]
            self._decide(displaced([*kept, *lost], own.take(columns), len(kept)))

    @property
    def _others(self) -> list[int]:
        """The default, which may be a member in the end."""
        baseline = self._context.baseline
        return [] if baseline is None else [baseline.id]

    # --- shares -----------------------------------------------------------------------------

    def _share(self, turn: int) -> float:
        """The evaluations of a turn; inf if they are not limited."""
        before = self._turns[turn - 1].until if turn else 0.0
        evaluations = self._context.account.budget.evaluations or math.inf
        return evaluations * (self._turns[turn].until - before)

    def _release(self, part: float) -> None:
        """Release the budget up to this part of the current turn."""
        before = self._turns[self._turn - 1].until if self._turn else 0.0
        until = before + part * (self._turns[self._turn].until - before)
        self._context.account.release(until * (1 - self._context.confirm))

    def _decide(self, verdict: Verdict) -> None:
        """Note a verdict, without candidates that were dropped in an earlier turn."""
        new = tuple(one for one in verdict.eliminated if one.candidate not in self._gone)
        if new:
            self._gone |= {one.candidate for one in new}
            self.verdicts.append(replace(verdict, eliminated=new))

    def _reason(self) -> Stop:
        """The limit that ended the search; the end of a turn's instances does not count as one."""
        reached = self._context.limits_reached
        reached[:] = [why for why in reached if why is not Stop.INSTANCES]
        return super()._reason()

    def extend(self, budget: object, more: object = None) -> None:
        """Refuse: a portfolio search cannot be extended.

        Raises
        ------
        RaceError
            Always: the members were chosen with shares of the first budget.
        """
        raise RaceError(
            "a portfolio search cannot be extended: its members were chosen with shares of its "
            "budget; start a new one with a larger budget"
        )
