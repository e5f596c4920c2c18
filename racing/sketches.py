"""Small pictures of a race or search for notebooks: static inline SVG, without scripts.

They are drawn from the results that the decider has, as the report's pictures are. Lines and text
take the colour of the notebook's text, so that they can be read on light and on dark pages.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

from racing.candidate import Candidate
from racing.decider import Decider
from racing.markup import figure
from racing.plain import printable

MOST = 400
"""Points or bars of a picture; of more, evenly spaced ones are drawn."""

_WIDTH, _HEIGHT = 330, 200
_LEFT, _TOP, _RIGHT, _BOTTOM = 46, 10, 320, 160
_FIELD, _WINNER = "#4c8bd6", "#e07b39"

Floats = NDArray[np.float64]


def sketches(decider: Decider) -> str:
    """HTML with the small pictures; empty before the first instance is complete.

    A race: survivors over instances. A search: how many instances each configuration has seen. Both
    with the winner against the default, a point for each instance.
    """
    results = decider.results
    if not len(results.costs) or not len(results.candidates):
        return ""
    searching = getattr(decider, "elites", None) is not None
    drawn = [_attendance(decider) if searching else _survivors(decider), _against_default(decider)]
    return f'<div style="display:flex;flex-wrap:wrap;gap:1em">{"".join(drawn)}</div>'


def default_of(decider: Decider) -> Candidate:
    """The candidate called `default`, or the first one; what a search compares its winner with."""
    baseline: Candidate | None = getattr(decider, "baseline", None)
    if baseline is not None:
        return baseline
    named = [one for one in decider.candidates if one.name == "default"]
    return named[0] if named else decider.candidates[0]


@dataclass(frozen=True)
class Axis:
    """From values to pixels; values of many magnitudes get a logarithmic axis."""

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
        """The pixels; a single value is put in the middle."""
        low, high, at = (np.log(one) if self.log else one for one in (self.low, self.high, values))
        share = (at - low) / (high - low) if high > low else np.full(np.shape(at), 0.5)
        return np.asarray(self.begin + share * (self.end - self.begin), dtype=np.float64)


def _survivors(decider: Decider) -> str:
    """A falling step line."""
    alive = decider.results.alive.sum(axis=1)
    counts: Floats = np.append(alive, len(decider.survivors)).astype(np.float64)
    x = Axis(0, len(alive), _LEFT, _RIGHT)
    y = Axis(0, float(counts.max()), _BOTTOM, _TOP)
    changes = np.flatnonzero(np.diff(counts)) + 1
    path = f"M{_LEFT} {y(counts[:1])[0]:.1f}"
    for at, level in zip(x(changes.astype(np.float64)), y(counts[changes]), strict=True):
        path += f"H{at:.1f}V{level:.1f}"
    body = f'<path d="{path}H{_RIGHT}" fill="none" stroke="{_FIELD}" stroke-width="2"/>'
    said = (
        f"Survivors over instances: of {_count(len(decider.candidates), 'candidate')}, "
        f"{len(decider.survivors)} left after {_count(len(alive), 'instance')}."
    )
    return _picture(body, said, x, y, across="instances", up="survivors")


def _attendance(decider: Decider) -> str:
    """A bar for each configuration, in order of entry."""
    results, winner = decider.results, decider.winner
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
        said += f"; the winner {_name(winner)} in orange"
    return _picture(body, said + ".", x, y, across="configurations", up="instances")


def _against_default(decider: Decider) -> str:
    """A point for each instance that both ran: the default across, the winner up."""
    results, winner, default = decider.results, decider.winner, default_of(decider)
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
    direction: str = getattr(decider, "direction", "minimize")
    sign = -1.0 if direction == "maximize" else 1.0
    scores = 0.0 + sign * finite[_thinned(len(finite))]
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
        across=f"score of {_name(default)}", up=f"score of {_name(winner)}",
    )  # fmt: skip


def _won(
    winner: Candidate, default: Candidate, costs: Floats, finite: int, drawn: int, direction: str
) -> str:
    """The sentence of the winner against the default."""
    wins = int((costs[:, 1] < costs[:, 0]).sum())
    side = "above" if direction == "maximize" else "below"
    failed = len(costs) - finite
    return (
        f"{_name(winner)} is better than {_name(default)} on {wins} of "
        f"{_count(len(costs), 'instance')}: the points {side} the diagonal"
        f"{_left_out(drawn, finite)}"
        + (f"; {failed} with a failure are not drawn" if failed else "")
        + "."
    )


def _picture(body: str, said: str, x: Axis, y: Axis, *, across: str, up: str) -> str:
    """A figure with two axes, the ends of both, and a sentence below."""
    text = escape(said)
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
        f"{escape(text)}</text>"
    )


def _thinned(n: int) -> NDArray[np.intp]:
    """At most `MOST` of n places, evenly spaced, with the first and the last."""
    return np.unique(np.linspace(0, n - 1, min(n, MOST)).round().astype(np.intp))


def _left_out(drawn: int, total: int) -> str:
    return "" if drawn == total else f" ({drawn} of them drawn)"


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


def _name(candidate: Candidate) -> str:
    """A name that fits beside an axis."""
    text = printable(str(candidate)).replace("\n", " ")
    return text if len(text) <= 30 else f"{text[:20]}…{text[-9:]}"
