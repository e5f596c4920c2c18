"""The number of survivors, over instances, evaluations and time."""

from __future__ import annotations

from racing.base.words import count
from racing.report.history import History
from racing.report.pictures.picture import Picture, nothing, short, table

_MOST = 2000  # marks; further ones would lie on each other


def picture(history: History) -> Picture:
    """A falling step line for a race; for a search the elites, and the configurations tried."""
    marks = history.marks
    if marks[-1].evaluations == 0:
        return nothing("survivors", "Survivors", "No evaluation has ended yet.")
    step = -(-len(marks) // _MOST)
    kept = [*marks[:-1:step], marks[-1]]
    first, last = marks[0], marks[-1]
    if history.searching:
        title, what = "Configurations tried", "elites"
        sentence = (
            f"{count(last.entered, 'configuration')} were tried in "
            f"{count(last.evaluations, 'evaluation')}; {count(last.alive, 'elite')} at the end."
        )
    else:
        title, what = "Survivors", "survivors"
        start = max(first.entered, first.alive)
        sentence = (
            f"Of {count(start, 'candidate')}, {last.alive} "
            f"{'is' if last.alive == 1 else 'are'} left after {count(last.instances, 'instance')}."
        )
    columns = ("instances", "evaluations", "seconds", what, "entered")
    rows = [
        (m.instances, m.evaluations, short(m.elapsed, 4), m.alive, m.entered) for m in kept
    ]  # fmt: skip
    if not history.searching:
        rows.insert(0, (0, 0, 0.0, first.entered, first.entered))
    return Picture(
        id="survivors",
        title=title,
        sentence=sentence,
        reading=(
            "The line falls when a verdict drops candidates. A steep start saves most: what is "
            "dropped early is not evaluated on later instances. The horizontal axis can show "
            "instances, evaluations or time."
        ),
        chart="survivors",
        data={"columns": columns, "rows": rows, "searching": history.searching},
        table=table(columns, rows),
    )
