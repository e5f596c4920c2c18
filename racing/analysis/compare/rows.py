"""Common parts of paired and unpaired reports: the last column of a ranking, names of pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from racing.analysis.compare.groups import letters
from racing.answer.document import Paragraph, Part, quoted

if TYPE_CHECKING:
    from racing.analysis.compare.verdicts import Verdicts

_LETTERS = 26  # groups up to which letters can be read


def marks(c: Verdicts) -> tuple[str, tuple[str, ...], str]:
    """The last column of the ranking: its head, its cells, and how it is read."""
    if c.choices.control is not None:
        control = quoted(c.names[c.choices.control])
        return "against the control", _against(c), f"The control is {control}."
    found = c.groups
    if found is not None and len(found) <= _LETTERS:
        reading = "Algorithms that share a letter were not shown to differ."
        return "groups", letters(found, len(c.names)), reading
    best = c.order[0]
    marks = tuple(
        "" if i == best else "not shown to differ" if c.joined[best, i] else "differs"
        for i in range(len(c.names))
    )
    return "from the first", marks, "The last column compares with the first algorithm."


def _against(c: Verdicts) -> tuple[str, ...]:
    marks = []
    for i in range(len(c.names)):
        if i == c.choices.control:
            marks.append("control")
            continue
        k = int(np.flatnonzero(c.family.first == i)[0])
        if not c.significant[k]:
            marks.append("not shown to differ")
        else:
            marks.append("better" if c.family.favours[k] > 0 else "worse")
    return tuple(marks)


def pair(c: Verdicts, i: int, j: int) -> str:
    """The names of two algorithms, the leading one first."""
    return f"{quoted(c.names[i])} – {quoted(c.names[j])}"


def left_out(many: int, what: str, which: str) -> tuple[Part, ...]:
    """How many rows of a table are not shown; () if none."""
    if many <= 0:
        return ()
    return (
        Paragraph(
            f"{many} further {what}{'' if many == 1 else 's'} {which} "
            f"{'is' if many == 1 else 'are'} not shown (--all-rows shows everything, --tables "
            "FOLDER writes it as CSV)."
        ),
    )
