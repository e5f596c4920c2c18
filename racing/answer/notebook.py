"""The display of a race or search in a notebook: the answer, small pictures, and the ranking.

The pictures are static inline SVG, without scripts, drawn from the results as the report's pictures
are. Lines and text take the colour of the notebook's text, so that they can be read on light and on
dark pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from racing.answer.gain import Gain
from racing.answer.head import has_team
from racing.answer.run import answer
from racing.answer.words import label
from racing.base.markup import configuration, escaped, figure, paragraph, table
from racing.base.plain import printable
from racing.base.quantities import Direction, score_of
from racing.core.candidate import Candidate
from racing.core.standing import Standing
from racing.core.view import View, default_of

MOST = 400
"""The most points or bars of a picture; of more, evenly spaced ones are drawn."""

_WIDTH, _HEIGHT = 330, 200
_LEFT, _TOP, _RIGHT, _BOTTOM = 46, 10, 320, 160
_FIELD, _WINNER = "#2a9d78", "#2f86c6"  # survivors, and the winner, as in reports

Floats = NDArray[np.float64]


def in_notebook(view: View, words: str) -> str:
    """HTML of a race or search: the answer, this text, the pictures and the ranking."""
    ranking = ranking_table(view.ranking(), view.direction)
    return head(view) + paragraph(words) + sketches(view) + ranking


def head(view: View) -> str:
    """HTML of the answer: the headline, the gain in words and drawn, and what changes."""
    winner = view.winner
    if winner is None or not view.candidates:
        return ""
    told = answer(view)
    return (
        f"<p><strong>{escaped(told.headline)}</strong></p>"
        f"{''.join(map(paragraph, told.sentences))}{gain_bar(told.gain)}{_changes(view, winner)}"
    )


def gain_bar(gain: Gain) -> str:
    """The gain and its interval on a scale with 0; empty where they are not finite."""
    if gain.estimate is None or not gain.closed:
        return ""
    ends = np.array([0.0, gain.estimate, gain.low, gain.high])
    from_, to = float(ends.min()), float(ends.max())
    zero, at, low, high = 16 + (ends - from_) / ((to - from_) or 1) * 298
    colour = _WINNER if gain.low > 0 else "#8a949e"
    size = figure(gain.estimate)
    text = escaped(f"{label(gain)}: {size}, {figure(gain.low)} to {figure(gain.high)}")
    body = (
        f'<rect x="{min(zero, at):.1f}" y="20" width="{abs(at - zero):.1f}" height="12" '
        f'fill="{colour}"/>'
        f'<path d="M{zero:.1f} 14V38M{low:.1f} 26H{high:.1f}M{low:.1f} 21V31M{high:.1f} 21V31" '
        'stroke="currentColor" fill="none"/>'
        f"{_text(at, 12, size, 'middle')}{_text(zero, 50, '0', 'middle')}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{text}" viewBox="0 0 '
        f'{_WIDTH} 56" style="font:11px sans-serif;display:block;width:{_WIDTH}px;'
        f'max-width:100%">{body}</svg>'
    )


def _changes(view: View, winner: Candidate) -> str:
    """The parameters that differ, default → winner; of a team the values of its members."""
    search, default = view.as_search, default_of(view)
    team = has_team(search) and search is not None
    several = search.team if team and search is not None else (default, winner)
    if not team and winner == default:
        return ""
    names = dict.fromkeys(key for one in several for key in one.values)
    rows = [[name, *(one.values.get(name, "–") for one in several)] for name in names]
    rows = [row for row in rows if team or row[1] != row[2]]
    heads = ["parameter", *map(name_of, several)]
    title = "The members" if team else "What the winner changes"
    return table(title, heads, rows, total=len(rows)) if rows else ""


def name_of(candidate: Candidate) -> str:
    """A name that fits beside an axis."""
    text = printable(str(candidate)).replace("\n", " ")
    return text if len(text) <= 30 else f"{text[:20]}…{text[-9:]}"


def ranking_table(standings: Sequence[Standing], direction: Direction) -> str:
    """A ranking as an HTML table, mean scores in the direction of the race."""
    rows = (
        [
            place,
            one.candidate,
            configuration(one.candidate.values.items()),
            figure(score_of(one.mean_cost, direction)),
            *map(figure, one.metrics.values()),
            figure(one.mean_rank),
            one.instances,
            one.failures,
        ]
        for place, one in enumerate(standings, start=1)
    )
    score = "mean score" if direction == "maximize" else "mean cost"
    metrics = list(standings[0].metrics) if standings else []
    columns = ["", "candidate", "configuration", score, *metrics, "mean rank", "instances",
               "failures"]  # fmt: skip
    return table("Not dropped, best first", columns, rows, total=len(standings))


def sketches(view: View) -> str:
    """HTML with the small pictures; empty before the first instance is complete.

    A race: survivors over instances. A search: the number of instances of each configuration. Both:
    the winner against the default, a point for each instance.
    """
    results = view.results
    if not len(results.costs) or not len(results.candidates):
        return ""
    field = _survivors(view) if view.as_search is None else _attendance(view)
    drawn = [field, _against_default(view)]
    return f'<div style="display:flex;flex-wrap:wrap;gap:1em">{"".join(drawn)}</div>'


@dataclass(frozen=True)
class Axis:
    """Maps values to pixels; values of many magnitudes get a logarithmic axis."""

    low: float
    high: float
    begin: float
    end: float
    log: bool = False

    @classmethod
    def over(cls, values: Floats, begin: float, end: float, *, log: bool = False) -> Axis:
        """An axis that holds all values."""
        low, high = float(values.min()), float(values.max())
        return cls(low, high, begin, end, log and low > 0 and high > 100 * low)

    def __call__(self, values: Floats) -> Floats:
        """The pixels; a single value is in the middle."""
        low, high, at = (np.log(one) if self.log else one for one in (self.low, self.high, values))
        share = (at - low) / (high - low) if high > low else np.full(np.shape(at), 0.5)
        return np.asarray(self.begin + share * (self.end - self.begin), dtype=np.float64)


def _survivors(view: View) -> str:
    """The survivors over instances, as a step line."""
    alive = view.results.alive.sum(axis=1)
    counts: Floats = np.append(alive, len(view.survivors)).astype(np.float64)
    x = Axis(0, len(alive), _LEFT, _RIGHT)
    y = Axis(0, float(counts.max()), _BOTTOM, _TOP)
    changes = np.flatnonzero(np.diff(counts)) + 1
    path = f"M{_LEFT} {y(counts[:1])[0]:.1f}"
    for at, level in zip(x(changes.astype(np.float64)), y(counts[changes]), strict=True):
        path += f"H{at:.1f}V{level:.1f}"
    body = f'<path d="{path}H{_RIGHT}" fill="none" stroke="{_FIELD}" stroke-width="2"/>'
    said = (
        f"Survivors over instances: of {_count(len(view.candidates), 'candidate')}, "
        f"{len(view.survivors)} left after {_count(len(alive), 'instance')}."
    )
    return _picture(body, said, x, y, across="instances", up="survivors")


def _attendance(view: View) -> str:
    """A bar for each configuration, in order of entry."""
    results, winner = view.results, view.winner
    seen = (~np.isnan(results.costs)).sum(axis=0).astype(np.float64)
    chosen = _thinned(len(seen))
    x = Axis(1, len(seen), _LEFT + 3, _RIGHT - 3)
    y = Axis(0, float(seen.max()), _BOTTOM, _TOP)
    body = _bars(x(1 + chosen.astype(np.float64)), y(seen[chosen]), _FIELD)
    said = (
        f"Instances seen by each of {_count(len(seen), 'configuration')}, in order of entry"
        f"{_left_out(len(chosen), len(seen))}"
    )
    if winner is not None and winner.id in results.candidates:
        own = results.candidates.index(winner.id)
        body += _bars(x(np.array([own + 1.0])), y(seen[[own]]), _WINNER)
        said += f"; the winner {name_of(winner)} in blue"
    return _picture(body, said + ".", x, y, across="configurations", up="instances")


def _against_default(view: View) -> str:
    """A point for each instance that both ran: the default across, the winner up."""
    results, winner, default = view.results, view.winner, default_of(view)
    if (
        winner is None
        or winner.id == default.id
        or not ({winner.id, default.id} <= set(results.candidates))
    ):
        return ""
    columns = [results.candidates.index(one.id) for one in (default, winner)]
    costs = results.costs[:, columns]
    costs = costs[~np.isnan(costs).any(axis=1)]
    finite = costs[np.isfinite(costs).all(axis=1)]
    if not len(finite):
        return ""
    direction = view.direction
    scores = score_of(finite[_thinned(len(finite))], direction)
    x = Axis.over(scores, _LEFT, _RIGHT, log=True)
    y = Axis.over(scores, _BOTTOM, _TOP, log=True)
    body = (
        f'<path d="M{_LEFT} {_BOTTOM}L{_RIGHT} {_TOP}" stroke="currentColor" opacity="0.4"/>'
        + "".join(
            f'<circle cx="{at:.1f}" cy="{level:.1f}" r="3" fill="{_WINNER}" fill-opacity="0.7"/>'
            for at, level in zip(x(scores[:, 0]), y(scores[:, 1]), strict=True)
        )
    )
    return _picture(
        body, _won(winner, default, costs, len(finite), len(scores), direction), x, y,
        across=f"score of {name_of(default)}", up=f"score of {name_of(winner)}",
    )  # fmt: skip


def _won(
    winner: Candidate,
    default: Candidate,
    costs: Floats,
    finite: int,
    drawn: int,
    direction: Direction,
) -> str:
    """The sentence of the winner against the default."""
    wins = int((costs[:, 1] < costs[:, 0]).sum())
    side = "above" if direction == "maximize" else "below"
    failed = len(costs) - finite
    return (
        f"{name_of(winner)} is better than {name_of(default)} on {wins} of "
        f"{_count(len(costs), 'instance')}: the points {side} the diagonal"
        f"{_left_out(drawn, finite)}"
        + (f"; {failed} with a failure are not drawn" if failed else "")
        + "."
    )


def _picture(body: str, said: str, x: Axis, y: Axis, *, across: str, up: str) -> str:
    """A figure with two axes, the ends of both, and a sentence below."""
    text = escaped(said)
    marks = [
        _text(_LEFT, _BOTTOM + 14, figure(x.low), "start"),
        _text(_RIGHT, _BOTTOM + 14, figure(x.high), "end"),
        _text(_LEFT - 4, _BOTTOM, figure(y.low), "end"),
        _text(_LEFT - 4, _TOP + 8, figure(y.high), "end"),
        _text((_LEFT + _RIGHT) / 2, _BOTTOM + 30, across + " (log)" * x.log, "middle"),
        f'<g transform="rotate(-90)">{_text(-(_TOP + _BOTTOM) / 2, 12, up, "middle")}</g>',
    ]
    return (
        f'<figure style="margin:0;width:{_WIDTH}px;max-width:100%">'
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{text}" '
        f'viewBox="0 0 {_WIDTH} {_HEIGHT}" style="font:11px sans-serif">'
        f'<path d="M{_LEFT} {_TOP}V{_BOTTOM}H{_RIGHT}" fill="none" stroke="currentColor" '
        f'opacity="0.6"/>{body}{"".join(marks)}</svg>'
        f'<figcaption style="font-size:smaller">{text}</figcaption></figure>'
    )


def _bars(across: Floats, up: Floats, colour: str) -> str:
    path = "".join(f"M{at:.1f} {_BOTTOM}V{to:.1f}" for at, to in zip(across, up, strict=True))
    return f'<path d="{path}" stroke="{colour}" stroke-width="2"/>'


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" fill="currentColor">'
        f"{escaped(text)}</text>"
    )


def _thinned(n: int) -> NDArray[np.intp]:
    """At most `MOST` of n places, evenly spaced, with the first and the last."""
    return np.unique(np.linspace(0, n - 1, min(n, MOST)).round().astype(np.intp))


def _left_out(drawn: int, total: int) -> str:
    return "" if drawn == total else f" ({drawn} of them drawn)"


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"
