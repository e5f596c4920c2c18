"""The state of a run, and what is known beside it: whatever its answer looks at."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from racing.answer.gain import Basis, Gain, by_mean, gain
from racing.answer.tested import UnseenTest
from racing.answer.words import brief
from racing.core.constraints import Kept, kept
from racing.core.goal import Goal
from racing.core.objective import Objective
from racing.core.results import Results
from racing.core.standing import Standing
from racing.core.view import View, best_of, default_of, likely_better

if TYPE_CHECKING:
    from racing.search import SearchBase


@dataclass(frozen=True, kw_only=True)
class Message:
    """Why evaluations failed: how often, and the last line of one."""

    message: str
    times: int
    last_line: str


@dataclass(frozen=True, kw_only=True)
class Beside:
    """What is known beside a run.

    Attributes
    ----------
    tests
        Tests of its result on unseen problems, the latest of each kind.
    families
        Sentences on the gain by family of instances.
    messages
        Why evaluations failed, the most frequent first.
    units
        What costs, which are called ``""``, and metrics are counted in.
    """

    tests: tuple[UnseenTest, ...] = ()
    families: tuple[str, ...] = ()
    messages: tuple[Message, ...] = ()
    units: Mapping[str, str] = field(default_factory=dict)

    def test(self, kind: Literal["winner", "front", "team"]) -> UnseenTest | None:
        """The test of this kind; None without one."""
        return next((one for one in self.tests if one.kind == kind), None)


NOTHING = Beside()
"""Nothing is known beside the run."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """The answer of a run.

    Attributes
    ----------
    headline
        The result, in one short sentence.
    sentences
        By how much, how sure, and what cannot be said.
    gain
        The one gain that stands at the head: as tested, else as confirmed, else of the choice; of a
        team that over the default, else over the single best. Where there is nothing to compare,
        its `why` says so.
    """

    headline: str
    sentences: tuple[str, ...]
    gain: Gain = field(default_factory=lambda: Gain(why="There is no winner."))

    @property
    def undecided(self) -> bool:
        """Whether the best so far is not shown to be better."""
        return self.headline.startswith("Undecided")

    @property
    def brief(self) -> str:
        """Only how sure it is."""
        return brief(self.gain)


def raced_gain(view: View) -> Gain | None:
    """The gain of the best found over the default, by instances of the choice.

    Without a default it is over the first candidate. None if there is no winner, if that candidate
    is best itself, or if they share no instance.
    """
    winner, against = best_of(view), default_of(view)
    if winner is None or winner == against:
        return None
    results = view.results
    if not {winner.id, against.id} <= set(results.candidates):
        return None
    columns = [results.candidates.index(one.id) for one in (winner, against)]
    found = gain_in(results, columns, (winner, against), objective=view.objective)
    return found and replace(found, likely=likely_better(view))


def gain_in(
    results: Results, columns: list[int], names: tuple[object, object], *, objective: Objective,
    of: Basis = "choice", problems: Sequence[Hashable] | None = None,
) -> Gain | None:  # fmt: skip
    """The gain of one candidate over another in a table of results; None if they share no instance.

    Parameters
    ----------
    columns, names
        Of the two.
    objective
        What they were chosen by; see `racing.answer.gain.by_mean`.
    problems : (n,)
        The problem of each instance of the table; by default all differ.
    """
    costs = results.costs[:, columns]
    both: NDArray[np.bool_] = np.asarray(~np.isnan(costs).any(axis=1))
    if not both.any():
        return None
    return gain(
        costs[both],
        mean=by_mean(costs[both], objective),
        failed=results.lost(columns)[both],
        name=names[0],
        over=names[1],
        of=of,
        problems=None if problems is None else list(compress(problems, both.tolist())),
        groups=() if results.groups is None else results.groups[both].tolist(),
        limits=_limits(results, columns),
        metric=results.goal.of_one if isinstance(results.goal, Goal) else "",
    )


def _limits(results: Results, columns: list[int]) -> tuple[tuple[Kept, ...], tuple[Kept, ...]]:
    """The constraints of two candidates, on the instances that they share."""
    if not isinstance(results.goal, Goal):
        return (), ()
    two = replace(results, survivors=np.array(columns))
    own, other = (tuple(kept(results.goal, two, place)) for place in range(2))
    return own, other


def has_team(search: SearchBase | None) -> bool:
    """Whether the result is a team."""
    return search is not None and len(search.team) > 1


def is_front(view: View) -> bool:
    """Whether a front is asked for."""
    return view.results.goal is not None and view.results.goal.kind == "front"


def alike(view: View) -> Literal["", "all", "survivors"]:
    """Whether all costs, or those of the survivors on each instance, are equal."""
    results = view.results
    costs = _judged(results)
    done = costs[~np.isnan(costs).any(axis=2)]
    if len(done) > 1 and np.isfinite(done[0]).all() and (done == done[0]).all():
        return "all"
    places = {id: place for place, id in enumerate(results.candidates)}
    columns = [places[one.candidate.id] for one in view.ranking()]
    shared = costs[:, columns]
    shared = shared[~np.isnan(shared).any(axis=(1, 2))]
    equal = np.isfinite(shared).all() and (shared == shared[:, :1]).all()
    return "survivors" if len(columns) > 1 and len(shared) > 1 and equal else ""


def _judged(results: Results) -> NDArray[np.float64]:
    """(n, m, K) the costs that candidates are judged by: of every metric, unless one number is."""
    if results.metrics is None or results.goal is None or results.goal.kind == "single":
        return results.costs[:, :, None]
    return results.metrics


def all_failed(view: View) -> bool:
    """Whether there are outcomes, and every one is a failure."""
    costs = view.results.costs
    known = costs[~np.isnan(costs)]
    return view.winner is None and len(known) > 0 and bool(np.isinf(known).all())


def own_place(view: View) -> Standing | None:
    """The winner's place in the standing."""
    return next((one for one in view.ranking() if one.candidate == view.winner), None)


def misses_all(view: View) -> bool:
    """Whether the winner misses a constraint on the instances of the choice, as all others do."""
    own = own_place(view)
    return own is not None and not all(met for _, met in own.limits.values())
