"""A race, a search or a result in a notebook: a document with small pictures, as HTML.

The answer, what the winner changes, and the ranking. A race draws its survivors over instances, a
search the number of instances of each configuration, both the winner against the default. Pictures
are static SVG, of the forms of all pictures.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from racing.answer.document import Document, Heading, Part, Sentences, literal, table
from racing.answer.document import Figure as Drawn
from racing.answer.gain import Gain
from racing.answer.head import NOTHING, Beside, has_team
from racing.answer.html import html
from racing.answer.run import answer
from racing.answer.words import label
from racing.base.errors import MissingExtra
from racing.base.markup import MOST_ROWS, configuration
from racing.base.quantities import score_of
from racing.base.words import count, number, shown, value_text
from racing.core.view import View, default_of
from racing.report.figures import svg
from racing.report.forms import Axis, Bars, Figure, Line, column, figure
from racing.report.picture import Picture, some
from racing.report.pictures.result import beside_default, gain_figure
from racing.report.run_tables import changes_table, shows_mean

MOST = 280
"""The most points or bars of a picture; of more, evenly spaced ones are drawn."""

_HEIGHT = 220


def in_notebook(view: View, words: str, beside: Beside = NOTHING) -> str:
    """HTML of a race or search; `words` say what it is."""
    return html([*head(view, beside), Sentences((literal(words),)), *_drawn(view), _ranking(view)])


def head(view: View, beside: Beside = NOTHING) -> Iterator[Part]:
    """The answer: the headline, the gain in words and drawn, and what changes."""
    winner, search = view.winner, view.as_search
    if winner is None or not view.candidates:
        return
    told = answer(view, beside)
    yield Heading(told.headline)
    if told.sentences:
        yield Sentences(told.sentences)
    yield from gain_bar(told.gain)
    if search is None or not has_team(search):
        yield from changes_table(default_of(view), winner)
        return
    rows = (
        map(literal, (name, *(value_text(one.values.get(name)) for one in search.team)))
        for name in dict.fromkeys(key for one in search.team for key in one.values)
    )
    yield table("team", "The members", ("parameter", *map(name_of, search.team)), rows)


def gain_bar(gain: Gain) -> Iterator[Drawn]:
    """A gain with its interval, drawn; nothing where they are not finite, or without matplotlib."""
    if gain.estimate is not None and gain.closed:
        ends = f"{number(gain.low)} to {number(gain.high)}"
        try:
            said = f"{label(gain)}: {number(gain.estimate)}, {ends}"
            yield Drawn(said, svg(gain_figure(gain), said))
        except MissingExtra:
            return


def _drawn(view: View) -> Document:
    """The pictures; none before the first instance is complete."""
    if not len(view.results.costs) or not len(view.results.candidates):
        return []
    try:
        return [Drawn(said, svg(drawn, said)) for said, drawn in _pictures(view)]
    except MissingExtra as why:
        return [Sentences((f"No pictures: {why}",))]


def _pictures(view: View) -> Iterator[tuple[str, Figure]]:
    """Each in words, and as a figure."""
    yield _survivors(view) if view.as_search is None else _attendance(view)
    drawn = beside_default(view, most=MOST, height=_HEIGHT)
    if isinstance(drawn, Picture) and drawn.figure is not None:
        yield drawn.sentence, drawn.figure


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
    return said, figure([line], x, y, height=_HEIGHT)


def _attendance(view: View) -> tuple[str, Figure]:
    """A bar for each configuration, in order of entry."""
    results, winner = view.results, view.winner
    seen = (~np.isnan(results.costs)).sum(axis=0)
    at = some(len(seen), MOST)
    said = f"Instances seen by each of {count(len(seen), 'configuration')}, in order of entry"
    if len(at) < len(seen):
        said += f" ({len(at)} of them drawn)"
    fates = ["survivor"] * len(at)
    if winner is not None and winner.id in results.candidates:
        at = np.append(at, results.candidates.index(winner.id))
        fates.append("winner")
        said += f"; the winner {name_of(winner)} in blue"
    bars = Bars(x0=at + 0.6, x1=at + 1.4, y0=0 * at, y1=seen[at])
    looks = {fate: {"colour": fate} for fate in ("survivor", "winner")}
    x, y = Axis(name="configurations", whole=True), Axis(name="instances", whole=True)
    return f"{said}.", figure(bars.split(fates, looks), x, y, height=_HEIGHT)


def name_of(candidate: object) -> str:
    """A name that fits beside an axis."""
    return shown(str(candidate), 30)


def _ranking(view: View) -> Part:
    """Those that were not dropped, mean scores in the direction of the race."""
    standings = view.ranking()
    metrics, more = list(standings[0].metrics) if standings else [], len(standings) - MOST_ROWS
    score = ["mean score" if view.direction == "maximize" else "mean cost"] * shows_mean(view)
    return table(
        "ranking",
        "Not dropped, best first",
        (">", "candidate", "configuration", *(f">{one}" for one in (
            *score, *metrics, "mean rank", "instances", "failures"))),
        (
            (place, one.candidate, literal(configuration(one.candidate.values.items())),
             *[score_of(one.mean_cost, view.direction) for _ in score], *one.metrics.values(),
             one.mean_rank, one.instances, one.failures)
            for place, one in enumerate(standings[:MOST_ROWS], start=1)
        ),
        notes=[f"{more} more rows are not shown"] if more > 0 else (),
    )  # fmt: skip
