"""What progress, messages and reports read of a race or a search, read-only.

    Watched    what is shown while it runs: also of an ablation
    View       what a report needs: a race and both kinds of search
    SearchView what only a search has

The loop itself needs less: `racing.core.decider`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from racing.base.quantities import Direction
from racing.core.candidate import Candidate
from racing.core.decider import Decided, Entrant
from racing.core.experiment import Experiment, Outcome
from racing.core.instances import Instances
from racing.core.objective import Objective
from racing.core.results import Results
from racing.core.standing import FrontStanding, Standing

if TYPE_CHECKING:
    from racing.answer.gain import Gain


class Watched(Decided, Protocol):
    """The members that are shown while a run is under way."""

    @property
    def done(self) -> bool:
        """Whether it is over."""

    @property
    def expected_evaluations(self) -> float:
        """The expected number of further evaluations; inf if unknown."""

    @property
    def instances(self) -> Instances:
        """The stream of instances."""

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """All candidates that entered or wait to, in that order."""

    @property
    def survivors(self) -> tuple[Candidate, ...]:
        """The candidates that were not dropped; of a search, the elites."""

    @property
    def as_search(self) -> SearchView | None:
        """The same as a search; None for a race."""


class View(Watched, Protocol):
    """The members that a report reads."""

    @property
    def seed(self) -> int:
        """The key of every random draw."""

    @property
    def direction(self) -> Direction:
        """Whether the scores of the target are minimized or maximized."""

    @property
    def objective(self) -> Objective:
        """What "best" means."""

    @property
    def pending(self) -> tuple[Experiment, ...]:
        """The experiments that are out: asked for, neither told nor lost; the oldest first."""

    @property
    def speculative(self) -> int:
        """The number of evaluations, out or finished, that may be needed but need not be."""

    @property
    def uncounted(self) -> Sequence[Outcome]:
        """The outcomes without effect so far, and not certain to have one."""

    @property
    def entrants(self) -> Sequence[Entrant]:
        """All candidates that entered or wait to, with time and reason."""

    @property
    def results(self) -> Results:
        """The costs that count: a row for each instance by step, a column for each candidate."""

    @property
    def baseline(self) -> Candidate | None:
        """The candidate that the winner is compared with; None while there is none."""

    @property
    def found(self) -> Candidate | None:
        """The best candidate so far; of a search with a default, the best other one.

        It is the winner, unless the default is kept.
        """

    @property
    def worse(self) -> float | None:
        """The probability that `found` is truly worse than the baseline; None while unknown."""

    @property
    def risk(self) -> float:
        """The largest such probability with which it wins."""

    def ranking(self) -> tuple[Standing, ...]:
        """The standing of the best candidates on the instances that all have seen, best first."""

    def front_standing(self) -> FrontStanding:
        """The front, and what may be on it; empty where no front is asked for."""


class SearchView(View, Protocol):
    """The members that only a search has; `racing.search.Search` explains them."""

    @property
    def phase(self) -> str:
        """The current phase."""

    @property
    def progress(self) -> float:
        """The share of the budget for searching that is spent, from 0 to 1."""

    @property
    def elites(self) -> tuple[Candidate, ...]:
        """The best so far, the best first."""

    @property
    def window(self) -> int:
        """The most challengers that run at once."""

    @property
    def iterations(self) -> int | None:
        """The number of completed races; None for the continuous search."""

    @property
    def gain(self) -> Gain | None:
        """The gain of `found` over the baseline on fresh instances; None if unknown."""

    @property
    def front_gains(self) -> Mapping[Candidate, Mapping[str, Gain]]:
        """The gains of the front over the baseline on fresh instances, in each metric."""

    @property
    def division(self) -> object:
        """Which problems it learns from, and which are set aside; as text, in words."""

    @property
    def set_aside(self) -> frozenset[int]:
        """The numbers of the problems that only the confirmation meets."""

    @property
    def unseen(self) -> Sequence[int]:
        """The steps of the confirmation's instances."""

    @property
    def unconfirmed(self) -> str:
        """Why there is no gain; empty if there is one, or before the confirmation."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the user, such as a race in place of a search."""

    @property
    def portfolio(self) -> int:
        """The number of members of a team that it searches for; 0 for one configuration."""

    @property
    def team(self) -> tuple[Candidate, ...]:
        """The members so far; () in a search for one configuration."""

    @property
    def single(self) -> Candidate | None:
        """The best single configuration beside a team; None while unknown."""

    @property
    def team_gain(self) -> Gain | None:
        """The gain of the team over `single` on fresh instances; None if unknown."""

    @property
    def team_gain_over_default(self) -> Gain | None:
        """The gain of the team over the baseline on fresh instances; None if unknown."""


def keeps_default(view: View) -> bool:
    """Whether the default is the winner, as the best found may well be worse."""
    return view.worse is not None and view.worse > view.risk


def best_of(view: View) -> Candidate | None:
    """What is tested and explained: the winner, or the best found beside a default that is kept."""
    search = view.as_search
    if view.winner is None:
        return None
    kept = keeps_default(view) if search is None else view.winner == search.baseline
    return view.found if kept and view.found is not None else view.winner


def default_of(view: View) -> Candidate:
    """The candidate to compare the winner with: the default, or else the first one."""
    return view.baseline or view.candidates[0]


def drawn_at_random(view: View, candidate: Candidate) -> bool:
    """Whether the search drew a candidate, so that it is no default."""
    origins = {one.candidate.id: one.origin for one in view.entrants}
    return view.as_search is not None and origins[candidate.id] not in ("given", "joined")
