"""Scores of language models, sample by sample, in the files of the tools that evaluate them.

lm-evaluation-harness   samples_*.jsonl (`--log_samples`), a file for each model and task
Promptfoo               the JSON of `promptfoo eval -o results.json`
Inspect                 its sample table as CSV:
                        samples_df("logs", columns=EvalModel + SampleSummary).to_csv("samples.csv")

Higher scores are better, unless it is said otherwise. Where there is an error, a score is missing.
"""

from __future__ import annotations

import csv
import json
import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path
from typing import Any

from racing.analysis.compare.methods import option, refusal
from racing.analysis.compare.sheets import Sheet
from racing.base.errors import TableError, did_you_mean, must_be, show

_WORDS = {"true": 1.0, "false": 0.0, "c": 1.0, "p": 0.5, "i": 0.0, "n": 0.0, "": math.nan}
"""Yes and no; correct, partial, incorrect and no answer, as Inspect writes them; a missing one."""
_TASK = re.compile(r"^samples_(?P<task>.+?)(_\d{4}-\d\d-\d\dT[\d.:-]+)?\.jsonl$")
_ERROR = 2  # `failureReason` of a result of Promptfoo that is no answer but an error
_METRIC = "--metric NAME", "read_table(path, metric='NAME')"
_SCORES = "score_"  # begins the columns of Inspect that have scores


@dataclass(frozen=True, kw_only=True)
class Sample:
    """A score of a model (or prompt, or both) on an item; NaN if it could not be asked.

    Attributes
    ----------
    place : file and line, or the like, for messages
    repetition : which of several on one item
    fields : what is known of the item, for groups
    """

    model: str
    item: str
    score: float
    place: str
    repetition: str = "1"
    fields: Mapping[str, str] = field(default_factory=dict)


def read_samples(paths: Sequence[Path], metric: str | None, group: str | None) -> Sheet | None:
    """A sheet in the long form; None if no such tool wrote the files.

    Parameters
    ----------
    paths : files, or folders of lm-evaluation-harness
    metric : which score to read, where there are several
    group : the field of items that says which group they belong to; there are none without one

    Raises
    ------
    TableError
        If they cannot be read: with file and line, what is allowed and how to fix it.
    """
    only, source = paths[0], ", ".join(map(str, paths))
    if all(path.is_dir() or path.suffix == ".jsonl" for path in paths):
        samples = _lm_eval(paths, metric, source)
    elif len(paths) > 1:
        raise TableError(refusal("several-files", only=only))
    elif only.suffix == ".json":
        samples = _promptfoo(only, metric)
    elif only.suffix == ".csv" and {"eval_id", "id", "epoch"} <= {*_header(only)}:
        samples = _inspect(only, metric)
    else:
        return None
    if not samples:
        raise TableError(f"{source}: there are no samples")
    return Sheet(
        source, "", ["algorithm", "instance", "repetition", "score"],
        [[one.model, one.item, one.repetition, one.score] for one in samples],
        list(range(len(samples))), places=tuple(one.place for one in samples),
        groups=() if group is None else [_group(one, group) for one in samples],
        twice="give the results of one evaluation of each model",
    )  # fmt: skip


def _group(sample: Sample, name: str) -> str:
    if not sample.fields.get(name):
        raise TableError(
            f"{sample.place}: the item has no field {show(name)}"
            f"{did_you_mean(name, sample.fields)}; there are {', '.join(sample.fields) or 'none'}"
        )
    return sample.fields[name]


def _number(value: object, place: str, metric: str) -> float:
    """A score: a number, yes or no, or a letter of Inspect."""
    word = "" if value is None else str(value).strip()
    try:
        return float(word)
    except ValueError:
        known = _WORDS.get(word.casefold())
    if known is None:
        raise TableError(f"{place}: {must_be(metric, 'a number for each sample', word)}")
    return known


def _chosen(given: str | None, found: Iterable[str], source: str) -> str:
    """The metric to be read: the one that is asked for, or the only one."""
    names = list(dict.fromkeys(found))
    if given in names or (given is None and len(names) == 1):
        return given or names[0]
    listed = ", ".join(names) or "none"
    if given is None:
        raise TableError(
            f"{source}: there are several metrics, {listed}; say which: {option(*_METRIC)}"
        )
    raise TableError(
        f"{source}: there is no metric {show(given)}{did_you_mean(given, names)}; there are "
        f"{listed}"
    )


def _plain(values: Any) -> dict[str, str]:
    """Those fields of a mapping that hold text, numbers or yes and no."""
    held = _mapping(values).items()
    return {str(k): str(v) for k, v in held if isinstance(v, str | int | float)}


def _lm_eval(paths: Sequence[Path], metric: str | None, source: str) -> list[Sample]:
    """The name of a model is the first part of its path in which the paths differ."""
    found = [sorted(one.rglob("samples_*.jsonl")) if one.is_dir() else [one] for one in paths]
    files = [file for own in found for file in own]
    if not files:
        raise TableError(f"{source}: no samples_*.jsonl; run lm_eval with --log_samples")
    lines = [(file, *line) for file in files for line in _lines(file)]
    chosen = _chosen(metric, (name for *_, one in lines for name in _metrics(one)), source)
    name = chosen.partition(",")[0]
    parts = [Path(os.path.abspath(file)).parts for file in files]
    alike = takewhile(lambda level: len(set(level)) == 1, zip(*parts, strict=False))
    at = min(sum(1 for _ in alike), *(len(own) - 1 for own in parts))
    models = {file: own[at].removesuffix(".jsonl") for file, own in zip(files, parts, strict=True)}
    tasks = {file: _TASK.sub(r"\g<task>", file.name).removesuffix(".jsonl") for file in files}
    return [
        Sample(
            model=models[file], item=f"{tasks[file]}/{one['doc_id']}", place=place,
            score=_own_score(one, name, place),
            fields={**_plain(one.get("doc")), "task": tasks[file]},
        )
        for file, place, one in lines if chosen in _metrics(one)
    ]  # fmt: skip


