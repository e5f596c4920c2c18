"""Runs from CSV files: a row for each run, or a column for each algorithm.

Long: columns named algorithm and score, and problem (or instance) if there are several; run, seed
and repetition may stand there and are not looked at. Columns: the scores of an algorithm below its
name, columns as long as they are; a first column named problem (or instance) says which problem a
row is of, one named run, seed or repetition is not looked at.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from racing.analysis.compare.cells import Cells, read_rows
from racing.analysis.compare.result_table import Missing
from racing.analysis.compare.unpaired.table import RunTable, gathered
from racing.base.errors import TableError, show
from racing.base.quantities import Direction

RunLayout: TypeAlias = Literal["auto", "wide", "long"]

_PROBLEM = ("problem", "instance")
_PASSED = ("run", "seed", "repetition", "")
_SQLITE = b"SQLite format 3\x00"


def read_runs(
    path: str | Path,
    *,
    direction: Direction | None = None,
    missing: Missing = "refuse",
    layout: RunLayout = "auto",
) -> RunTable:
    """The runs in a CSV file.

    Parameters
    ----------
    direction : "minimize" if lower scores are better (the default), "maximize" if higher ones are.
    missing : "refuse" names the algorithms that have no run on a problem; "drop-instances" leaves
        out such problems, "drop-algorithms" such algorithms.
    layout : "long" for a row for each run, "wide" for a column for each algorithm; "auto" takes a
        header with algorithm and score for the long form.

    Raises
    ------
    TableError
        If the file holds no such runs: with file and line, what was expected and how to fix it.
    """
    path = Path(path)
    _refuse_log(path)
    header, rows, lines, cells = read_rows(path)
    folded = [name.casefold() for name in header]
    for line, row in zip(lines, rows, strict=True):
        if len(row) > len(header) or (len(row) < len(header) and "algorithm" in folded):
            raise cells.error(line, f"{len(row)} cells, but the header has {len(header)}")
    long = layout == "long" or (layout == "auto" and {"algorithm", "score"} <= set(folded))
    read = _long if long else _columns
    scores, empty = read(header, rows, lines, cells)
    return gathered(scores, direction=direction, missing=missing, source=str(path), empty=empty)


Scores: TypeAlias = dict[tuple[str, str], list[float]]


def _long(
    header: list[str], rows: list[list[str]], lines: list[int], cells: Cells
) -> tuple[Scores, int]:
    folded = [name.casefold() for name in header]
    at = _long_columns(folded, cells)
    scores: Scores = defaultdict(list)
    values = cells.numbers([row[at["score"]] for row in rows], lines, ["score"])[:, 0]
    for line, row, score in zip(lines, rows, values.tolist(), strict=True):
        name, problem = row[at["algorithm"]].strip(), _label(row, at.get("problem"))
        if not name or problem is None:
            what = "algorithm" if not name else "problem"
            raise cells.error(line, f"the {what} has no name")
        if np.isnan(score):
            raise cells.error(
                line, f"no score of {name}; a run that failed is inf (-inf if higher is better), "
                "one that was not made has no line",
            )  # fmt: skip
        scores[problem, name].append(score)
    return scores, 0


def _long_columns(folded: list[str], cells: Cells) -> dict[str, int]:
    """Where the columns of the long form are."""
    problems = [name for name in folded if name in _PROBLEM]
    for name in ("algorithm", "score", *problems):
        if folded.count(name) != 1:
            raise cells.error(
                1, f"the long form needs one column {show(name)}, the header has "
                f"{folded.count(name)}: {', '.join(folded)}",
            )  # fmt: skip
    unknown = [n for n in folded if n not in ("algorithm", "score", *_PROBLEM, *_PASSED)]
    if unknown or len(problems) > 1:
        named = unknown[0] if unknown else problems[1]
        raise cells.error(
            1, f"column {show(named)} is not known; the long form has algorithm, score, and "
            "problem or instance, and may have run, seed or repetition. If it says which problem "
            "was solved call it problem, else delete it",
        )  # fmt: skip
    found = {"algorithm": folded.index("algorithm"), "score": folded.index("score")}
    return found | ({"problem": folded.index(problems[0])} if problems else {})


def _columns(
    header: list[str], rows: list[list[str]], lines: list[int], cells: Cells
) -> tuple[Scores, int]:
    first = header[0].casefold()
    labelled = first in (*_PROBLEM, *_PASSED)
    names = header[labelled:]
    cells.check_names(names)
    if not labelled:
        _refuse_labels(header[0], rows, lines, cells)
    words = [[*row, *[""] * (len(header) - len(row))][labelled:] for row in rows]
    values = cells.numbers([cell for row in words for cell in row], lines, names)
    scores: Scores = defaultdict(list)
    empty, ended = 0, np.isnan(values)
    for row, line, own in zip(rows, lines, values.tolist(), strict=True):
        problem = _label(row, 0 if first in _PROBLEM else None)
        if problem is None:
            raise cells.error(line, "the problem has no name")
        for name, score in zip(names, own, strict=True):
            if not np.isnan(score):
                scores[problem, name].append(score)
            else:
                scores[problem, name]  # an algorithm without runs is one, too
    if first not in _PROBLEM:  # a column that ends early is shorter, a hole within it is empty
        empty = int((ended & ~np.logical_and.accumulate(ended[::-1])[::-1]).sum())
    return scores, empty


def _refuse_labels(name: str, rows: list[list[str]], lines: list[int], cells: Cells) -> None:
    """Refuse a first column of words: it is no algorithm."""
    if not any(character.isdigit() for row in rows for character in row[0]) and any(
        row[0].strip().casefold() not in ("", "inf", "nan", "na") for row in rows
    ):
        raise cells.error(
            lines[0], f"column {show(name)} holds no number ({show(rows[0][0].strip())}); if it "
            "says which problem was solved call it problem, if it names the runs call it run",
        )  # fmt: skip


def _label(row: list[str], at: int | None) -> str | None:
    """The name of the problem: "" if there is one only, None if it is missing."""
    return "" if at is None else row[at].strip() or None


def _refuse_log(path: Path) -> None:
    try:
        with path.open("rb") as file:
            log = file.read(len(_SQLITE)) == _SQLITE
    except OSError as error:
        raise TableError(f"{path}: cannot be read: {error.strerror}") from error
    if log:
        raise TableError(
            f"{path}: the log of a race pairs its scores by instance; leave out --unpaired"
        )
