"""The use of the budget."""

from __future__ import annotations

import math

from racing.base.words import amounts, count, listed, number, percent
from racing.report.history import History
from racing.report.pictures.picture import Picture, nothing, short, table
from racing.report.spending import spending


def picture(history: History) -> Picture:
    """The spending on winner, survivors and dropped candidates, and the rest."""
    parts = spending(history)
    facts = history.facts
    if not facts.counted:
        return nothing("budget", "Where the budget went", "Nothing has been spent yet.")
    dropped = sum(part.evaluations for part in parts if part.name.startswith("dropped"))
    left = facts.left.evaluations
    unspent = f" {left:.0f} evaluations are unspent." if math.isfinite(left) else ""
    failed = sum(part.failed for part in parts)
    paid = f" They were charged {listed(amounts(facts.paid))}." if facts.paid else ""
    said = (
        f"{count(facts.counted, 'evaluation')} took {number(facts.seconds, 4)} s of target "
        f"time; {percent(dropped / facts.counted)} went into candidates that were dropped"
        f"{f', and {failed} failed' if failed else ''}.{paid}{unspent}"
    )
    units = sorted(facts.paid, key=lambda unit: unit != "usd")
    rows = [
        (
            *(part.name, part.candidates, part.evaluations, short(part.seconds, 4), part.failed),
            *(short(part.paid.get(unit, 0.0), 4) for unit in units),
        )
        for part in parts
    ]
    return Picture(
        id="budget",
        title="Where the budget went",
        sentence=said,
        reading=(
            "Parts of all evaluations and of all target time, by what became of the candidate. A "
            "large part for candidates that were dropped late means that they were hard to tell "
            "from the best."
        ),
        chart="budget",
        data={"rows": rows, "units": units, "left": short(left) if math.isfinite(left) else None},
        table=table(("part", "candidates", "evaluations", "seconds", "failed", *units), rows),
    )
