"""The read-only properties of a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from racing.answer.gain import Gain as Gain
from racing.base.quantities import Direction
from racing.core.ask_tell import AskTell
from racing.core.budget import Budget, Spent
from racing.core.candidate import Candidate
from racing.core.decider import Entrant
from racing.core.experiment import Experiment, Instance, Outcome
from racing.core.results import Results
from racing.core.standing import FrontStanding, Standing, front_standing, ranking
from racing.core.stop import Stop
from racing.core.verdict import Verdict
from racing.core.view import likely_better
from racing.search.block import Block
from racing.search.confirmation import Confirmation
from racing.search.phase import Phase, SearchContext

Floats = NDArray[np.float64]


class SearchQueries(AskTell):
    """Read-only properties of all searches, computed from the current phase and the shared context.

    Attributes
    ----------
    stopped
        The reason for its end; None before.
    verdicts
        All verdicts, in order.
    entrants
        Every candidate that entered, in that order.
    division
        Which problems it learns from, and which are set aside.
    window
        The most challengers that run at once.
    rule
        The rule that drops configurations; None for the screening test.
    risk
        The largest probability of being worse than the default with which `found` wins.
    """

    def __init__(
        self, direction: Direction, context: SearchContext, verdicts: list[Verdict]
    ) -> None:
        trials = context.trials
        super().__init__(direction, trials.queue, trials.goal, trials.failures)
        self._context = context
        self._phase: Phase | None = None
        self.stopped: Stop | None = None
        self.verdicts = verdicts
        self.entrants: Sequence[Entrant] = trials.entrants
        self.division, self.window, self.rule = trials.division, context.window, context.rule
        self.risk = context.settings.risk

    # --- progress ---------------------------------------------------------------------------

    @property
    def done(self) -> bool:
        """Whether the search is over; `stopped` says why."""
        return self.stopped is not None

    @property
    def phase(self) -> str:
        """The phase it is in: `initial`, `running`, `finish`, `confirmation` or `plain`.
        Of a portfolio search also `probe` and `team`.

        Of iterated racing: `estimation`, `iteration`, `selection`, `confirmation` or `plain`.
        """
        return self._phase.name if self._phase else "initial"

    @property
    def iterations(self) -> int | None:
        """The number of completed races; None for the continuous search."""
        return None

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on how it is run: that a single race replaces it, for example."""
        return tuple(self._context.notes)

    @property
    def budget(self) -> Budget:
        """The limits."""
        return self._context.account.budget

    @property
    def spent(self) -> Spent:
        """The spending on decisions so far."""
        return self._context.account.spent

    @property
    def progress(self) -> float:
        """The largest spent share of a limit, from 0 to 1, without reserved parts."""
        return self._context.account.progress

    @property
    def outcomes(self) -> int:
        """The number of outcomes received."""
        return len(self._context.trials.recorded)

    @property
    def expected_evaluations(self) -> float:
        """The evaluations left in the budget; inf if it does not limit evaluations."""
        under_way = self.outcomes - self.spent.evaluations
        left = self.budget.left(self.spent).evaluations
        return 0.0 if self.done else max(left - under_way, 0.0)

    @property
    def unwanted(self) -> tuple[Experiment, ...]:
        """The experiments in `pending` with outcomes that no longer count."""
        return self._context.trials.queue.unwanted

    @property
    def speculative(self) -> int:
        """0: the window, not the number of workers, limits what runs at once."""
        return 0

    @property
    def uncounted(self) -> Sequence[Outcome]:
        """Empty: every outcome is needed when its experiment is handed out."""
        return ()

    @property
    def wasted(self) -> int:
        """The number of outcomes without effect, at the end of the search; 0 before."""
        return self.outcomes - self.spent.evaluations if self.done else 0

    # --- candidates and instances -----------------------------------------------------------

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """Every candidate that entered, in that order."""
        return tuple(entrant.candidate for entrant in self.entrants)

    @property
    def baseline(self) -> Candidate | None:
        """The configuration to compare the winner with: the default, or the first known one."""
        return self._context.baseline

    @property
    def instances_seen(self) -> int:
        """The number of instances that all elites have seen."""
        return self._best[2]

    @property
    def steps(self) -> Sequence[int]:
        """The instances that all elites have met, by their steps."""
        return self._context.trials.steps(self._rows)

    @property
    def _best(self) -> tuple[Sequence[int], Sequence[int], int]:
        """Ids of the elites, the rows of the instances that all have met, and the number of these.

        The number is that up to the last of them.
        """
        phase = self._phase
        return (phase.elites, phase.steps, phase.instances) if phase else ((), (), 0)

    @property
    def _rows(self) -> Sequence[int]:
        return self._best[1]

    def instance(self, step: int) -> Instance:
        """The instance at a step."""
        trials = self._context.trials
        return trials.instance(trials.division.row(step))

    @property
    def set_aside(self) -> frozenset[int]:
        """The problems that only the confirmation meets: the numbers of their instances."""
        return self.division.aside

    # --- results ----------------------------------------------------------------------------

    @property
    def elites(self) -> tuple[Candidate, ...]:
        """The best so far, the best first."""
        return self._named(self._best[0])

    def _named(self, ids: Sequence[int]) -> tuple[Candidate, ...]:
        """The candidates with these ids."""
        return tuple(self._context.trials.candidates[id] for id in ids)

    @property
    def survivors(self) -> tuple[Candidate, ...]:
        """The elites."""
        return self.elites

    @property
    def winner(self) -> Candidate | None:
        """The best elite; None before the first results, or if every run failed."""
        if self.stopped is Stop.ALL_FAILED or not self.elites:
            return None
        return self.elites[0]

    @property
    def results(self) -> Results:
        """All costs: a row for each instance by step, a column for each candidate.

        The elites are the survivors.
        """
        return self._context.trials.results([one.id for one in self.elites])

    def ranking(self) -> tuple[Standing, ...]:
        """The standing of the elites, the winner first."""
        context, results = self._context, self._standing_results()
        if results is None:
            return ()
        found = ranking(results, context.trials.candidates, context.objective)
        if not context.trials.limited:
            return found
        ids = [one.id for one in self.elites]  # which keep a margin to the limits
        return tuple(sorted(found, key=lambda one: ids.index(one.candidate.id)))

    def _standing_results(self) -> Results | None:
        """The elites on the instances that decided on them; None before the first."""
        ids, context = [one.id for one in self.elites], self._context
        if not ids or not self._rows:
            return None
        trials = context.trials
        block = Block(
            self._costs(ids), context.objective, trials.metrics(ids, self._rows),
            trials.goal, trials.failures,
        )  # fmt: skip
        return replace(block.results(ids), failed=trials.failed(ids, self._rows))

    def _costs(self, elites: Sequence[int]) -> Floats:
        """(steps, elites) costs by which the elites are ranked."""
        return self._context.trials.costs(elites, self._rows)

    @property
    def found(self) -> Candidate | None:
        """The best configuration other than the default; `gain` is its gain.

        It is the winner unless the default is kept; see `worse`.
        """
        if self._confirmation is None:
            return next((one for one in self.elites if one != self.baseline), None)
        id = self._confirmation.found
        return None if id is None else self._context.trials.candidates[id]

    @property
    def _confirmation(self) -> Confirmation | None:
        """The confirmation; None before it."""
        return self._phase if isinstance(self._phase, Confirmation) else None

    @property
    def gain(self) -> Gain | None:
        """The gain of `found` over the default as confirmed; None if unknown."""
        found = self._confirmation.gain() if self._confirmation else None
        return found and replace(found, likely=likely_better(self))  # type: ignore[arg-type]

    @property
    def worse(self) -> float | None:
        """The probability that `found` is truly worse than the default; None while unknown.

        By all outcomes of the search, see `racing.core.evidence`. `found` wins if it is at most
        `risk`.
        """
        return self._confirmation.worse if self._confirmation else None

    @property
    def unseen(self) -> Sequence[int]:
        """The steps of the confirmation's instances, which had no part in the choice.

        `Gain.of` says whether their problems had none.
        """
        return self._context.trials.steps(self._confirmation.fresh if self._confirmation else ())

    @property
    def unconfirmed(self) -> str:
        """The reason why `gain` is None; empty if there is one, or before the confirmation."""
        return self._confirmation.skipped if self._confirmation else ""

    # --- a front: see `racing.search.front` ---------------------------------------------------

    @property
    def front(self) -> tuple[Standing, ...]:
        """The elites on the front, where the objective is one, as `Race.front` has them."""
        return self.front_standing().front

    def front_standing(self) -> FrontStanding:
        """The front, and elites that may be on it."""
        trials, results = self._context.trials, self._standing_results()
        if results is None:
            return FrontStanding()
        objective = self._context.objective
        return front_standing(results, trials.candidates, objective, trials.seed)

    @property
    def front_gains(self) -> Mapping[Candidate, Mapping[str, Gain]]:
        """The gains of the front over the baseline on fresh instances, in each of its metrics.

        Of the configurations that are shown, the best compromise first. Gains are differences of
        costs: above 0 the configuration is better. The intervals hold all at once, with their
        confidence. Empty while unknown, and where no front is asked for.
        """
        trials, last = self._context.trials, self._confirmation
        gains = last.gains() if last else {}
        names = trials.goal.front if trials.goal is not None else ()
        return {
            trials.candidates[id]: dict(zip(names, found, strict=True))
            for id, found in gains.items()
        }

    # --- a team: see `PortfolioSearch` --------------------------------------------------------

    @property
    def portfolio(self) -> int:
        """The number of members of the team; 0 in a search for one configuration."""
        return 0

    @property
    def team(self) -> tuple[Candidate, ...]:
        """The members so far, in the order of their turns."""
        return ()

    @property
    def single(self) -> Candidate | None:
        """The best single configuration, fixed before the first fresh instance; None before."""
        return None

    @property
    def team_gain(self) -> Gain | None:
        """The gain of the team over `single` on fresh instances; None if unknown."""
        return None

    @property
    def team_gain_over_default(self) -> Gain | None:
        """The gain of the team over the baseline on fresh instances; None if unknown."""
        return None

    # --- text -------------------------------------------------------------------------------

    def __repr__(self) -> str:
        parts = [
            self.phase,
            f"{len(self.entrants)} configurations",
            f"{self.instances_seen} instances",
            f"{self.spent.evaluations} evaluations",
            f"over: {self.stopped}" if self.stopped else f"{len(self.pending)} out",
        ]
        if self.winner is not None:
            parts.append(f"best {self.winner}")
        return f"<Search: {', '.join(parts)}>"
