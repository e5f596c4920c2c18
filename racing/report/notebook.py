"""The small pictures of a race or search in a notebook: static SVG, of the forms of all pictures.

A race: survivors over instances. A search: the number of instances of each configuration. Both: the
winner against the default, a point for each instance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from racing.answer.gain import Gain
from racing.answer.notebook import name_of
from racing.answer.words import label
from racing.base.errors import MissingExtra
from racing.base.markup import escaped, paragraph
from racing.base.words import count, number
from racing.core.view import View, default_of
from racing.report.figures import svg
from racing.report.forms import Axis, Bars, Figure, Line, Plot, column
from racing.report.pictures.result import gain_figure, pair_rows, pairs_figure

MOST = 280
"""The most points or bars of a picture; of more, evenly spaced ones are drawn."""

_HEIGHT = 220


def sketches(view: View) -> str:
    """HTML of the pictures; empty before the first instance is complete."""
    if not len(view.results.costs) or not len(view.results.candidates):
        return ""
    try:
        drawn = "".join(_html(said, figure) for said, figure in _pictures(view))
    except MissingExtra as why:
        return paragraph(f"No pictures: {why}")
    return f'<div style="display:flex;flex-wrap:wrap;gap:1em">{drawn}</div>'


def gain_bar(gain: Gain) -> str:
    """A gain with its interval, drawn; empty where they are not finite, or without matplotlib."""
    if gain.estimate is None or not gain.closed:
        return ""
    said = f"{label(gain)}: {number(gain.estimate)}, {number(gain.low)} to {number(gain.high)}"
    try:
        drawn = svg(gain_figure(gain.estimate, gain.low, gain.high), said)
    except MissingExtra:
        return ""
    return f'<div style="width:400px;max-width:100%">{drawn}</div>'


def _html(said: str, figure: Figure) -> str:
    text = escaped(said)
    return (
        f'<figure style="margin:0;width:400px;max-width:100%">{svg(figure, said)}'
        f'<figcaption style="font-size:smaller">{text}</figcaption></figure>'
    )


def _pictures(view: View) -> Iterator[tuple[str, Figure]]:
    """Each in words, and as a figure."""
    yield _survivors(view) if view.as_search is None else _attendance(view)
    winner, default, results = view.winner, default_of(view), view.results
    if winner is None or winner == default:
        return
    if not {winner.id, default.id} <= set(results.candidates):
        return
    costs = results.costs[:, [results.candidates.index(one.id) for one in (default, winner)]]
    ran = np.flatnonzero(~np.isnan(costs).any(axis=1))
    if np.isfinite(costs[ran]).all(axis=1).any():
        yield _of_two(view, name_of(default), name_of(winner), ran, costs)


def _survivors(view: View) -> tuple[str, Figure]:
    alive = view.results.alive.sum(axis=1)
    counts = column([*alive.tolist(), len(view.survivors)])
    at = [k for k in range(len(counts)) if k in (0, len(alive)) or counts[k] != counts[k - 1]]
    line = Line(x=(column(at),), y=(tuple(counts[k] for k in at),), step="after", colour="survivor",
                filled=True)  # fmt: skip
    said = (
        f"Survivors over instances: of {count(len(view.candidates), 'candidate')}, "
        f"{len(view.survivors)} left after {count(len(alive), 'instance')}."
    )
    x, y = Axis(name="instances", whole=True), Axis(name="survivors", whole=True)
    return said, Figure(plots=(Plot(x=(x,), y=(y,), marks=(line,), height=_HEIGHT),))


def _attendance(view: View) -> tuple[str, Figure]:
    """A bar for each configuration, in order of entry."""
    results, winner = view.results, view.winner
    seen, chosen = (~np.isnan(results.costs)).sum(axis=0), _thinned(results.costs.shape[1])
    marks = [_bars(chosen, seen, "survivor")]
    said = (
        f"Instances seen by each of {count(len(seen), 'configuration')}, in order of entry"
        f"{_left_out(len(chosen), len(seen))}"
    )
    if winner is not None and winner.id in results.candidates:
        marks.append(_bars(np.array([results.candidates.index(winner.id)]), seen, "winner"))
        said += f"; the winner {name_of(winner)} in blue"
    x, y = Axis(name="configurations", whole=True), Axis(name="instances", whole=True)
    return f"{said}.", Figure(plots=(Plot(x=(x,), y=(y,), marks=tuple(marks), height=_HEIGHT),))


def _bars(at: NDArray[np.intp], seen: NDArray[np.intp], colour: str) -> Bars:
    return Bars(
        x0=column((at + 0.6).tolist()), x1=column((at + 1.4).tolist()), y0=(0.0,) * len(at),
        y1=column(seen[at].tolist()), colour=colour,
    )  # fmt: skip


def _of_two(
    view: View, default: str, winner: str, ran: NDArray[np.intp], costs: NDArray[np.float64]
) -> tuple[str, Figure]:
    """A point for each instance that both ran: the default across, the winner up."""
    kept = ran[_thinned(len(ran))]
    rows = pair_rows([view.instance(int(k)).name for k in kept], costs[kept], view.direction)
    columns = ("instance", default, winner, "improvement")
    wins = int((costs[ran, 1] < costs[ran, 0]).sum())
    failed = int(np.isinf(costs[ran]).any(axis=1).sum())
    side = "above" if view.direction == "maximize" else "below"
    said = (
        f"{winner} is better than {default} on {wins} of {count(len(ran), 'instance')}: the points "
        f"{side} the diagonal{_left_out(len(kept), len(ran))}"
        + (f"; on {failed} one of them failed" if failed else "")
    )
    names = f"score of {default}", f"score of {winner}"
    (plot,) = pairs_figure(columns, rows, names, "", view.direction).plots
    return f"{said}.", Figure(plots=(replace(plot, height=_HEIGHT),))


def _thinned(n: int) -> NDArray[np.intp]:
    """At most `MOST` of n places, evenly spaced, with the first and the last."""
    return np.unique(np.linspace(0, n - 1, min(n, MOST)).round().astype(np.intp))


def _left_out(drawn: int, total: int) -> str:
    return "" if drawn == total else f" ({drawn} of them drawn)"
