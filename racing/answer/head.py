"""The head of a run: its one gain, and its headline, in any state."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from racing.answer.gain import Gain, gain, no_gain
from racing.answer.tested import (
    UnseenTest,
    headline,
)
from racing.answer.words import brief, missed
from racing.base.words import listed, refer, shown
from racing.core.candidate import Candidate
from racing.core.constraints import Kept, kept
from racing.core.goal import Goal
from racing.core.results import Results
from racing.core.standing import FrontStanding, Standing
from racing.core.view import SearchView, View, best_of, default_of, keeps_default


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
        Why evaluations failed: each message with how often it came and its last line, most frequent
        first.
    unit
        What costs are counted in.
    """

    tests: tuple[UnseenTest, ...] = ()
    families: tuple[str, ...] = ()
    messages: tuple[tuple[str, int, str], ...] = ()
    unit: str = ""

    def test(self, kind: Literal["winner", "front", "team"]) -> UnseenTest | None:
        """The test of this kind; None without one."""
        return next((one for one in self.tests if one.kind == kind), None)


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
        The one gain that stands at the head; where there is nothing to compare it says why.
    """

    headline: str
    sentences: tuple[str, ...]
    gain: Gain = field(default_factory=lambda: no_gain("There is no winner."))

    @property
    def undecided(self) -> bool:
        """Whether the best so far is not shown to be better."""
        return self.headline.startswith("Undecided")

    @property
    def brief(self) -> str:
        """Only how sure it is."""
        return brief(self.gain)


NOTHING = Beside()
"""Nothing is known beside the run."""


def head_gain(view: View, beside: Beside = NOTHING) -> Gain:
    """The gain that stands at the head of a run: as tested, else as confirmed, else of the choice.

    Of a team it is that over the default, else over the single best; where there is nothing to
    compare, `why` says so.
    """
    search, winner = view.as_search, view.winner
    if winner is None:
        return no_gain("There is no winner.")
    if alike(view) == "all":
        return no_gain("Nothing to choose: every evaluation had the same cost.")
    if is_front(view):
        return no_gain("Of a front, each metric has a gain of its own.")
    if search is not None and has_team(search):
        return _team_gain(search, beside)
    if (tested := beside.test("winner")) is not None:
        return replace(tested.gain, unit=beside.unit)
    if search is not None:
        return _search_gain(search, beside.unit)
    return raced_gain(view, beside.unit) or no_gain(_nothing_to_compare(view, winner))


def _nothing_to_compare(view: View, winner: Candidate) -> str:
    if best_of(view) == default_of(view):
        return f"Nothing is shown to be better than {refer(winner)}."
    return f"{refer(winner)} and {refer(default_of(view))} share no instance."


def _team_gain(search: SearchView, beside: Beside) -> Gain:
    tested = beside.test("team")
    found = (
        (search.team_gain_over_default, search.team_gain) if tested is None else tested.gains[::-1]
    )
    known = next((one for one in found if one is not None), None)
    return no_gain("The gain of the team was not measured.") if known is None else known


def _search_gain(search: SearchView, unit: str) -> Gain:
    if search.baseline is None:
        return no_gain("There is no default to compare with.")
    if search.gain is None:
        name = refer(search.found or search.winner)
        return no_gain(
            f"Nothing is shown to be better than {refer(search.baseline)}."
            if search.found is None
            else f"The gain of {name} over {refer(search.baseline)} was not measured."
        )
    return replace(search.gain, unit=unit)


def raced_gain(view: View, unit: str = "") -> Gain | None:
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
    costs = results.costs[:, columns]
    both = ~np.isnan(costs).any(axis=1)
    if not both.any():
        return None
    return gain(
        costs[both],
        name=winner,
        over=against,
        groups=() if results.groups is None else results.groups[both].tolist(),
        limits=_limits(results, columns),
        metric=results.goal.of_one if isinstance(results.goal, Goal) else "",
        unit=unit,
    )


def _limits(results: Results, columns: list[int]) -> tuple[tuple[Kept, ...], tuple[Kept, ...]]:
    """The constraints of two candidates, on the instances that they share."""
    if not isinstance(results.goal, Goal):
        return (), ()
    two = replace(results, survivors=np.array(columns))
    own, other = (tuple(kept(results.goal, two, place)) for place in range(2))
    return own, other


# --- the state of a run -----------------------------------------------------------------------


def has_team(search: SearchView | None) -> bool:
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


# --- the headline -----------------------------------------------------------------------------


def headline_of(view: View, beside: Beside, told: Gain) -> str:
    """The result of a run in any state, in one short sentence."""
    winner, tested = view.winner, beside.test("winner")
    if winner is None:
        return _no_winner(view, beside)
    if alike(view) == "all":
        return "Nothing to choose: every evaluation had the same cost."
    if is_front(view):
        if keeps_default(view):
            return _over_default(view, winner, told)
        return _front_headline(view.front_standing(), winner, so_far=view.stopped is None)
    if has_team(search := view.as_search):
        assert search is not None
        names = listed([refer(one) for one in search.team])
        return f"The team so far: {names}." if view.stopped is None else f"The team: {names}."
    if tested is not None:
        return headline(tested)
    if misses_all(view):
        return f"No candidate meets all constraints; {refer(winner)} is nearest."
    return _winner_headline(view, winner, told)


def _winner_headline(view: View, winner: Candidate, told: Gain) -> str:
    """The result of a run for one winner, without a test."""
    search = view.as_search
    if view.stopped is None and not alike(view):
        return f"{refer(winner)} is ahead so far."
    if search is not None and search.baseline is None:
        return _undecided(refer(winner))
    tie = alike(view) and not keeps_default(view)
    if search is not None or (view.worse is not None and not tie):
        return _over_default(view, winner, told)
    return _race_headline(view, winner, told)


def _no_winner(view: View, beside: Beside) -> str:
    if all_failed(view):
        return f"Every evaluation failed: {shown(_cause(beside), 120)}"
    if view.stopped is not None:
        return "There is no winner."
    return "No candidate is ahead yet." if view.outcomes else "The run has not begun."


def _cause(beside: Beside) -> str:
    first, _, last = beside.messages[0] if beside.messages else ("no message", 0, "")
    message = f"{first}: {last}" if last else first
    return message if message.endswith((".", "!", "?")) else f"{message}."


def _front_headline(found: FrontStanding, winner: Candidate, *, so_far: bool) -> str:
    name, now = refer(winner), " so far" if so_far else ""
    if len(found.front) < 2:
        return f"{name} is alone on the front{now}: it dominates all others."
    return f"{len(found.front)} candidates are on the front{now}; the best compromise is {name}."


def _over_default(view: View, winner: Candidate, told: Gain) -> str:
    """The outcome of a run that is over, beside its default."""
    name, baseline = refer(winner), view.baseline
    if winner == baseline:
        what = "found" if view.found in (None, baseline) else "shown"
        return f"Keep {name}: nothing better was {what}."
    if told.better:
        return f"{name} is better than {_beaten(told)}{_on_these(told)}."
    if view.worse is not None:
        return f"{name} is better than {refer(baseline)}, as far as one can tell."
    return _undecided(name)


def _beaten(told: Gain) -> str:
    """What is worse, and the constraints that decide against it."""
    return refer(told.over) + (f", which misses {of}" if (of := missed(told)) else "")


def _on_these(told: Gain) -> str:
    """What a gain is shown on, where that is not unseen problems."""
    return {"unseen": "", "seeds": " on these problems", "choice": " on these instances"}[told.of]


def _race_headline(view: View, winner: Candidate, told: Gain) -> str:
    name = refer(winner)
    if alike(view) == "survivors":
        return f"A tie: {name} is one of {len(view.ranking())} that are equally good."
    alone = len(view.survivors) == 1
    if told.why:
        if len(view.candidates) == 1:
            return f"{name} was the only candidate."
        return f"{name} wins: nothing better was found." if alone else _undecided(name)
    over = refer(told.over)
    if told.better:
        return f"{name} is better than {_beaten(told)}{_on_these(told)}."
    if alone:
        return f"{name} is the last one left; its gain over {over} is not shown."
    return _undecided(name)


def _undecided(name: str) -> str:
    return f"Undecided: {name} is best so far."
