"""The head of a race or search in a notebook: the answer, the gain, what the winner changes."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np

from racing.base.markup import figure, paragraph, table
from racing.base.plain import printable
from racing.core.candidate import Candidate
from racing.core.view import SearchView, View, default_of

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

    Attributes
    ----------
    estimate, low, high
        The gain with its interval; infinite ends where there are too few instances, or where
        failures decide.
    instances
        On how many it was measured.
    unseen
        Whether these did not choose the winner: then it is a mean, else a median.
    """

    estimate: float
    low: float
    high: float
    instances: int
    unseen: bool


def head(view: View) -> str:
    """HTML of the answer; empty before there is a winner."""
    winner = view.winner
    if winner is None or not view.candidates:
        return ""
    default = default_of(view)
    if winner == default:
        return _strong(f"{name_of(winner)} is best: nothing better was found.")
    gain = gain_of(view, winner, default)
    said = "" if gain is None else paragraph(_measured(gain, winner, default)) + _bar(gain)
    return _strong(_headline(view, winner, default, gain)) + said + _changes(winner, default)


def gain_of(view: View, winner: Candidate, default: Candidate) -> HeadGain | None:
    """The gain on unseen instances for a search, else on those that both ran."""
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
    from racing.stats.effects import median_difference

    found = median_difference(
        *costs.T, estimator="hodges-lehmann" if len(costs) <= _MANY else "median"
    )
    return HeadGain(
        estimate=found.estimate,
        low=found.low if len(costs) >= _FEW else -np.inf,
        high=found.high if len(costs) >= _FEW else np.inf,
        instances=len(costs),
        unseen=False,
    )


def _confirmed(search: SearchView, winner: Candidate) -> HeadGain | None:
    """What the confirmation measured; None where it did not, or of another candidate."""
    found = search.gain
    if found is None or found.mean is None or search.found != winner:
        return None
    return HeadGain(
        estimate=found.mean, low=found.low, high=found.high, instances=found.pairs, unseen=True
    )


def _headline(view: View, winner: Candidate, default: Candidate, gain: HeadGain | None) -> str:
    name, other = name_of(winner), name_of(default)
    if view.stopped is None:
        return f"{name} is ahead so far."
    if gain is None or gain.low <= 0:
        return f"Undecided: {name} is best so far."
    return f"{name} is better than {other}{' on unseen instances' if gain.unseen else ''}."


def _measured(gain: HeadGain, winner: Candidate, default: Candidate) -> str:
    """The gain in words: what it rests on, and whether its interval contains 0."""
    kind = "unseen instances" if gain.unseen else "instances, which also chose it"
    what = "mean" if gain.unseen else "median"
    on = f"on {gain.instances} {kind}"
    if not np.isfinite(gain.estimate):
        return f"Failures decide between {name_of(winner)} and {name_of(default)} {on}."
    said = f"{name_of(winner)} against {name_of(default)} {on}: {what} gain {figure(gain.estimate)}"
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
    text = escape(f"gain {figure(gain.estimate)}, {figure(gain.low)} to {figure(gain.high)}")
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
    return f"<p><strong>{escape(text)}</strong></p>"


def name_of(candidate: Candidate) -> str:
    """A name that fits beside an axis."""
    text = printable(str(candidate)).replace("\n", " ")
    return text if len(text) <= 30 else f"{text[:20]}…{text[-9:]}"
