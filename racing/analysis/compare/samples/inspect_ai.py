"""The sample table of Inspect, as a CSV file.

samples_df("logs", columns=EvalModel + SampleSummary).to_csv("samples.csv", index=False)
"""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

from racing.analysis.compare.samples.sample import Sample, chosen, number
from racing.base.errors import TableError

_NEEDED = ("eval_id", "id", "epoch")
_SCORES = "score_"


def knows(paths: Sequence[Path]) -> bool:
    """Whether a file is such a table, by its header."""
    if len(paths) != 1 or paths[0].suffix != ".csv":
        return False
    try:
        with paths[0].open(encoding="utf-8", newline="") as file:
            header = next(csv.reader(file), [])
    except (OSError, UnicodeDecodeError, csv.Error):
        return False
    return all(name in header for name in _NEEDED)


def read(paths: Sequence[Path], *, metric: str | None) -> list[Sample]:
    """The samples: the column `score_<metric>`; epochs are repetitions.

    Raises
    ------
    TableError
        If there are no scores, or it is not clear which, or what the models are called.
    """
    path = paths[0]
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        rows = [(reader.line_num, row) for row in reader]
        header = list(reader.fieldnames or ())
    scores = [name.removeprefix(_SCORES) for name in header if name.startswith(_SCORES)]
    if not scores:
        raise TableError(f"{path}:1: no column {_SCORES}…; score the evaluations first")
    found = chosen(metric, scores, str(path))
    names = _model_names([row for _, row in rows], path)
    return [_sample(row, f"{path}:{line}", names, found) for line, row in rows]


def _model_names(rows: Sequence[Mapping[str, str]], path: Path) -> dict[str, str]:
    """Evaluation → model, or the name of its log where the table has no column for models."""
    names: dict[str, str] = {}
    for row in rows:
        name = row.get("model") or Path(row.get("log") or "").stem or row["eval_id"]
        if names.setdefault(row["eval_id"], name) != name:
            raise TableError(f"{path}: evaluation {row['eval_id']} has two models")
    return names


def _sample(row: Mapping[str, str], place: str, names: Mapping[str, str], metric: str) -> Sample:
    task = row.get("task_name")
    error = bool((row.get("error") or "").strip())
    return Sample(
        model=names[row["eval_id"]],
        item=f"{task}/{row['id']}" if task else row["id"],
        score=float("nan") if error else number(row[_SCORES + metric], place, metric),
        place=place,
        repetition=row["epoch"],
        fields={name: cell for name, cell in row.items() if isinstance(cell, str)},
    )
