"""What explains a winner: the facts, which `--json` prints, and tables of them as CSV files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from racing.analysis.explain.ablation import Step
from racing.analysis.explain.explanation import Explanation, Model
from racing.analysis.explain.regions import Region
from racing.answer.gain import Gain
from racing.answer.words import problems_needed
from racing.base.errors import InputError
from racing.base.words import value_text
from racing.core.candidate import Candidate
from racing.log.export import as_csv
from racing.log.tables import Table
from racing.space import Value


@dataclass(frozen=True, kw_only=True)
class Difference:
    """A parameter that differs; None where it is switched off."""

    parameter: str
    against: Value | None
    winner: Value | None


@dataclass(frozen=True, kw_only=True)
class PathStep:
    """A step of the path to the winner; `share` is that of the whole gain, None if unknown."""

    step: int
    parameters: tuple[str, ...]
    change: str
    raced_against: int
    gain: Gain | None
    share: float | None
    values: Mapping[str, Value]


@dataclass(frozen=True, kw_only=True)
class AblationReport:
    """The path to the winner.

    `independent` says whether it was measured on instances that had no part in the choice of its
    changes; `instances_needed` are as many as would show a whole gain that is not shown.
    """

    log: Path | None
    evaluations: int
    instances: int
    independent: bool
    total: Gain | None
    instances_needed: int | None
    steps: tuple[PathStep, ...]


@dataclass(frozen=True, kw_only=True)
class ExplanationReport:
    """An explanation; `--json` prints it, with these names."""

    run: Path
    winner: Candidate
    against: Candidate
    differences: tuple[Difference, ...]
    ablation: AblationReport | None
    importance: Model | None
    regions: tuple[Region, ...]
    configurations: int
    evaluations: int
    failures: int
    notes: tuple[str, ...]


def explanation_report(found: Explanation) -> ExplanationReport:
    """The facts of an explanation."""
    return ExplanationReport(
        run=found.log,
        winner=found.winner,
        against=found.against,
        differences=tuple(
            Difference(parameter=name, against=before, winner=after)
            for name, (before, after) in found.differences.items()
        ),
        ablation=_ablation(found),
        importance=found.model,
        regions=found.regions,
        configurations=found.configurations,
        evaluations=found.evaluations,
        failures=found.failures,
        notes=found.notes,
    )


def _ablation(found: Explanation) -> AblationReport | None:
    ablation = found.ablation
    if ablation is None:
        return None
    path, total = ablation.path, ablation.total
    before = [found.against.values, *(step.candidate.values for step in path)]
    return AblationReport(
        log=found.ablation_log,
        evaluations=ablation.outcomes,
        instances=len(ablation.measured_on),
        independent=ablation.independent,
        total=total,
        instances_needed=None if total is None else problems_needed(total),
        steps=tuple(
            PathStep(
                step=at,
                parameters=step.change.names,
                change=_change(before[at - 1], step),
                raced_against=step.raced,
                gain=step.gain,
                share=_share(step.gain, total),
                values=dict(step.candidate.values),
            )
            for at, step in enumerate(path, start=1)
        ),
    )


def _share(gain: Gain | None, total: Gain | None) -> float | None:
    """The share of the whole gain; None where either is unknown or the whole is 0."""
    whole = None if total is None else total.estimate
    if gain is None or gain.estimate is None or whole is None or whole <= 0:
        return None
    return gain.estimate / whole


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


def write_csv(told: ExplanationReport, folder: Path) -> list[Path]:
    """Write ablation.csv, importance.csv and regions.csv; empty ones are left out.

    Raises
    ------
    InputError
        If a file cannot be written.
    """
    model = told.importance
    parts = {
        "ablation": [_flat(one) for one in told.ablation.steps] if told.ablation else [],
        "importance": [asdict(one) for one in model.parameters] if model else [],
        "regions": [asdict(one) for one in told.regions],
    }
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, rows in parts.items():
            if rows:
                path, columns = folder / f"{name}.csv", tuple(rows[0])
                lines = [tuple(row.values()) for row in rows]
                path.write_text(as_csv(Table(columns, lines)), encoding="utf-8")
                written.append(path)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror}") from error
    return written


def _flat(one: PathStep) -> dict[str, Any]:
    """A step as a row: numbers of its gain beside one another."""
    gain = one.gain
    return {
        "step": one.step,
        "parameters": " ".join(one.parameters),
        "change": one.change,
        "raced_against": one.raced_against,
        "gain": gain and gain.estimate,
        "low": gain and gain.low,
        "high": gain and gain.high,
        "pairs": gain.pairs if gain else 0,
        "share": one.share,
    }
