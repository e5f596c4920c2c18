"""The family tree: parents and children, and the winner's ancestors."""

from __future__ import annotations

from collections import Counter

from racing.base.words import count
from racing.report.history import History
from racing.report.names import name_of
from racing.report.origins import origins
from racing.report.pictures.picture import Picture, nothing, table

_MOST = 1500

_READING = (
    "Each point is a configuration, from left to right in the order of entry; a line "
    "leads to the one it was derived from. The winner's ancestors are drawn thick. "
    "Branches that end are lines that were dropped."
)


def picture(history: History) -> Picture:
    """Configurations by entry and generation, joined to their parents."""
    found = origins(history)
    if not any(one.parent is not None for one in found):
        return nothing("family", "Family tree", "No candidate was derived from another one.")
    line = [name_of(history, one.candidate) for one in found if one.ancestor]
    deep = max(one.generation for one in found)
    kept = found
    if len(found) > _MOST:
        kept = tuple(one for one in found if one.ancestor or one.number > len(found) - _MOST)
    how = Counter(one.origin for one in found)
    said = f"{count(len(found), 'configuration')} in {count(deep + 1, 'generation')}"
    said += f" ({', '.join(f'{many} {name}' for name, many in how.most_common())})."
    if len(line) > 1:
        said += f" The winner's line: {' → '.join(line)}."
    if len(kept) < len(found):
        said += f" Drawn: the winner's line and the last {_MOST}."
    columns = ("number", "candidate", "parent", "origin", "generation", "fate")
    return Picture(
        id="family",
        title="Family tree",
        sentence=said,
        reading=_READING,
        chart="family",
        data={
            "rows": [
                (one.number, one.candidate, one.parent, one.generation, int(one.ancestor))
                for one in kept
            ]
        },
        table=table(
            columns,
            (
                (
                    one.number,
                    name_of(history, one.candidate),
                    None if one.parent is None else name_of(history, one.parent),
                    one.origin,
                    one.generation,
                    one.fate,
                )
                for one in found
            ),
        ),
    )
