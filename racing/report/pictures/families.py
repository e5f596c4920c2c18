"""The winner's gain over the default in each family of instances, with intervals."""

from __future__ import annotations

from racing.report.family_words import family_sentences
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
    columns = ("family", "instances", "gain", "from", "to", "better", "equal", "worse", "best")
    rows = [
        (refer(one.family), one.instances, short(one.gain), short(one.low), short(one.high),
         one.wins, one.ties, one.losses, one.ahead and refer(one.ahead))
        for one in found.rows
    ]  # fmt: skip
    return Picture(
        id="families",
        title=f"By family: {refer(found.winner)} against {refer(found.against)}",
        sentence=" ".join(family_sentences(found)),
        reading=_READING.format(measure=found.measure, caveat=_FRESH if found.fresh else _CHOSE),
        chart="intervals",
        data={"label": "gain", "rows": [row[:5] for row in rows]},
        table=table(columns, rows),
    )
