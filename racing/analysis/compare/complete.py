"""Missing cells: named and refused, or left out row by row or column by column."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from racing.analysis.compare.result_table import Duplicates, Floats, Missing, ResultTable, numbered
from racing.base.errors import TableError, show
from racing.base.quantities import Direction
from racing.base.words import count

Codes: TypeAlias = NDArray[np.int64]

_NAMED = 5  # missing cells that a message names


def complete(
    names: Iterable[str],
    instances: Iterable[str],
    scores: Floats,
    *,
    direction: Direction | None = None,
    missing: Missing = "refuse",
    duplicates: Duplicates = "refuse",
    source: str = "table",
    from_race: bool = False,
    groups: Iterable[object] = (),
) -> ResultTable:
    """A table without missing cells (NaN): refused, or left out row by row or column by column.

    Instances of one name are refused, or numbered if `duplicates` is "number".

    Raises
    ------
    TableError
        If cells are missing and `missing` is "refuse", or too little is left.
    """
    if missing not in ("refuse", "drop-instances", "drop-algorithms"):
        raise TableError(
            "missing: expected refuse, drop-instances or drop-algorithms; got " + show(missing)
        )
    if duplicates not in ("refuse", "number"):
        raise TableError(f"duplicates: expected refuse or number; got {show(duplicates)}")
    names, instances, left_out = tuple(names), tuple(instances), ()
    belongs = tuple(str(group) for group in groups)
    instances = numbered(instances) if duplicates == "number" else instances
    gaps = _gaps(scores)
    if gaps.any() and gaps.shape == (len(instances), len(names)):
        if missing == "refuse":
            raise TableError(_missing_cells(names, instances, gaps, source, scores, from_race))
        axis = 1 if missing == "drop-instances" else 0
        kept: NDArray[np.bool_] = ~np.asarray(gaps.any(axis=axis))
        labels = instances if axis == 1 else names
        left_out = tuple(np.array(labels, dtype=object)[~kept])
        _check_rest(kept, axis, source)
        if axis == 1:
            instances = tuple(np.array(instances, dtype=object)[kept])
            belongs = tuple(compress(belongs, kept))
            scores = scores[kept]
        else:
            names = tuple(np.array(names, dtype=object)[kept])
            scores = scores[:, kept]
    return ResultTable(
        names=names,
        instances=instances,
        scores=scores,
        direction=direction or "minimize",
        source=source,
        assumed=direction is None,
        from_race=from_race,
        left_out=left_out,
        groups=belongs,
    )


def coded(words: Sequence[str]) -> tuple[Codes, list[str]]:
    """Numbers for the distinct words, in the order in which they appear."""
    index = {word: at for at, word in enumerate(dict.fromkeys(words))}
    return np.array([index[word] for word in words], dtype=np.int64), list(index)


def arranged(
    instances: Codes,
    algorithms: Codes,
    labels: Codes,
    scores: Floats,
    second: Callable[[int, int], TableError],
) -> Floats:
    """(n, m) or (n, m, r) scores, from one per entry; labels of repetitions count per instance.

    Raises
    ------
    TableError
        `second(first, again)`, if two entries have the same place.
    """
    pairs, where = np.unique(instances * (labels.max() + 1) + labels, return_inverse=True)
    owner = pairs // (labels.max() + 1)
    number = (np.arange(pairs.size) - np.searchsorted(owner, owner))[where]
    shape = [int(of.max()) + 1 for of in (instances, algorithms, number)]
    place = np.ravel_multi_index((instances, algorithms, number), shape)
    order = np.argsort(place, kind="stable")
    again = np.flatnonzero(place[order][1:] == place[order][:-1])
    if again.size:
        at = again[np.argmin(order[again + 1])]
        raise second(int(order[at]), int(order[at + 1]))
    full = np.full(shape, np.nan)
    full.ravel()[place] = scores
    return full if shape[2] > 1 else full[:, :, 0]


def _gaps(scores: Floats) -> NDArray[np.bool_]:
    """(n, m) which cells miss a score, or one of their repetitions."""
    missing: NDArray[np.bool_] = np.isnan(scores)
    return missing if scores.ndim == 2 else np.asarray(missing.any(axis=2))


def _missing_cells(
    names: tuple[str, ...],
    instances: tuple[str, ...],
    gaps: NDArray[np.bool_],
    source: str,
    scores: Floats,
    from_race: bool,
) -> str:
    places = np.argwhere(gaps)
    some = "; ".join(f"{names[j]} on {instances[i]}" for i, j in places[:_NAMED])
    more = f"; and {len(places) - _NAMED} more" if len(places) > _NAMED else ""
    what = f"{count(len(places), 'cell')} {'is' if len(places) == 1 else 'are'} missing"
    what += ", or some of the repetitions" if scores.ndim == 3 else ""
    rows, columns = int(gaps.any(axis=1).sum()), int(gaps.any(axis=0).sum())
    why = " (a race does not run what it has dropped)" if from_race else ""
    return (
        f"{source}: {what}{why}: {some}{more}. "
        f"Fill them, or leave out {rows} of {len(instances)} instances (--missing drop-instances) "
        f"or {columns} of {len(names)} algorithms (--missing drop-algorithms); "
        "a failure is no missing cell, write it as inf (-inf if higher is better); columns of "
        "unpaired runs may have any length (--unpaired)"
    )


def _check_rest(kept: NDArray[np.bool_], axis: int, source: str) -> None:
    what, least = ("instances", 1) if axis == 1 else ("algorithms", 2)
    if int(kept.sum()) < least:
        other = "drop-algorithms" if axis == 1 else "drop-instances"
        raise TableError(
            f"{source}: without the {what} that miss a cell {int(kept.sum())} of {kept.size} are "
            f"left, and {least} are needed; try --missing {other}, or fill the cells"
        )
