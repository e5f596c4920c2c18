"""What progress, messages and reports read of a race or a search, read-only.

    Watched    what is shown while it runs: also of an ablation
    View       what a report needs: a race, or a search of any kind

The loop itself needs less: `racing.core.decider`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

from racing.core.candidate import Candidate
from racing.core.decider import Decided
from racing.core.instances import Instances

if TYPE_CHECKING:
    from racing.race import Race
    from racing.search import SearchBase


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
    def as_search(self) -> SearchBase | None:
        """The same as a search; None for a race."""


View: TypeAlias = "Race | SearchBase"
"""What reports read: all that a race and a search share; `as_search` has what only a search has."""


def keeps_default(view: View) -> bool:
    """Whether the default is the winner, as the best found may well be worse."""
    if view.as_search is None:
        return view.found != view.winner
    return view.worse is not None and view.worse > view.risk


def beside_default(view: View) -> bool:
    """Whether the best found was judged beside a default: by `worse`, or on the only instance."""
    if view.as_search is not None or not only_instance(view):
        return view.worse is not None
    default = view.baseline
    judged = view.stopped is not None and default is not None and default.name == "default"
    return judged and view.found not in (None, default)


def only_instance(view: View) -> bool:
    """Whether there is but one instance: its costs decide, and show no probability."""
    return view.instances.limit == 1


def likely_better(view: View) -> bool:
    """Whether by all outcomes the best found is better than the default; see `worse`."""
    return view.worse is not None and view.worse <= view.risk and not only_instance(view)


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
