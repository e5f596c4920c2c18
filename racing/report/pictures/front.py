"""The Pareto front of a race, as a table."""

from __future__ import annotations

from racing.report.answer import answer
from racing.report.history import History
from racing.report.names import name_of
from racing.report.pictures.picture import Picture, nothing, table

_READING = (
    "No other survivor is at least as good in every metric and better in one. P is the probability "
    "of being on the front of the true means; it is low where several are almost equal. Dominated "
    "candidates are named if theirs is .1 or more. The best compromise gives up least of what lies "
    "between the best and the worst of the front, in the metric in which it gives up most."
)


def picture(history: History) -> Picture | None:
    """The front by its first metric, and what may be on it; None where none is asked for."""
    found, winner = history.facts.front, history.facts.winner
    if found is None:
        return None
    if not found.front:
        return nothing("front", "Front", "No instance is complete yet.")
    names = tuple(found.front[0].metrics)
    return Picture(
        id="front",
        title="Front",
        sentence=answer(history.facts).headline,
        reading=_READING,
        table=table(
            ("candidate", "P", *names, "failed", ""),
            (
                (
                    name_of(history, one.candidate.id),
                    one.on_front,
                    *one.metrics.values(),
                    one.failures,
                    "best compromise" if one.candidate == winner else "dominated" if beaten else "",
                )
                for part, beaten in ((found.front, False), (found.maybe, True))
                for one in part
            ),
        ),
    )
