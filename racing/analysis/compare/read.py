"""Tables from files: a CSV in wide or long form, the log of a race, samples of an evaluation.

Paired and wide: a row for each instance, the first column its name, a column for each algorithm;
with columns named repetition, fold, seed or run, a row for each repetition. Unpaired and wide: the
scores of an algorithm below its name, columns as long as they are; a first column named problem (or
instance) says which problem a row is of, one named run, seed or repetition is not looked at.

Long: a row for each score, with a column for algorithms, for scores, and if there are any for
instances and repetitions. Separators are commas, semicolons or tabs (the header shows which); with
the last two, commas may be decimal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np

from racing.analysis.compare.methods import option, refusal
from racing.analysis.compare.result_table import (
    Columns,
    Duplicates,
    Floats,
    Ints,
    Missing,
    ResultTable,
    complete,
    counted,
    numbered,
)
from racing.analysis.compare.samples import read_samples
from racing.analysis.compare.sheets import INSTANCE, REPETITION, Sheet, as_number, read_sheet
from racing.base.errors import TableError, must_be, show
from racing.base.quantities import Direction

Layout: TypeAlias = Literal["auto", "wide", "long"]
LAYOUTS: tuple[Layout, ...] = ("auto", "wide", "long")

_SQLITE = b"SQLite format 3\x00"


def read_table(
    path: str | Path | Sequence[str | Path],
    *,
    paired: bool = True,
    direction: Direction | None = None,
    missing: Missing = "refuse",
    layout: Layout = "auto",
    columns: Columns = None,
    duplicates: Duplicates = "refuse",
    group: str | None = None,
    metric: str | None = None,
) -> ResultTable:
    """The table in a file: CSV, wide or long, the log of a race, or samples of an evaluation.

    Samples are those of lm-evaluation-harness (files, or the folder that they lie in), the JSON of
    Promptfoo, and Inspect's sample table as CSV; see `racing.analysis.compare.samples`.

    Parameters
    ----------
    paired : False if the scores are runs that nothing pairs.
    direction : "minimize" if lower scores are better (the default), "maximize" if higher ones are.
        A log knows its own.
    missing : see `complete`. Empty cells, NA, NaN, null, none, ? and - are missing.
    duplicates : "refuse" instances of one name in the wide form, or "number" them: x, x (2), x (3).
    layout : "auto" takes a header with a column for algorithms and one for scores as the long form.
    columns : which column has which role: {"algorithm": "method", "score": "auc"}; in the wide form
        instance and repetition only.
    group : the column that says which group an instance belongs to, if instances come in groups.
    metric : which score to read, if samples have several.

    Raises
    ------
    TableError
        If the file is no such table: with file and line, what is allowed and how to fix it.
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
    how: dict[str, Any] = {"missing": missing, "duplicates": duplicates, "paired": paired}
    if paired and layout == "auto" and not columns:
        samples = read_samples(paths, metric, group)
        if samples is not None:
            return of_sheet(samples, direction=direction or "maximize", **how)
    path = paths[0]
    if metric is not None:
        raise TableError(
            f"{path}: a table has no scores to choose from, as samples have; leave "
            f"{option(f'--metric {metric}')} out, or "
            + option(
                "leave out FILE and give each metric a table: --metric NAME=FILE",
                "compare a table of each metric by racing.compare_metrics",
            )
        )
    if is_log(path):
        return of_log(path, direction, missing, paired=paired, group=group)
    if layout not in LAYOUTS:
        raise TableError(must_be("layout", "auto, wide or long", layout))
    return of_sheet(
        read_sheet(path), direction=direction, layout=layout, columns=columns, group=group, **how
    )


def is_log(path: Path) -> bool:
    """Whether a file is the log of a run."""
    try:
        with path.open("rb") as file:
            return file.read(len(_SQLITE)) == _SQLITE
    except OSError as error:
        raise TableError(f"{path}: cannot be read: {error.strerror}") from error


