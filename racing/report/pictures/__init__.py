"""Facts → pictures: each with a title, a sentence, how to read it, numbers and a table."""

from __future__ import annotations

from racing.report.history import History
from racing.report.pictures import (
    against_default,
    budget,
    configurations,
    diagram,
    differences,
    dropped,
    effects,
    failures,
    family,
    posterior,
    ranks,
    sampling,
    survivors,
    workers,
)
from racing.report.pictures.picture import DataTable, Picture

__all__ = ["DataTable", "Picture", "pictures"]

_EVERY = (
    survivors,
    against_default,
    differences,
    posterior,
    ranks,
    configurations,
    effects,
    dropped,
    diagram,
    budget,
    workers,
    sampling,
    family,
    failures,
)
_OF_A_SEARCH = (sampling, family)


def pictures(history: History) -> tuple[Picture, ...]:
    """Every picture of a run, in the order of a page."""
    parents = any(one.parent is not None for one in history.candidates.values())
    return tuple(
        module.picture(history)
        for module in _EVERY
        if history.searching or parents or module not in _OF_A_SEARCH
    )
