"""The head of a race or search in a notebook: the answer, the gain, and what changes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from racing.base.markup import escaped, figure, paragraph, table
from racing.base.plain import printable
from racing.base.words import listed
from racing.core.candidate import Candidate
from racing.core.constraints import by_constraints, kept
from racing.core.gain import Gain, outcome
from racing.core.goal import Goal
from racing.core.results import Results
from racing.core.view import SearchView, View, default_of, keeps_default

_WIDTH, _HEIGHT, _LEFT, _RIGHT = 330, 56, 16, 314
WINNER = "#2f86c6"
"""The winner, in every picture of a notebook; it can be read on light and on dark pages."""

_FEW = 6
"""Instances below which no 95 % interval of the median difference has two ends."""
_MANY = 1000
"""Instances beyond which the plain median stands for the Hodges-Lehmann estimate."""


@dataclass(frozen=True, kw_only=True)
class HeadGain:
    """By how much the winner is better than the default; above 0 it is better.

    It prints as a sentence, also where there is nothing to compare.

    Attributes
    ----------
    estimate, low, high
        The gain with its interval; infinite ends where there are too few instances, or where
        failures decide. NaN where it is unknown.
    instances
        On how many it was measured.
    where
        What these are, in words.
    what
        What the estimate is, such as `median gain`.
    metric
        What it is of, where an objective over several metrics asks for more; else empty.
    better
        Whether the winner is shown to be better, by constraints first where there are any.
    sentence, brief
        The gain in words, and only how sure it is.
    """

    estimate: float
    low: float
    high: float
    instances: int
    where: str
    what: str
    metric: str = ""
    better: bool
    sentence: str = ""
    brief: str = ""

    def __str__(self) -> str:
        return self.sentence


def found_gain(view: View) -> HeadGain:
    """The winner's gain over the default, in words too; of a team, over the best single one."""
    search, winner = view.as_search, view.winner
    if winner is None:
        return _unknown("There is no winner.")
    if search is not None and len(search.team) > 1:
        name, other = "The team", "the single best" if search.single is None else search.single
        gain = _told(search.team_gain)
    elif _front(view, winner):
        return _unknown("Of a front, each metric has a gain of its own.")
    elif search is not None and view.baseline is None:
        return _unknown("There is no default to compare with.")
    else:
        name, other = name_of(winner), default_of(view)
        if winner == other:
            return _unknown(f"Nothing is shown to be better than {name}.")
        gain = gain_of(view, winner, other)
    other = other if isinstance(other, str) else name_of(other)
    if gain is None:
        return _unknown(f"The gain of {name} over {other} was not measured.")
    brief = f"not shown to be better than {other}"
    if gain.better:
        brief = f"better than {other} on {gain.where}"
    elif not np.isfinite([gain.low, gain.high]).all():
        brief = f"too few instances to say how much better than {other}"
    return replace(gain, sentence=_sentence(gain, name, other), brief=brief)


def _unknown(why: str) -> HeadGain:
    nan = float("nan")
    return HeadGain(
        estimate=nan, low=nan, high=nan, instances=0, where="", what="gain", better=False,
        sentence=why,
    )  # fmt: skip


def head(view: View) -> str:
    """HTML of the answer; empty before there is a winner."""
    winner = view.winner
    if winner is None or not view.candidates:
        return ""
    default = default_of(view)
    if view.as_search is not None and len(view.as_search.team) > 1:
        return _team(view.as_search)
    if keeps_default(view):
        return _strong(_outcome(view, name_of(winner), name_of(default)))
    if front := _front(view, winner):
        return _strong(front) + ("" if winner == default else _changes(winner, default))
    if winner == default:
        searched = view.as_search
        if searched is not None and searched.baseline is not None:
            return _strong(_outcome(searched, name_of(winner), name_of(winner)))
        return _strong(f"{name_of(winner)} is best: nothing better was found.")
    gain = gain_of(view, winner, default)
    said = "" if gain is None else _measured(gain, name_of(winner), name_of(default))
    return _strong(_headline(view, winner, default, gain)) + said + _changes(winner, default)


