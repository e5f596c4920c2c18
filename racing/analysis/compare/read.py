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

from racing.analysis.compare.result_table import (
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
from racing.analysis.compare.sheets import (
    INSTANCE,
    LOOKED_AT,
    REPETITION,
    Sheet,
    check_wide,
    guessed,
    look_like_scores,
    read_sheet,
    roles,
)
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
    columns: Mapping[str, str] | None = None,
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
    columns : which column has which role in the long form: {"algorithm": "method", "score": "auc"}.
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
    how: dict[str, Any] = {"direction": direction, "missing": missing, "duplicates": duplicates}
    if paired and layout == "auto" and not columns:
        samples = read_samples(paths, metric, group)
        if samples is not None:
            how["direction"] = direction or "maximize"
            return of_sheet(samples[0], paired=True, groups=samples[1], **how)
    path = paths[0]
    if metric is not None:
        raise TableError(
            f"{path}: a table has no scores to choose from, as samples have; leave --metric "
            f"{metric} out, or leave out FILE and give each metric a table: --metric NAME=FILE"
        )
    if is_log(path):
        return _from_log(path, direction, missing, paired=paired, group=group)
    if layout not in LAYOUTS:
        raise TableError(must_be("layout", "auto, wide or long", layout))
    sheet = read_sheet(path)
    groups = [] if group is None else sheet.take(group)
    return of_sheet(sheet, paired=paired, layout=layout, columns=columns, groups=groups, **how)


def of_sheet(
    sheet: Sheet, *, paired: bool, columns: Mapping[str, str] | None = None,
    groups: Sequence[object] = (), layout: Layout = "auto", duplicates: Duplicates = "refuse",
    **how: Any,
) -> ResultTable:  # fmt: skip
    """The table in a sheet; `groups` has a label for each row, or for each instance."""
    found = {} if layout == "wide" else _roles(sheet, columns, long=layout == "long")
    rows = _long(sheet, found, paired=paired) if found else _wide(sheet, duplicates, paired=paired)
    if found:
        how["columns"] = guessed(found, sheet.header, columns)
    elif not paired:
        how["empty"] = _holes(rows, len(sheet.rows))
    names, instances, scores = _arranged(sheet, rows)
    if len(instances) < len(groups) == len(sheet.rows):
        groups = _of_instances(sheet, groups, found.get("instance", 0))
    return complete(
        names, instances, scores, groups=groups if found or paired else (), source=sheet.source,
        paired=paired, duplicates=duplicates, **how,
    )  # fmt: skip


def is_log(path: Path) -> bool:
    """Whether a file is the log of a run."""
    try:
        with path.open("rb") as file:
            return file.read(len(_SQLITE)) == _SQLITE
    except OSError as error:
        raise TableError(f"{path}: cannot be read: {error.strerror}") from error


def _roles(sheet: Sheet, given: Mapping[str, str] | None, *, long: bool) -> dict[str, int]:
    """The roles of the columns in the long form; {} in the wide form."""
    rows = sheet.rows[:LOOKED_AT]
    numeric = [
        all(at < len(row) and sheet.holds_number(row[at]) for row in rows)
        for at in range(len(sheet.header))
    ]
    found = roles(sheet.header, numeric, given)
    wanted = {"algorithm", "score"}
    if not (long or wanted <= found.keys() or wanted <= set(sheet.folded)):
        check_wide(sheet, found)
        return {}
    for name in ("algorithm", "score"):
        called = sheet.folded[found[name]] if name in found else name
        if (many := sheet.folded.count(called)) != 1:
            wrong = f"the long form must have one column {show(called)}; got {many}"
            raise sheet.error(None, f"{wrong}: {', '.join(sheet.folded)}")
    return found


@dataclass(frozen=True, kw_only=True, eq=False)
class _Rows:
    """A row for each score: of which algorithm, instance and repetition; None if runs have none.

    `fix` is what the message on two scores of one algorithm on one instance advises.
    """

    algorithms: Sequence[str]
    instances: Sequence[str]
    repetitions: Sequence[str] | None
    scores: Floats
    fix: str = "delete one"


def _arranged(sheet: Sheet, rows: _Rows) -> tuple[list[str], list[str], Floats]:
    """Names, instances, and (n, m) or (n, m, r) scores, NaN where there is none.

    Repetitions count within an instance, runs within a cell.
    """
    (a, names), (i, instances) = _coded(rows.algorithms), _coded(rows.instances)
    cell = i * len(names) + a
    if rows.repetitions is None:
        number = _within(cell)
    else:
        label, labels = _coded(rows.repetitions)
        pairs, where = np.unique(i * len(labels) + label, return_inverse=True)
        number = _within(pairs // len(labels))[where]
    shape = len(instances), len(names), int(number.max()) + 1
    at = cell * shape[2] + number
    order = np.argsort(at, kind="stable")
    again = np.flatnonzero(at[order][1:] == at[order][:-1])
    if again.size:
        place = again[np.argmin(order[again + 1])]
        first, second = (
            sheet.lines[k * len(sheet.rows) // len(at)] for k in order[place : place + 2].tolist()
        )
        both = f"{names[a[order[place]]]} on {instances[i[order[place]]]}"
        raise sheet.error(
            second,
            f"a second score of {both}, the first is at {sheet.place(first)}; {rows.fix}",
        )
    full = np.full(shape, np.nan)
    full.ravel()[at] = rows.scores
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


def _long(sheet: Sheet, found: Mapping[str, int], *, paired: bool) -> _Rows:
    if paired and "instance" not in found:
        raise sheet.error(
            None, "the columns algorithm and score, but none says which instance a score is of; "
            "name it instance or say which it is (columns, --columns instance=NAME), or for "
            "unpaired runs say --unpaired (paired=False)",
        )  # fmt: skip
    sheet.check_widths()
    if not paired:
        _refuse_unknown(sheet, found)

    def words(role: str, what: str = "") -> list[str]:
        if role not in found:
            return [""] * len(sheet.rows)
        return sheet.column(found[role], f"{what or role} has no name")

    algorithms, instances = words("algorithm"), words("instance", "" if paired else "problem")
    scores = sheet.numbers([row[found["score"]] for row in sheet.rows], ["score"])[:, 0]
    for at in np.flatnonzero(np.isnan(scores))[:1] if not paired else ():
        raise sheet.error(
            sheet.lines[at], f"no score of {algorithms[at]}; a run that failed is inf (-inf if "
            "higher is better), one that was not made has no line",
        )  # fmt: skip
    return _Rows(
        algorithms=algorithms, instances=instances, scores=scores,
        repetitions=words("repetition") if paired else None,
        fix=sheet.twice if "repetition" in found else "if these are repetitions, number them in a "
        "column 'repetition'; if they are unpaired runs, say --unpaired",
    )  # fmt: skip


def _refuse_unknown(sheet: Sheet, found: Mapping[str, int]) -> None:
    """Of unpaired runs, refuse columns that could say which problem was solved."""
    for at, name in enumerate(sheet.folded):
        if at not in found.values() and name not in (*REPETITION, ""):
            raise sheet.error(
                None, f"column {show(sheet.header[at])} is not known; the long form has algorithm, "
                "score, and problem or instance, and may have run, seed or repetition. If it says "
                "which problem was solved call it problem, else delete it",
            )  # fmt: skip


def _wide(sheet: Sheet, duplicates: Duplicates, *, paired: bool) -> _Rows:
    """A row for each score of a table with a column for each algorithm.

    Columns of unpaired runs have any lengths; their first column may name problems, or runs.
    """
    first = sheet.folded[0]
    named = paired or first in ("problem", "instance")
    if paired:
        sheet.check_widths()
    labels = _labels(sheet) if named else []
    scored = not (named or first in (*REPETITION, ""))  # the first column
    names, skipped = sheet.header[not scored :], [row[not scored :] for row in sheet.rows]
    sheet.check_names(names)
    if scored:
        _refuse_words(sheet)
    sheet.check_widths(shorter=not paired)
    owners = [""] * len(sheet.rows)
    if named:
        what = ("instance has no name", "the first column holds it") if paired else (
            "problem has no name",)  # fmt: skip
        owners = sheet.column(0, *what)
    if paired:
        _check_instances(sheet, owners, distinct=duplicates == "refuse" and not labels)
        owners = owners if labels else list(numbered(owners))
    cells = [cell for row in skipped for cell in (*row, *[""] * (len(names) - len(row)))]
    return _Rows(
        algorithms=names * len(owners), scores=sheet.numbers(cells, names).ravel(),
        instances=[one for one in owners for _ in names],
        repetitions=[one for one in labels or owners for _ in names] if paired else None,
    )  # fmt: skip


def _holes(rows: _Rows, n: int) -> int:
    """How many cells between runs are empty: a column that ends early is shorter."""
    ended = np.isnan(rows.scores.reshape(n, -1))
    holes = ended & ~np.logical_and.accumulate(ended[::-1])[::-1]
    return 0 if rows.instances[0] else int(holes.sum())


def _labels(sheet: Sheet) -> list[str]:
    """The repetition of each row, from columns that are removed; [] if the header has none."""
    folded = sheet.folded
    found = [
        sheet.header[at]
        for at, name in enumerate(folded)  # the first column names instances, by a seed for example
        if name in REPETITION and (at > 0 or folded[1] in INSTANCE)
    ]
    return [" ".join(parts) for parts in zip(*map(sheet.take, found), strict=True)]


def _check_instances(sheet: Sheet, instances: list[str], *, distinct: bool) -> None:
    """Refuse scores as names of instances and, unless allowed, repeated names."""
    if look_like_scores(sheet.header[0], instances):
        raise sheet.error(
            sheet.lines[0], f"the first column ({show(sheet.header[0])}) must be the names of the "
            f"instances; got numbers ({', '.join(instances[:3])}, ...); if it is an algorithm, "
            "write a column of names before it (pandas: to_csv without index=False); if it names "
            'the instances, call it "instance"',
        )  # fmt: skip
    seen: dict[str, int] = {}
    for name, line in zip(instances, sheet.lines, strict=True) if distinct else ():
        if (first := seen.setdefault(name, line)) != line:
            raise sheet.error(
                line, f"instance {show(name)} is on line {first} already; give each a name of "
                "its own, number them (--duplicates number), or give repetitions in the long form: "
                "algorithm, instance, score, repetition",
            )  # fmt: skip


def _of_instances(sheet: Sheet, groups: Sequence[object], at: int) -> list[str]:
    """The group of each instance of a table with several rows of one, in their order."""
    found = dict[str, str]()
    for line, row, group in zip(sheet.lines, sheet.rows, map(str, groups), strict=True):
        name = str(row[at]).strip()
        if found.setdefault(name, group) != group:
            raise sheet.error(
                line, f"instance {show(name)} is in the groups {show(found[name])} and "
                f"{show(group)}; give it one",
            )  # fmt: skip
    return list(found.values())


def _refuse_words(sheet: Sheet) -> None:
    """Refuse a first column of words: it is no algorithm."""
    words = [str(row[0]).strip() for row in sheet.rows]
    if not any(sign.isdigit() for word in words for sign in word) and any(
        word.casefold() not in ("", "inf", "nan", "na") for word in words
    ):
        raise sheet.error(
            sheet.lines[0], f"column {show(sheet.header[0])} holds no number ({show(words[0])}); "
            "if it says which problem was solved call it problem, if it names the runs call it run",
        )  # fmt: skip


def _from_log(
    path: Path, direction: Direction | None, missing: Missing, *, paired: bool, group: str | None
) -> ResultTable:
    from racing.log import SQLiteLog, replay
    from racing.log.export import matrix

    if not paired:
        raise TableError(
            f"{path}: the log of a race pairs its scores by instance; leave out --unpaired"
        )
    if group is not None:
        raise TableError(f"{path}: the log of a race has no column for groups; export a CSV")
    with SQLiteLog.open(path, write=False) as log, log.snapshot():
        race = replay(log)
        own, found = log.header.direction, matrix(log, race)
        rows = list(found.rows)
        # without eliminations, as in a test of the winner, the scores chose none
        dropped = any(verdict.eliminated for verdict in race.verdicts)
    if direction is not None and direction != own:
        raise TableError(f"{path}: the run {own}s its scores, so leave out --{direction}")
    cells = [[np.nan if cell is None else cell for cell in row[1:]] for row in rows]
    names = found.columns[1:]
    scores = np.array(cells, dtype=np.float64).reshape(len(rows), len(names))
    table = complete(
        names, [str(row[0]) for row in rows], scores, direction=own, missing=missing,
        source=str(path), from_race=dropped,
    )  # fmt: skip
    return counted(table, "rate") if race.failures.policy == "rate" else table
