"""Tables from files: a CSV in wide or long form, or the log of a race.

Wide: one row per instance, the first column its name, one column per algorithm; with a column named
repetition, fold, seed or run, a row per repetition. Long: one row per score, with columns named
algorithm, instance, score and, if there are any, repetition. Separators
are commas, semicolons or tabs (the header shows which); with the last two, commas may be decimal.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from racing.analysis.compare.cells import INSTANCE, REPETITION, Cells, read_rows
from racing.analysis.compare.complete import arranged, coded, complete
from racing.analysis.compare.profiles.stopped import counted
from racing.analysis.compare.result_table import Duplicates, Floats, Missing, ResultTable
from racing.analysis.compare.samples import read_samples
from racing.base.errors import TableError, show
from racing.base.quantities import Direction

Layout: TypeAlias = Literal["auto", "wide", "long"]

_LONG = ("algorithm", "instance", "score")
_SQLITE = b"SQLite format 3\x00"


def read_table(
    path: str | Path | Sequence[str | Path],
    *,
    direction: Direction | None = None,
    missing: Missing = "refuse",
    layout: Layout = "auto",
    duplicates: Duplicates = "refuse",
    group: str | None = None,
    metric: str | None = None,
) -> ResultTable:
    """The table in a file: CSV, wide or long, the log of a race, or samples of an evaluation.

    Samples are those of lm-evaluation-harness (files, or the folder that they lie in), the JSON of
    Promptfoo, and Inspect's sample table as CSV; see `racing.analysis.compare.samples`.

    Parameters
    ----------
    direction : "minimize" if lower scores are better (the default), "maximize" if higher ones are.
        A log knows its own.
    missing : "refuse" names what is missing; "drop-instances" or "drop-algorithms" leaves out every
        row or column that misses a cell. Empty cells, NA, NaN, null, none, ? and - are missing.
    duplicates : "refuse" instances of one name in the wide form, or "number" them: x, x (2), x (3).
    layout : "auto" takes a header with algorithm, instance and score for the long form.
    group : the column that says which group an instance belongs to, if instances come in groups.
    metric : which score to read, if samples have several.

    Raises
    ------
    TableError
        If the file is no such table: with file and line, what was expected and how to fix it.
    LogError
        If it is a log that cannot be read.

    Examples
    --------
    >>> from pathlib import Path
    >>> from racing.analysis.compare import read_table
    >>> _ = Path("table.csv").write_text("instance,a,b\\none,3,1\\ntwo,4,2\\n")
    >>> read_table("table.csv").names
    ('a', 'b')
    """
    paths = [Path(path)] if isinstance(path, str | Path) else [Path(one) for one in path]
    found = None if layout != "auto" else read_samples(
        paths, metric=metric, group=group, direction=direction, missing=missing,
        duplicates=duplicates,
    )  # fmt: skip
    if found is not None:
        return found
    path = paths[0]
    if metric is not None:
        raise TableError(
            f"{path}: a table has no scores to choose from, as samples have; leave --metric "
            f"{metric} out, or leave out FILE and give each metric a table: --metric NAME=FILE"
        )
    if is_log(path):
        if group is not None:
            raise TableError(f"{path}: the log of a race has no column for groups; export a CSV")
        return _from_log(path, direction, missing)
    header, rows, lines, cells = read_rows(path)
    if layout not in ("auto", "wide", "long"):
        raise TableError(f"layout: expected auto, wide or long; got {show(layout)}")
    groups = [] if group is None else _taken_out(group, header, rows, lines, cells)
    folded = [name.casefold() for name in header]
    if layout == "auto" and {"algorithm", "score"} <= set(folded) and "instance" not in folded:
        raise cells.error(
            1, "the columns algorithm and score, but none says which instance a score is of; name "
            "it instance, or for unpaired runs say --unpaired",
        )  # fmt: skip
    long = layout == "long" or (layout == "auto" and all(name in folded for name in _LONG))
    names, instances, scores = (
        _long(folded, rows, lines, cells)
        if long
        else _wide(header, rows, lines, cells, distinct=duplicates == "refuse")
    )
    if groups and len(instances) < len(rows):
        at = folded.index("instance") if long else 0
        groups = _of_instances(groups, at, rows, lines, cells)
    return complete(
        names, instances, scores, direction=direction, missing=missing, duplicates=duplicates,
        source=str(path), groups=groups,
    )  # fmt: skip


def _taken_out(
    group: str, header: list[str], rows: list[list[str]], lines: list[int], cells: Cells
) -> list[str]:
    """The cells of a column, such as that of groups; it is removed from header and rows."""
    if header.count(group) != 1:
        raise cells.error(
            1, f"the header has {header.count(group)} columns {show(group)}: {', '.join(header)}"
        )
    at, width = header.index(group), len(header)
    for line, row in zip(lines, rows, strict=True):
        if len(row) != width:
            raise cells.error(line, f"{len(row)} cells, but the header has {width}")
        if not row[at].strip():
            raise cells.error(line, f"the column {show(group)} is empty; fill the cell")
    header.pop(at)
    return [row.pop(at).strip() for row in rows]


def _of_instances(
    groups: list[str], at: int, rows: list[list[str]], lines: list[int], cells: Cells
) -> list[str]:
    """The group of each instance of a table with several rows of one, in their order."""
    found = dict[str, str]()
    for line, row, group in zip(lines, rows, groups, strict=True):
        name = row[at].strip()
        if found.setdefault(name, group) != group:
            raise cells.error(
                line, f"instance {show(name)} is in the groups {show(found[name])} and "
                f"{show(group)}; give it one",
            )  # fmt: skip
    return list(found.values())


def is_log(path: Path) -> bool:
    """Whether a file is the log of a run."""
    return _head(path).startswith(_SQLITE)


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(len(_SQLITE))
    except OSError as error:
        raise TableError(f"{path}: cannot be read: {error.strerror}") from error


def _wide(
    header: list[str], rows: list[list[str]], lines: list[int], cells: Cells, *, distinct: bool
) -> tuple[list[str], list[str], Floats]:
    labels = _labels(header, rows, lines, cells)
    names = header[1:]
    cells.check_names(names)
    width = len(header)
    for line, row in zip(lines, rows, strict=True):
        if len(row) != width:
            raise cells.error(line, f"{len(row)} cells, but the header has {width}")
    instances = [row[0].strip() for row in rows]
    cells.check_instances(header[0], instances, lines, distinct=distinct and not labels)
    scores = cells.numbers([cell for row in rows for cell in row[1:]], lines, names)
    if not labels:
        return names, instances, scores
    i, instances = coded(instances)
    return names, instances, arranged(
        np.repeat(i, len(names)), np.tile(np.arange(len(names)), len(rows)),
        np.repeat(coded(labels)[0], len(names)), scores.ravel(),
        lambda first, again: cells.error(
            lines[again // len(names)], f"repetition {labels[again // len(names)]} of "
            f"{rows[again // len(names)][0]} stands on line {lines[first // len(names)]} already; "
            "delete one",
        ),
    )  # fmt: skip


def _labels(header: list[str], rows: list[list[str]], lines: list[int], cells: Cells) -> list[str]:
    """The repetition of each row, from columns that are removed; [] if the header has none."""
    folded = [name.casefold() for name in header]
    found = [
        header[at]
        for at, name in enumerate(folded)  # the first column names instances, by a seed for example
        if name in REPETITION and (at > 0 or folded[1] in INSTANCE)
    ]
    columns = [_taken_out(name, header, rows, lines, cells) for name in found]
    return [" ".join(parts) for parts in zip(*columns, strict=True)]


def _long(
    folded: list[str], rows: list[list[str]], lines: list[int], cells: Cells
) -> tuple[list[str], list[str], Floats]:
    wanted = [*_LONG, *(["repetition"] if "repetition" in folded else [])]
    for name in wanted:
        if folded.count(name) != 1:
            found = f"has {folded.count(name)}: " + ", ".join(folded)
            raise cells.error(1, f"the long form needs one column {show(name)}, the header {found}")
    for line, row in zip(lines, rows, strict=True):
        if len(row) != len(folded):
            raise cells.error(line, f"{len(row)} cells, but the header has {len(folded)}")
    columns = {}
    for name in wanted:
        at = folded.index(name)
        columns[name] = [row[at] for row in rows]
    a, names = _codes(columns["algorithm"], "algorithm", cells, lines)
    i, instances = _codes(columns["instance"], "instance", cells, lines)
    scores = cells.numbers(columns["score"], lines, ["score"])[:, 0]
    labels = columns.get("repetition")
    r = np.zeros_like(i) if labels is None else _codes(labels, "repetition", cells, lines)[0]
    fix = "delete one" if labels else (
        "if these are repetitions, number them in a column 'repetition'; if they are unpaired "
        "runs, say --unpaired"
    )  # fmt: skip
    return names, instances, arranged(
        i, a, r, scores,
        lambda first, again: cells.error(
            lines[again], f"a second score of {columns['algorithm'][again]} on "
            f"{columns['instance'][again]}, the first is on line {lines[first]}; {fix}",
        ),
    )  # fmt: skip


def _codes(
    column: list[str], what: str, cells: Cells, lines: list[int]
) -> tuple[np.ndarray, list[str]]:
    """Numbers for the distinct words of a column, in the order in which they appear."""
    stripped = [word.strip() for word in column]
    if "" in stripped:
        raise cells.error(lines[stripped.index("")], f"the {what} has no name")
    return coded(stripped)


def _from_log(path: Path, direction: Direction | None, missing: Missing) -> ResultTable:
    from racing.log import SQLiteLog, replay
    from racing.log.tables import matrix

    with SQLiteLog.open(path, write=False) as log, log.snapshot():
        race = replay(log)
        own, found = log.header.direction, matrix(log, race)
        rows = list(found.rows)
        # without eliminations, as in a test of the winner, the scores chose none
        dropped = any(verdict.eliminated for verdict in race.verdicts)
    if direction is not None and direction != own:
        raise TableError(f"{path}: the run {own}s its scores, so leave out --{direction}")
    scores = np.array(
        [[np.nan if cell is None else cell for cell in row[1:]] for row in rows],
        dtype=np.float64,
    ).reshape(len(rows), len(found.columns) - 1)
    table = complete(
        found.columns[1:],
        [str(row[0]) for row in rows],
        scores,
        direction=own,
        missing=missing,
        source=str(path),
        from_race=dropped,
    )
    return counted(table, "rate") if race.failures.policy == "rate" else table
