"""What explains a winner, as a document, and its tables as CSV files."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from racing.analysis.explain.ablation import PathStep
from racing.analysis.explain.explanation import AblationReport, Explanation
from racing.analysis.explain.model import Model
from racing.analysis.explain.regions import Region
from racing.answer import document as doc
from racing.answer.document import bare, quoted
from racing.answer.words import interval, sentence
from racing.base.errors import InputError
from racing.base.words import count, percent, value_text
from racing.core.candidate import Candidate
from racing.log.export import Table, as_csv
from racing.report.run_tables import changes_table

_ROWS, _PAIRS = 12, 5
_LEAST_SHARE = 0.01
_SURE = 30  # evaluations to suggest for each parameter that differs
_SCALES = {"cost": "the costs", "log": "the logarithms of the costs", "rank": "the ranks"}


def explained(told: Explanation) -> doc.Document:
    """The winner's changes and their gains, the important parameters, and unexplored regions."""
    model = told.importance
    return [
        *(_trust(model) if model else ()),
        *(_path(told, told.ablation) if told.ablation and told.changes else _changes(told)),
        *(_shares(model, told.winner) if model and model.r2 > 0 else ()),
        *_regions(told),
        *(doc.Callout("Note", f"{note}.") for note in told.notes),
    ]


def _trust(model: Model) -> Iterator[doc.Part]:
    """How well the forest fits, before results that depend on it."""
    trust = " That is little: do not rely on these shares." if model.poor else ""
    if model.r2 <= 0:
        trust = " So the run does not say which parameters matter."
    said = (
        f"The forest explains {percent(max(model.r2, 0.0))} of the variance of "
        f"{_SCALES[model.scale]} of configurations that it was not fitted to (cross-validation)."
        f"{trust}"
    )
    left = f"{count(model.left_out, 'configuration')} that never worked: left out of it."
    yield doc.Sentences((said, *([left] if model.left_out else [])))


def _changes(told: Explanation) -> Iterator[doc.Part]:
    if told.changes:
        yield from changes_table(told.against, told.winner)
    if told.changes and told.repeatable:
        budget = max(_SURE * len(told.changes), 60)
        yield doc.Callout("Next", "run configurations in between, to see which brought the gain:")
        yield doc.Command(f"racing explain {shlex.quote(str(told.run))} --budget {budget}")


def _path(told: Explanation, found: AblationReport) -> Iterator[doc.Part]:
    """The path of an ablation: the gain of each change, and of all of them."""
    failed = any(one.gain and (one.gain.failures or one.gain.over_failures) for one in found.steps)
    left_out = any(one.gain and one.gain.pairs < one.gain.instances for one in found.steps)
    rows = "gains are of the instances on which nothing of the path failed; "
    note = f"{rows * left_out}failed: the step's runs"
    yield doc.table(
        "path",
        f"From {quoted(told.against)} to {quoted(told.winner)}, one change after the other",
        (">step", "change", ">gain", ">95 % interval", ">share", *[">failed"] * failed),
        (
            (one.step, quoted(one.change), gain and gain.estimate, gain and interval(gain),
             percent(one.share), *[gain and gain.failures] * failed)
            for one in found.steps for gain in [one.gain]
        ),
        notes=[note] * failed,
    )  # fmt: skip
    yield doc.Sentences(tuple(_whole(found)))


def _whole(found: AblationReport) -> Iterator[str]:
    total, needed = found.total, found.instances_needed
    if total is None or not total.pairs:
        yield "The budget did not suffice to measure the path; give more."
        return
    chosen = (
        "" if found.independent else " The changes were chosen on them too, as there are no others."
    )
    yield f"{sentence(total)}{chosen} {count(found.evaluations, 'new evaluation')}."
    if needed:
        yield (
            f"That may be chance: with differences as here about {count(needed, 'instance')} would "
            f"tell, by `--budget {needed * (len(found.steps) + 1) * 10 // 4}`."
        )
    unsure = [str(one.step) for one in found.steps
              if one.gain is None or one.gain.low <= 0 <= one.gain.high]  # fmt: skip
    if unsure:
        plural = "s" if len(unsure) > 1 else ""
        yield f"Changes that may have brought nothing: step{plural} {', '.join(unsure)}."


def _shares(model: Model, winner: Candidate) -> Iterator[doc.TextTable]:
    every = model.parameters
    shown = [one for one in every[:_ROWS] if max(one.total, one.local or 0.0) >= _LEAST_SHARE]
    notes = [f"{len(every) - len(shown)} more: --json shows all"] if len(shown) < len(every) else []
    notes += [
        f"{' and '.join(map(quoted, pair.names))} together: {percent(pair.share)} more"
        for pair in model.interactions[:_PAIRS]
        if pair.share >= 2 * _LEAST_SHARE
    ]
    yield doc.table(
        "importance",
        f"How much each parameter matters ({count(model.configurations, 'configuration')})",
        ("parameter", ">alone", ">with others", f">near {quoted(winner)}"),
        (
            (quoted(one.name), f"{percent(one.main)} ± {percent(one.spread)}",
             percent(one.total), percent(one.local))
            for one in shown
        ),
        notes=notes,
    )  # fmt: skip


def _regions(told: Explanation) -> Iterator[doc.Part]:
    failing = [region for region in told.regions if region.kind == "failing"]
    missed = [region for region in told.regions if region.kind == "unexplored"]
    if told.failures:
        rest = ":" if failing else ", in no part of the space more than elsewhere."
        failed = f"{told.failures} of {count(told.evaluations, 'evaluation')} failed{rest}"
        yield doc.Sentences((failed,))
    if failing:
        yield doc.BulletList(
            tuple(
                f"{_where(one)}: {one.failures} of {one.evaluations} "
                f"({count(one.configurations, 'configuration')}), "
                f"elsewhere {percent(one.elsewhere)}"
                for one in failing
            )
        )
    if missed:
        yield doc.Sentences((f"Never tried in {count(told.configurations, 'configuration')}:",))
        yield doc.BulletList(tuple(map(_where, missed)))


def _where(region: Region) -> str:
    name = quoted(region.name)
    also = "" if region.other is None else f" and {_where(region.other)}"
    if region.level is not None:
        return f"{name} = {quoted(value_text(region.level))}{also}"
    if region.low is None:
        return f"{name}, which was never active"
    return f"{name} from {value_text(region.low)} to {value_text(region.high)}{also}"


def write_csv(told: Explanation, folder: Path) -> list[Path]:
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
        "regions": [
            asdict(one) | {"other": one.other and bare(_where(one.other))} for one in told.regions
        ],
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
