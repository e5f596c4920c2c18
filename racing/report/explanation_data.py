"""An explanation of a winner as plain data, and as CSV files."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from racing.analysis.explain import Step
from racing.analysis.explain.explanation import Explanation, Model
from racing.base.errors import InputError
from racing.base.words import value_text
from racing.core.gain import Gain
from racing.log.export import as_csv
from racing.log.tables import Table
from racing.report.data import Data, candidate_data


def explanation_data(found: Explanation) -> Data:
    """The winner's changes and their gains, the important parameters, and unexplored regions."""
    return {
        "run": str(found.log),
        "winner": candidate_data(found.winner),
        "against": candidate_data(found.against),
        "differences": {
            name: {"from": before, "to": after}
            for name, (before, after) in found.differences.items()
        },
        "ablation": _ablation_data(found),
        "importance": _model_data(found.model),
        "regions": [asdict(region) for region in found.regions],
        "configurations": found.configurations,
        "evaluations": found.evaluations,
        "failures": found.failures,
        "notes": list(found.notes),
    }


def _ablation_data(found: Explanation) -> Data | None:
    ablation = found.ablation
    if ablation is None:
        return None
    total = ablation.total
    before: Mapping[str, Any] = found.against.values
    steps = []
    for number, step in enumerate(ablation.path, start=1):
        gain = _gain_data(step.gain)
        steps.append(
            {
                "step": number,
                "parameters": list(step.change.names),
                "change": _change(before, step),
                "raced_against": step.raced,
                **gain,
                "share": _share(gain["gain"], total),
                "values": dict(step.candidate.values),
            }
        )
        before = step.candidate.values
    return {
        "log": str(found.ablation_log),
        "evaluations": ablation.outcomes,
        "instances": len(ablation.measured_on),
        "independent": ablation.independent,
        "total": {**_gain_data(total), "instances_needed": _needed(total)},
        "steps": steps,
    }


def _needed(total: Gain | None) -> int | None:
    """Instances after which the interval would leave out zero; None if it does, or is unknown.

    Its half-width falls with the square root of the number of instances.
    """
    if total is None or not total.mean or math.isinf(total.low):
        return None
    half = (total.high - total.low) / 2
    needed = math.ceil(total.pairs * (half / total.mean) ** 2)
    return needed if needed > total.pairs else None


def _share(gain: float | None, total: Gain | None) -> float | None:
    """The share of the whole gain; None where either is unknown or the whole is 0."""
    if gain is None or total is None or total.mean is None or total.mean <= 0:
        return None
    return gain / total.mean


def _gain_data(gain: Gain | None) -> Data:
    if gain is None:
        return {"gain": None, "low": None, "high": None, "pairs": 0}
    return {
        "gain": gain.mean,
        "low": gain.low,
        "high": gain.high,
        "pairs": gain.pairs,
        "failures_before": gain.baseline_failures,
        "failures_after": gain.winner_failures,
    }


def _change(before: Mapping[str, Any], step: Step) -> str:
    """The changes of a step; changes that follow from others are in brackets."""
    after = step.candidate.values
    own: list[str] = []
    rest: list[str] = []
    for name in dict.fromkeys([*before, *after]):
        if before.get(name) != after.get(name):
            text = f"{name}: {value_text(before.get(name))} → {value_text(after.get(name))}"
            (own if name in step.change.names else rest).append(text)
    return "; ".join(own) + (f" ({'; '.join(rest)})" if rest else "")


def _model_data(model: Model | None) -> Data | None:
    if model is None:
        return None
    return {
        "configurations": model.forest.configurations,
        "left_out": model.left_out,
        "scale": model.scale,
        "r2": model.forest.r2,
        "poor": model.forest.poor,
        "parameters": [asdict(one) for one in model.parameters],
        "interactions": [asdict(pair) for pair in model.pairs],
    }


def write_csv(data: Data, folder: Path) -> list[Path]:
    """Write ablation.csv, importance.csv and regions.csv; empty ones are left out.

    Raises
    ------
    InputError
        If a file cannot be written.
    """
    parts = {
        "ablation": (data["ablation"] or {}).get("steps", ()),
        "importance": (data["importance"] or {}).get("parameters", ()),
        "regions": data["regions"],
    }
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, rows in parts.items():
            if rows:
                path = folder / f"{name}.csv"
                path.write_text(as_csv(_table(rows)), encoding="utf-8")
                written.append(path)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror}") from error
    return written


def _table(rows: list[Data]) -> Table:
    """A row for each record; lists become words, and values of configurations are left out."""
    columns = tuple(name for name in rows[0] if name != "values")
    return Table(columns, [tuple(_cell(row.get(name)) for name in columns) for row in rows])


def _cell(value: Any) -> Any:
    return " ".join(value) if isinstance(value, list | tuple) else value