def of_sheet(
    sheet: Sheet, *, paired: bool, columns: Columns = None, group: str | None = None,
    groups: Sequence[object] = (), layout: Layout = "auto", duplicates: Duplicates = "refuse",
    **how: Any,
) -> ResultTable:  # fmt: skip
    """The table in a sheet.

    `group` is the column of groups; `groups` has a label for each row, or for each instance.
    """
    sheet.square(shorter=not paired)
    labels = (
        sheet.take(group) if group is not None
        else [str(label) for label in (groups if len(groups) else sheet.groups)]
    )  # fmt: skip
    found = {} if layout == "wide" else sheet.long(columns, asked=layout == "long")
    if not found:
        sheet.name_rows(columns)
    scores = _long(sheet, found, paired=paired) if found else (
        _wide(sheet, paired=paired, distinct=duplicates == "refuse"))  # fmt: skip
    names, instances, full = scores.arranged(sheet)
    if len(instances) < len(labels) == len(sheet.rows):
        labels = _of_instances(sheet, scores.instances, labels)
    return complete(
        names, instances, full, paired=paired, duplicates=duplicates, groups=labels,
        source=sheet.source, empty=0 if paired else scores.holes,
        columns=sheet.guessed(found, columns), **how,
    )  # fmt: skip


@dataclass(frozen=True, eq=False)
class _Scores:
    """The scores of a sheet, row by row, of the wide and the long form alike.

    Attributes
    ----------
    algorithms : of each column of scores in the wide form, of each row in the long form
    instances : of each row; "" of a single problem
    repetitions : of each row, "" if none is named; None of runs
    scores : (rows, columns); a single column in the long form
    """

    algorithms: Sequence[str]
    instances: Sequence[str]
    repetitions: Sequence[str] | None
    scores: Floats

    @property
    def holes(self) -> int:
        """How many cells between runs on one problem are empty; a column may end early."""
        ended = np.isnan(self.scores)
        holes = ended & ~np.logical_and.accumulate(ended[::-1])[::-1]
        return 0 if self.instances[0] else int(holes.sum())

    def arranged(self, sheet: Sheet) -> tuple[list[str], list[str], Floats]:
        """Names, instances, and (n, m) or (n, m, r) scores, NaN where there is none.

        Repetitions count within an instance, runs within a cell.
        """
        (a, names), (i, instances) = _coded(self.algorithms), _coded(self.instances)
        cell = i[:, None] * len(names) + (a if self.scores.shape[1] == a.size else a[:, None])
        if self.repetitions is None:
            number = _within(cell.ravel()).reshape(cell.shape)
        else:
            label, labels = _coded(self.repetitions)
            pairs, where = np.unique(i * len(labels) + label, return_inverse=True)
            number = _within(pairs // len(labels))[where][:, None]
        shape = len(instances), len(names), int(number.max()) + 1
        at = (cell * shape[2] + number).ravel()
        again = np.ones(at.size, dtype=bool)
        again[np.unique(at, return_index=True)[1]] = False
        for second in np.flatnonzero(again)[:1]:
            first = np.flatnonzero(at == at[second])[0]
            row, line = (sheet.lines[int(k) // self.scores.shape[1]] for k in (first, second))
            owner, name = divmod(int(cell.ravel()[second]), len(names))
            fix = sheet.twice if any(self.repetitions or ()) else refusal("repeated")
            raise sheet.error(
                line, f"a second score of {names[name]} on {instances[owner]}, the first is at "
                f"{sheet.place(row)}; {fix}",
            )  # fmt: skip
        full = np.full(shape, np.nan)
        full.ravel()[at] = self.scores.ravel()
        return names, instances, full if shape[2] > 1 else full[:, :, 0]


def _coded(words: Sequence[str]) -> tuple[Ints, list[str]]:
    """Numbers for the distinct words, in the order in which they appear."""
    index = {word: at for at, word in enumerate(dict.fromkeys(words))}
    return np.array([index[word] for word in words], dtype=np.intp), list(index)


def _within(cells: Ints) -> Ints:
    """The number of each entry among those of its cell, in their order."""
    order = np.argsort(cells, kind="stable")
    ordered = cells[order]
    number = np.empty_like(cells)
    number[order] = np.arange(cells.size) - np.searchsorted(ordered, ordered)
    return number


def _long(sheet: Sheet, found: Mapping[str, int], *, paired: bool) -> _Scores:
    """A row for each score. Of runs, no column may be left that could say which problem it is."""
    if paired and "instance" not in found:
        raise sheet.error(None, refusal("no-instances"))
    for at, name in enumerate(() if paired else sheet.folded):
        if at not in found.values() and name not in (*REPETITION, ""):
            raise sheet.error(None, refusal("unknown-column", name=show(sheet.header[at])))

    def words(role: str, called: str = "") -> list[str]:
        empty = [""] * len(sheet.rows)
        return (
            sheet.column(found[role], f"{called or role} has no name") if role in found else empty
        )

    algorithms, instances = words("algorithm"), words("instance", "" if paired else "problem")
    scores = sheet.numbers([row[found["score"]] for row in sheet.rows], ["score"])
    for at in () if paired else np.flatnonzero(np.isnan(scores))[:1]:
        raise sheet.error(sheet.lines[at], refusal("no-score", name=algorithms[at]))
    if "repetition" in found or not paired:
        return _Scores(algorithms, instances, words("repetition") if paired else None, scores)
    several = [sheet.column(at, f"{name} has no name")
               for at, name in enumerate(sheet.folded)
               if name in REPETITION and at not in found.values()]  # fmt: skip
    repetitions = [*map(" ".join, zip(*several, strict=True))] or words("repetition")
    return _Scores(algorithms, instances, repetitions, scores)


def _wide(sheet: Sheet, *, paired: bool, distinct: bool) -> _Scores:
    """A column for each algorithm. Of runs, the first column may name problems, or runs."""
    first = sheet.folded[0]
    named = paired or first in ("problem", "instance")
    labels = _labels(sheet) if named else []
    scored = not (named or first in (*REPETITION, ""))  # the first column
    names = sheet.header[not scored :]
    _check_names(sheet, names, scored=scored)
    instances = [""] * len(sheet.rows)
    if named:
        fix = "the first column holds it" if paired else "fill the cell"
        instances = sheet.column(0, f"{'instance' if paired else 'problem'} has no name", fix)
    if paired:
        _check_instances(sheet, instances, distinct=distinct and not labels)
        instances = instances if labels else list(numbered(instances))
    scores = sheet.numbers([cell for row in sheet.rows for cell in row[not scored :]], names)
    return _Scores(names, instances, labels or instances if paired else None, scores)


def _labels(sheet: Sheet) -> list[str]:
    """The repetition of each row, from columns that are removed; [] if the header has none."""
    folded = sheet.folded
    found = [
        sheet.header[at]
        for at, name in enumerate(folded)  # the first column names instances, by a seed for example
        if name in REPETITION and (at > 0 or folded[1] in INSTANCE)
    ]
    return [" ".join(parts) for parts in zip(*map(sheet.take, found), strict=True)]


def _check_names(sheet: Sheet, names: list[str], *, scored: bool) -> None:
    """Refuse algorithms with missing or repeated names, a header that is data, and words.

    Of a frame, the labels of columns are names also if they are numbers. `scored`
    says that the first column holds scores.
    """
    if sheet.separator and names and all(as_number(name) is not None for name in names):
        raise sheet.error(
            None, "the first line must be a header: instance, then one name per algorithm; got "
            f"numbers ({', '.join(names[:3])}, ...)",
        )  # fmt: skip
    seen: dict[str, int] = {}
    for at, name in enumerate(names, start=2):
        if not name:
            raise sheet.error(None, f"column {at} has no name; name the algorithm")
        if name.casefold() in ("instance", "problem", "dataset"):
            raise sheet.error(None, refusal("instances-later", at=at, name=show(name)))
        if (first := seen.setdefault(name, at)) != at:
            raise sheet.error(
                None, f"columns {first} and {at} are both called {show(name)}; rename one"
            )
    words = [str(row[0]).strip() for row in sheet.rows] if scored else []
    if not any(sign.isdigit() for word in words for sign in word) and any(
        word.casefold() not in ("", "inf", "nan", "na") for word in words
    ):
        facts = {"name": show(sheet.header[0]), "word": show(words[0])}
        raise sheet.error(sheet.lines[0], refusal("no-numbers", **facts))


def _check_instances(sheet: Sheet, instances: list[str], *, distinct: bool) -> None:
    """Refuse scores as names of instances and, unless allowed, repeated names.

    Scores are numbers that are not whole, or not in order below a name. A column that is called so
    has instances.
    """
    called = sheet.folded[0].strip()
    numbers = [number for name in instances if (number := as_number(name)) is not None]
    ordered = not called or numbers == sorted(numbers)
    whole = ordered and all(number.is_integer() for number in numbers)
    if not (called in (*INSTANCE, *REPETITION) or len(numbers) < len(instances) or whole):
        facts = {"name": show(sheet.header[0]), "some": ", ".join(instances[:3])}
        raise sheet.error(sheet.lines[0], refusal("scores-first", **facts))
    seen: dict[str, int] = {}
    for name, line in zip(instances, sheet.lines, strict=True) if distinct else ():
        if (first := seen.setdefault(name, line)) != line:
            at = f"{'on line' if sheet.separator else 'in row'} {first}"
            raise sheet.error(line, refusal("repeated-instance", name=show(name), at=at))


def _of_instances(sheet: Sheet, instances: Sequence[str], groups: Sequence[str]) -> list[str]:
    """The group of each instance of a table with several rows of one, in their order."""
    found = dict[str, str]()
    for line, name, group in zip(sheet.lines, instances, groups, strict=True):
        if found.setdefault(name, group) != group:
            raise sheet.error(
                line, f"instance {show(name)} is in the groups {show(found[name])} and "
                f"{show(group)}; give it one",
            )  # fmt: skip
    return list(found.values())


def of_log(
    given: Any, direction: Direction | None, missing: Missing, *, paired: bool,
    group: str | None = None,
) -> ResultTable:  # fmt: skip
    """The table in the log of a run: a path, a log, or a result that has one."""
    from racing.log import log_in, reading, replay
    from racing.log.export import matrix

    where = log_in(given, "table")
    path = where if isinstance(where, Path) else where.name
    if not paired:
        raise TableError(
            f"{path}: the log of a race pairs its scores by instance; leave out "
            f"{option('--unpaired')}"
        )
    if group is not None:
        raise TableError(f"{path}: the log of a race has no column for groups; export a CSV")
    with reading(given) as log, log.snapshot():
        race = replay(log)
        own, found = log.header.direction, matrix(log, race)
        rows = list(found.rows)
        # without eliminations, as in a test of the winner, the scores chose none
        dropped = any(verdict.eliminated for verdict in race.verdicts)
    if direction is not None and direction != own:
        raise TableError(
            f"{path}: the run {own}s its scores, so leave out {option(f'--{direction}')}"
        )
    names = found.columns[1:]  # None, which was not run, becomes NaN
    scores = np.array([row[1:] for row in rows], dtype=np.float64).reshape(len(rows), len(names))
    table = complete(
        names, [str(row[0]) for row in rows], scores, direction=own, missing=missing,
        source=str(path), from_race=dropped,
    )  # fmt: skip
    return counted(table, "rate") if race.failures.policy == "rate" else table