def gain_of(view: View, winner: Candidate, default: Candidate) -> HeadGain | None:
    """The gain as confirmed for a search, else on the instances that both ran."""
    if view.as_search is not None:
        return _confirmed(view.as_search, winner)
    results = view.results
    if not {winner.id, default.id} <= set(results.candidates):
        return None
    columns = [results.candidates.index(one.id) for one in (winner, default)]
    costs = results.costs[:, columns]
    costs = costs[~np.isnan(costs).any(axis=1)]
    if not len(costs):
        return None
    estimate, low, high, what, clear = _difference(costs)
    few, goal = len(costs) < _FEW, results.goal
    limits = "equal" if not isinstance(goal, Goal) else _by_constraints(goal, results, columns)
    return HeadGain(
        estimate=estimate,
        low=-np.inf if few else low,
        high=np.inf if few else high,
        instances=len(costs),
        where=f"{len(costs)} instances on which it was also chosen",
        what=what,
        metric=goal.of_one if isinstance(goal, Goal) else "",
        better=limits == "better" or (limits == "equal" and clear and not few),
    )


def _difference(costs: NDArray[np.float64]) -> tuple[float, float, float, str, bool]:
    """The gain, its interval, what it is, and whether it is above 0: of costs, (n, 2)."""
    from racing.stats.effects import median_difference
    from racing.stats.shares import is_yes_or_no, share_difference

    if is_yes_or_no(costs):
        share = share_difference(*costs.T)
        clear = share.low > 0 and share.pvalue < 0.05
        return share.difference, share.low, share.high, "gain in share right", clear
    how: Literal["hodges-lehmann", "median"] = "hodges-lehmann" if len(costs) <= _MANY else "median"
    found = median_difference(*costs.T, estimator=how)
    return found.estimate, found.low, found.high, "median gain", found.low > 0


def _by_constraints(goal: Goal, results: Results, columns: list[int]) -> str:
    """Whether the winner is better by its constraints; `equal` if the cost decides."""
    if not goal.limits:
        return "equal"
    two = replace(results, survivors=np.array(columns))
    found = by_constraints(kept(goal, two, 0), kept(goal, two, 1))
    own, other = np.isinf(results.costs[:, columns]).sum(axis=0)
    return "open" if found == "better" and own > other else found


def _front(view: View, winner: Candidate) -> str:
    """The result of a race for a front; empty for other objectives."""
    goal = view.results.goal
    if not isinstance(goal, Goal) or goal.kind != "front" or not len(view.results.block):
        return ""
    many = int(goal.trade_offs(view.results).front.sum())
    if many == 1:
        return f"{name_of(winner)} is alone on the front: it dominates all others."
    return f"{many} candidates are on the front; the best compromise is {name_of(winner)}."


def _team(search: SearchView) -> str:
    """HTML of a team: its members, their gain over the best single one, and their values."""
    names = [name_of(one) for one in search.team]
    gain, single = _told(search.team_gain), search.single
    said = "" if gain is None or single is None else _measured(gain, "The team", name_of(single))
    parameters = dict.fromkeys(key for one in search.team for key in one.values)
    rows = [[key, *(one.values.get(key, "–") for one in search.team)] for key in parameters]
    members = table("The members", ["parameter", *names], rows, total=len(rows))
    return _strong(f"The team{' so far' * (not search.done)}: {listed(names)}.") + said + members


def _confirmed(search: SearchView, winner: Candidate) -> HeadGain | None:
    """The gain that the confirmation measured; None without one, or for another candidate."""
    return _told(search.gain) if search.found == winner else None


def _told(found: Gain | None) -> HeadGain | None:
    """A gain as confirmed; None if it is unknown."""
    if found is None or found.mean is None:
        return None
    return HeadGain(
        estimate=found.mean, low=found.low, high=found.high, instances=found.pairs,
        where=found.where,
        what="mean gain", better=found.better,
    )  # fmt: skip


