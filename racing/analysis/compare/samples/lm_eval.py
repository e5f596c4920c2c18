"""Per-sample files of lm-evaluation-harness (`--log_samples`): a JSON object in each line."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

from racing.analysis.compare.samples.sample import Sample, chosen, number, plain_fields
from racing.base.errors import TableError, show

_NAME = re.compile(r"samples_(?P<task>.+?)(_\d{4}-\d\d-\d\dT[\d.:-]+)?\.jsonl")


def knows(paths: Sequence[Path]) -> bool:
    """Whether these are such files, or folders of them."""
    return all(path.is_dir() or path.suffix == ".jsonl" for path in paths)


def read(paths: Sequence[Path], *, metric: str | None) -> list[Sample]:
    """The samples; the name of a model is the part of the path in which the paths differ.

    Raises
    ------
    TableError
        If there are no such files, a line is none of theirs, or the metric is not clear.
    """
    source = ", ".join(map(str, paths))
    files = [file for path in paths for file in _files(path)]
    if not files:
        raise TableError(f"{source}: no samples_*.jsonl; run lm_eval with --log_samples")
    lines = [(file, *line) for file in files for line in _lines(file)]
    found = chosen(metric, (name for _, _, one in lines for name in _metrics(one)), source)
    models = _models(files)
    return [
        _sample(one, file, f"{file}:{at}", models[file], found)
        for file, at, one in lines
        if found in _metrics(one)
    ]


def _files(path: Path) -> list[Path]:
    return sorted(path.rglob("samples_*.jsonl")) if path.is_dir() else [path]


def _lines(file: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """(number, object) of each line."""
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
        if not (isinstance(one, dict) and "doc_id" in one and isinstance(_names(one), list)):
            raise TableError(
                f"{file}:{at}: no sample of lm-evaluation-harness, which has doc_id and metrics; "
                "give the samples_*.jsonl that --log_samples writes"
            )
        yield at, one


def _names(one: Mapping[str, Any]) -> Any:
    return one.get("metrics")


def _metrics(one: Mapping[str, Any]) -> list[str]:
    """The metrics of a sample, as tables of lm-evaluation-harness call them: `acc,strict-match`."""
    kind = one.get("filter", "none")
    return [name if kind == "none" else f"{name},{kind}" for name in _names(one)]


def _sample(one: Mapping[str, Any], file: Path, place: str, model: str, metric: str) -> Sample:
    name = metric.partition(",")[0]
    if name not in one:
        raise TableError(f"{place}: it names the metric {show(name)} and does not have it")
    if isinstance(one[name], list | dict):
        raise TableError(
            f"{place}: {name} is computed of all samples together, so a sample has no score of "
            "its own; choose another one: --metric NAME"
        )
    known = _NAME.fullmatch(file.name)
    task = known["task"] if known else file.stem
    return Sample(
        model=model,
        item=f"{task}/{one['doc_id']}",
        score=number(one[name], place, name),
        place=place,
        fields={**plain_fields(one.get("doc")), "task": task},
    )


def _models(files: Sequence[Path]) -> dict[Path, str]:
    """File → the first part of its path in which the paths differ."""
    parts = [Path(os.path.abspath(file)).parts for file in files]
    alike = takewhile(lambda level: len(set(level)) == 1, zip(*parts, strict=False))
    at = min(sum(1 for _ in alike), *(len(own) - 1 for own in parts))
    return {file: own[at].removesuffix(".jsonl") for file, own in zip(files, parts, strict=True)}