def _lines(file: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """(place, object) of each line."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise TableError(f"{file}: cannot be read: {error}") from error
    for at, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            one = json.loads(line)
        except ValueError as error:
            raise TableError(f"{file}:{at}: not JSON: {error}") from None
        if not (isinstance(one, dict) and "doc_id" in one and isinstance(one.get("metrics"), list)):
            raise TableError(f"{file}:{at}: {refusal('no-sample')}")
        yield f"{file}:{at}", one


def _metrics(one: Mapping[str, Any]) -> list[str]:
    """The metrics of a sample, as tables of lm-evaluation-harness call them: `acc,strict-match`."""
    kind = one.get("filter", "none")
    return [name if kind == "none" else f"{name},{kind}" for name in one["metrics"]]


def _own_score(one: Mapping[str, Any], name: str, place: str) -> float:
    if name not in one:
        raise TableError(f"{place}: it names the metric {show(name)} and does not have it")
    if isinstance(one[name], list | dict):
        raise TableError(f"{place}: {refusal('of-all-samples', name=name)}{option(*_METRIC)}")
    return _number(one[name], place, name)


def _promptfoo(path: Path, metric: str | None) -> list[Sample]:
    """`score`, `success`, or a named score; a model is provider and prompt."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise TableError(f"{path}: cannot be read as JSON: {error}") from error
    for _ in range(2):
        found = found.get("results") if isinstance(found, dict) else found
    if not isinstance(found, list) or not all(
        isinstance(one, dict) and "testIdx" in one and "promptIdx" in one for one in found
    ):
        raise TableError(f"{path}: {refusal('no-promptfoo')}")
    names, items = _model_names(found), _items(found)
    samples = []
    for at, one in enumerate(found):
        place, case = f"{path}: results[{at}]", _mapping(one.get("testCase"))
        scores = {"score": one.get("score"), "success": one.get("success"),
                  **_mapping(one.get("namedScores"))}  # fmt: skip
        chosen, reason = _chosen(metric or "score", scores, place), one.get("failureReason")
        item, repetition = items[one["testIdx"]]
        samples.append(Sample(
            model=names[one["promptIdx"]], item=item, repetition=repetition, place=place,
            score=math.nan if reason == _ERROR else _number(scores[chosen], place, chosen),
            fields=_plain(one.get("vars")) | _plain(case.get("metadata")),
        ))  # fmt: skip
    return samples


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _model_names(results: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """promptIdx → provider and prompt, as far as they differ."""

    def called(thing: Any, key: str, what: str) -> str:
        own = thing.get("label") or thing.get(key) if isinstance(thing, dict) else thing
        return str(own or what)

    pairs = {
        one["promptIdx"]: (
            called(one.get("provider", "None"), "id", "provider"),
            " ".join(called(one.get("prompt"), "raw", "prompt").split())[:60],
        )
        for one in results
    }
    several = [len({pair[k] for pair in pairs.values()}) > 1 for k in (0, 1)]
    names = {
        at: " · ".join(part for part, use in zip(pair, several, strict=True) if use) or pair[0]
        for at, pair in pairs.items()
    }
    twice = len(set(names.values())) < len(names)
    return {at: f"{name} #{at}" if twice else name for at, name in names.items()}


def _items(results: Sequence[Mapping[str, Any]]) -> dict[int, tuple[str, str]]:
    """testIdx → the item, and which repetition of it: `--repeat` writes each as a test."""
    cases = {one["testIdx"]: one.get("testCase") for one in reversed(results)}
    alike: dict[str, list[int]] = {}
    for at in sorted(cases):
        alike.setdefault(json.dumps(cases[at], sort_keys=True), []).append(at)
    return {
        at: (str((cases[at] or {}).get("description") or f"test {place}"), str(k))
        for place, tests in enumerate(alike.values(), start=1)
        for k, at in enumerate(tests, start=1)
    }


def _header(path: Path) -> list[str]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            return next(csv.reader(file), [])
    except (OSError, UnicodeDecodeError, csv.Error):
        return []


def _inspect(path: Path, metric: str | None) -> list[Sample]:
    """The column `score_<metric>`; epochs are repetitions."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        rows = [(f"{path}:{reader.line_num}", row) for row in reader]
        header = list(reader.fieldnames or ())
    scores = [name.removeprefix(_SCORES) for name in header if name.startswith(_SCORES)]
    if not scores:
        raise TableError(f"{path}:1: no column {_SCORES}…; score the evaluations first")
    chosen, names = _chosen(metric, scores, str(path)), dict[str, str]()
    for _, row in rows:  # the log's name where there is no column for models
        name = row.get("model") or Path(row.get("log") or "").stem or row["eval_id"]
        if names.setdefault(row["eval_id"], name) != name:
            raise TableError(f"{path}: evaluation {row['eval_id']} has two models")
    return [
        Sample(
            model=names[row["eval_id"]], place=place, repetition=row["epoch"],
            item="/".join(filter(None, (row.get("task_name"), row["id"]))),
            score=math.nan if (row.get("error") or "").strip()
            else _number(row[_SCORES + chosen], place, chosen),
            fields={name: cell for name, cell in row.items() if isinstance(cell, str)},
        )
        for place, row in rows
    ]  # fmt: skip
