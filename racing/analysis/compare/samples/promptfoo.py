"""The JSON of Promptfoo: `promptfoo eval -o results.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from racing.analysis.compare.samples.sample import Sample, number, plain_fields
from racing.base.errors import TableError, did_you_mean, show

_SCORE = "score"
_ERROR = 2
"""`failureReason` of a result that is no answer but an error."""


def knows(paths: Sequence[Path]) -> bool:
    """Whether a file is one of Promptfoo."""
    return len(paths) == 1 and paths[0].suffix == ".json"


def read(paths: Sequence[Path], *, metric: str | None) -> list[Sample]:
    """The samples: `score`, `success`, or one of the named scores; a model is provider and prompt.

    What all have in common is left out of their names.

    Raises
    ------
    TableError
        If it is no such file, or there is no such metric.
    """
    path = paths[0]
    results = _results(path)
    names, items = _model_names(results), _items(results)
    return [
        _sample(one, f"{path}: results[{at}]", names, items[one["testIdx"]], metric or _SCORE)
        for at, one in enumerate(results)
    ]


def _results(path: Path) -> list[Mapping[str, Any]]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise TableError(f"{path}: cannot be read as JSON: {error}") from error
    found = data.get("results") if isinstance(data, dict) else None
    found = found.get("results") if isinstance(found, dict) else found
    known = isinstance(found, list) and all(
        isinstance(one, dict) and "testIdx" in one and "promptIdx" in one for one in found
    )
    if not known:
        raise TableError(
            f"{path}: no results of Promptfoo; give what `promptfoo eval -o results.json` writes"
        )
    assert isinstance(found, list)
    return found


def _model_names(results: Sequence[Mapping[str, Any]]) -> dict[int, str]:
    """promptIdx → provider and prompt, as far as they differ."""
    pairs = {one["promptIdx"]: (_provider(one), _prompt(one)) for one in results}
    several = [len({pair[k] for pair in pairs.values()}) > 1 for k in (0, 1)]
    names = {
        at: " · ".join(part for part, use in zip(pair, several, strict=True) if use) or pair[0]
        for at, pair in pairs.items()
    }
    twice = len(set(names.values())) < len(names)
    return {at: f"{name} #{at}" if twice else name for at, name in names.items()}


def _items(results: Sequence[Mapping[str, Any]]) -> dict[int, tuple[str, str]]:
    """testIdx → the item, and which repetition of it: `--repeat` writes each as a test."""
    alike: dict[str, list[int]] = {}
    for at in sorted({one["testIdx"] for one in results}):
        case = next(one for one in results if one["testIdx"] == at).get("testCase")
        alike.setdefault(json.dumps(case, sort_keys=True), []).append(at)
    found: dict[int, tuple[str, str]] = {}
    for place, (case, tests) in enumerate(alike.items(), start=1):
        name = (json.loads(case) or {}).get("description") or f"test {place}"
        found |= {at: (str(name), str(k)) for k, at in enumerate(tests, start=1)}
    return found


def _provider(one: Mapping[str, Any]) -> str:
    provider = one.get("provider")
    if isinstance(provider, dict):
        return str(provider.get("label") or provider.get("id") or "provider")
    return str(provider)


def _prompt(one: Mapping[str, Any]) -> str:
    prompt = one.get("prompt")
    text = prompt.get("label") or prompt.get("raw") if isinstance(prompt, dict) else prompt
    return " ".join(str(text or "prompt").split())[:60]


def _sample(
    one: Mapping[str, Any],
    place: str,
    names: Mapping[int, str],
    item: tuple[str, str],
    metric: str,
) -> Sample:
    case = one.get("testCase")
    case = case if isinstance(case, dict) else {}
    scores = {_SCORE: one.get(_SCORE), "success": one.get("success"), **_named(one)}
    if metric not in scores:
        raise TableError(
            f"{place}: there is no metric {show(metric)}{did_you_mean(metric, scores)}; "
            f"there are {', '.join(scores)}"
        )
    error = one.get("failureReason") == _ERROR
    return Sample(
        model=names[one["promptIdx"]],
        item=item[0],
        score=float("nan") if error else number(scores[metric], place, metric),
        place=place,
        repetition=item[1],
        fields={**plain_fields(one.get("vars")), **plain_fields(case.get("metadata"))},
    )


def _named(one: Mapping[str, Any]) -> dict[str, Any]:
    found = one.get("namedScores")
    return dict(found) if isinstance(found, dict) else {}
