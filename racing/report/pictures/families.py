"""The winner's gain over the default in each family of instances, with intervals."""

from __future__ import annotations

from racing.report.families import family_sentences
from racing.report.history import History
from racing.report.names import refer
from racing.report.pictures.picture import Picture, short, table

_READING = (
    "A mark is the {measure} gain on the instances of a family, a bar its interval. Right of the "
    "line the winner is better. The intervals hold together, so they are wider than one alone; an "
    "arrow has no end there. {caveat}"
)
_FRESH = "These instances are unseen: they had no part in the choice."
_CHOSE = "The winner was also chosen on these instances, so the gains are overstated."


def picture(history: History) -> Picture | None:
    """A bar for each family; None without families."""
    found = history.facts.families
    if found is None:
        return None
    told = found.rows[0].gain
    columns = ("family", "instances", "gain", "from", "to", "better", "equal", "worse", "best")
    rows = [
        (refer(row.family), one.instances, short(one.estimate),
         *((short(one.low), short(one.high)) if one.closed else (None, None)),
         one.wins, one.ties, one.losses, row.best and refer(row.best))
        for row in found.rows for one in [row.gain]
    ]  # fmt: skip
    return Picture(
        id="families",
        title="By family: " + " against ".join(map(refer, found.names)),
        sentence=" ".join(family_sentences(found)),
        reading=_READING.format(measure=told.measure, caveat=_FRESH if told.fresh else _CHOSE),
        chart="intervals",
        data={"label": "gain", "rows": [row[:5] for row in rows]},
        table=table(columns, rows),
    )
