"""The best candidate so far, over evaluations and over time."""

from __future__ import annotations

from racing.base.quantities import score_of
from racing.base.words import count, number
from racing.core.view import default_of
from racing.report.history import History
from racing.report.incumbent import incumbents
from racing.report.names import name_of, refer
from racing.report.pictures.picture import Picture, in_unit, nothing, short, table

_ID, _TITLE = "best-so-far", "Best so far"


def picture(history: History) -> Picture:
    """A step for each new best candidate: by how much it is better than the default."""
    found = incumbents(history)
    if not found:
        return nothing(_ID, _TITLE, "No candidate has been ahead yet.")
    facts, last = history.facts, history.marks[-1]
    direction, unit = facts.header.direction, facts.unit
    default = refer(default_of(history.race))
    rows = [
        (
            one.evaluations,
            short(one.elapsed, 4),
            name_of(history, one.candidate),
            short(score_of(one.cost, direction)),
            short(one.gain),
            one.instances,
        )
        for one in found
    ]
    said = f"{count(len(found), 'candidate')} led{' in turn' if len(found) > 1 else ''}"
    final = found[-1]
    name = name_of(history, final.candidate)
    if final.gain is not None and name != default:
        said += (
            f"; {name}, the last one, differs from {default} by {number(final.gain, 4)} on "
            f"average over {count(final.instances, 'instance')}"
        )
    return Picture(
        id=_ID,
        title=_TITLE,
        sentence=f"{said}.",
        reading=(
            f"Each step is a candidate that took the lead. Its height is the mean improvement over "
            f"{default} on the instances that both ran without a failure, by all that the run "
            "knows now: above 0 it is better. The table has its mean score there too. "
            "It was chosen on them, so the height is too optimistic. A line that stays flat says "
            "that more budget brought nothing."
        ),
        chart="incumbent",
        data={
            "rows": rows,
            "end": (last.evaluations, short(last.elapsed, 4)),
            "default": default,
            "unit": unit,
        },
        table=table(
            (
                "evaluations",
                "seconds",
                "candidate",
                in_unit("mean score", unit),
                in_unit("improvement", unit),
                "instances",
            ),
            rows,
        ),
    )