def _headline(view: View, winner: Candidate, default: Candidate, gain: HeadGain | None) -> str:
    name, other = name_of(winner), name_of(default)
    search = view.as_search
    if view.stopped is None:
        return f"{name} is ahead so far."
    if search is not None and search.baseline is not None:
        return _outcome(search, name, other)
    if view.worse is not None or gain is None or not gain.better:
        return _outcome(view, name, other)
    return f"{name} is better than {other}."


def _outcome(view: View, winner: str, baseline: str) -> str:
    """The outcome of a run that is over, beside its default."""
    found = None if view.found is None else name_of(view.found)
    gain = None if view.as_search is None else view.as_search.gain
    return outcome(winner, baseline, found=found, gain=gain, worse=view.worse)


def _measured(gain: HeadGain, name: str, other: str) -> str:
    """HTML of the gain in words and drawn."""
    return paragraph(_sentence(gain, name, other)) + _bar(gain)


def _sentence(gain: HeadGain, name: str, other: str) -> str:
    """The gain in words: what it rests on, and whether its interval contains 0."""
    on = f"on {gain.where}"
    if not np.isfinite(gain.estimate):
        return f"Failures decide between {name} and {other} {on}."
    by = f"By {printable(gain.metric)} alone, " if gain.metric else ""
    said = f"{by}{name} against {other} {on}: {gain.what} {figure(gain.estimate)}"
    if not np.isfinite([gain.low, gain.high]).all():
        return f"{said}; too few instances for a 95 % interval, or too many failures."
    within = "" if gain.low > 0 or gain.high < 0 else ", which contains 0"
    return f"{said}, 95 % interval {figure(gain.low)} to {figure(gain.high)}{within}."


def _bar(gain: HeadGain) -> str:
    """The gain and its interval on a scale with 0; empty where they are not finite."""
    ends = np.array([0.0, gain.estimate, gain.low, gain.high])
    if not np.isfinite(ends).all():
        return ""
    from_, to = float(ends.min()), float(ends.max())
    zero, at, low, high = _LEFT + (ends - from_) / ((to - from_) or 1) * (_RIGHT - _LEFT)
    colour = WINNER if gain.low > 0 else "#8a949e"
    text = escaped(f"gain {figure(gain.estimate)}, {figure(gain.low)} to {figure(gain.high)}")
    body = (
        f'<rect x="{min(zero, at):.1f}" y="20" width="{abs(at - zero):.1f}" height="12" '
        f'fill="{colour}"/>'
        f'<path d="M{zero:.1f} 14V38M{low:.1f} 26H{high:.1f}M{low:.1f} 21V31M{high:.1f} 21V31" '
        'stroke="currentColor" fill="none"/>'
        f"{_text(at, 12, figure(gain.estimate))}{_text(zero, 50, '0')}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{text}" viewBox="0 0 '
        f'{_WIDTH} {_HEIGHT}" style="font:11px sans-serif;display:block;width:{_WIDTH}px;'
        f'max-width:100%">{body}</svg>'
    )


def _text(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y}" text-anchor="middle" fill="currentColor">{text}</text>'


def _changes(winner: Candidate, default: Candidate) -> str:
    """The parameters that differ, default → winner."""
    names = dict.fromkeys([*default.values, *winner.values])
    rows = [
        [name, default.values.get(name, "–"), winner.values.get(name, "–")]
        for name in names
        if default.values.get(name) != winner.values.get(name)
    ]
    heads = ["parameter", name_of(default), name_of(winner)]
    return table("What the winner changes", heads, rows, total=len(rows)) if rows else ""


def _strong(text: str) -> str:
    return f"<p><strong>{escaped(text)}</strong></p>"


def name_of(candidate: Candidate) -> str:
    """A name that fits beside an axis."""
    text = printable(str(candidate)).replace("\n", " ")
    return text if len(text) <= 30 else f"{text[:20]}…{text[-9:]}"
