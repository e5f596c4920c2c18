"""An explanation as data, as CSV files, and in words."""

from __future__ import annotations

import math
import shlex
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from racing.cli.console import count, number, say, table

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from racing.explain import Region, Step
    from racing.explanation import Explanation, Model
    from racing.search.gain import Gain

_ROWS = 12
_PAIRS = 5
_LEAST_SHARE = 0.01
_SURE = 30  # evaluations to suggest for each parameter that differs


# --- data ---------------------------------------------------------------------------------------


def as_data(found: Explanation) -> dict[str, Any]:
    """All that is known, as plain data."""
    return {
        "run": str(found.log),
        "winner": {"name": str(found.winner), "values": dict(found.winner.values)},
        "against": {"name": str(found.against), "values": dict(found.against.values)},
        "differences": {
            name: {"from": before, "to": after}
            for name, (before, after) in found.differences.items()
        },
        "ablation": _ablation_as_data(found),
        "importance": _model_as_data(found.model),
        "regions": [asdict(region) for region in found.regions],
        "configurations": found.configurations,
        "evaluations": found.evaluations,
        "failures": found.failures,
        "notes": list(found.notes),
    }


def _ablation_as_data(found: Explanation) -> dict[str, Any] | None:
    if found.ablation is None:
        return None
    return {
        "log": str(found.ablation_log),
        "evaluations": found.ablation.outcomes,
        "instances": len(found.ablation.measured_on),
        "independent": found.ablation.independent,
        "total": _gain_as_data(found.ablation.total),
        "steps": [
            {**row, "values": dict(step.candidate.values)}
            for row, step in zip(_steps(found), found.ablation.path, strict=True)
        ],
    }


def _steps(found: Explanation) -> list[dict[str, Any]]:
    """One row for each step of the path."""
    assert found.ablation is not None
    before: Mapping[str, Any] = found.against.values
    rows, total = [], found.ablation.total
    for place, step in enumerate(found.ablation.path, start=1):
        gain = _gain_as_data(step.gain)
        rows.append(
            {
                "step": place,
                "parameters": list(step.change.names),
                "change": _change(before, step),
                "raced_against": step.raced,
                **gain,
                "share": gain["gain"] / total.mean if total and total.mean > 0 else math.nan,
            }
        )
        before = step.candidate.values
    return rows


def _gain_as_data(gain: Gain | None) -> dict[str, Any]:
    if gain is None:
        return {"gain": math.nan, "low": math.nan, "high": math.nan, "pairs": 0}
    return {
        "gain": gain.mean,
        "low": gain.low,
        "high": gain.high,
        "pairs": gain.pairs,
        "failures_before": gain.baseline_failures,
        "failures_after": gain.winner_failures,
    }


def _model_as_data(model: Model | None) -> dict[str, Any] | None:
    if model is None:
        return None
    return {
        "configurations": model.forest.configurations,
        "left_out": model.left_out,
        "r2": model.forest.r2,
        "poor": model.forest.poor,
        "parameters": [asdict(one) for one in model.parameters],
        "interactions": [asdict(pair) for pair in model.pairs],
    }


def write_csv(found: Explanation, folder: Path) -> list[Path]:
    """Write ablation.csv, importance.csv and regions.csv, as far as there is something in them.

    Raises
    ------
    InputError
        If a file cannot be written.
    """
    from racing.errors import InputError
    from racing.log.export import as_csv
    from racing.log.tables import Table

    parts: dict[str, list[dict[str, Any]]] = {
        "ablation": [] if found.ablation is None else _steps(found),
        "importance": [] if found.model is None else [asdict(p) for p in found.model.parameters],
        "regions": [asdict(region) for region in found.regions],
    }
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, rows in parts.items():
            if rows:
                path = folder / f"{name}.csv"
                cells = [tuple(map(_cell, row.values())) for row in rows]
                path.write_text(as_csv(Table(tuple(rows[0]), cells)), encoding="utf-8")
                written.append(path)
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror}") from error
    return written


def _cell(value: Any) -> Any:
    return " ".join(value) if isinstance(value, list | tuple) else value


# --- words --------------------------------------------------------------------------------------


def print_explanation(found: Explanation) -> None:
    """Say what the winner changes, what that brought, what matters, and what was missed."""
    _print_changes(found)
    _print_model(found)
    _print_regions(found)
    for note in found.notes:
        say(f"Note: {note}.")


def _print_changes(found: Explanation) -> None:
    if not found.differences:
        return
    if found.ablation is not None:
        _print_ablation(found)
        return
    table(
        f"What {found.winner} changes",
        ("parameter", f">{found.against}", f">{found.winner}"),
        ((name, _value(a), _value(b)) for name, (a, b) in found.differences.items()),
    )
    more = max(_SURE * len(found.differences), 60)
    say(
        f"Which of these brought the gain: `racing explain {shlex.quote(str(found.log))} --budget "
        f"{more}` runs configurations in between."
    )


def _print_ablation(found: Explanation) -> None:
    assert found.ablation is not None
    ablation = found.ablation
    rows = _steps(found)
    table(
        f"From {found.against} to {found.winner}, one change after the other",
        (">step", "change", ">gain", ">95% interval", ">share"),
        (
            (row["step"], row["change"], number(row["gain"]), _interval(row), _share(row["share"]))
            for row in rows
        ),
    )
    total = ablation.total
    if total is None:
        say("The budget did not suffice to measure the path; give more.")
        return
    where = (
        "that chose none of these changes"
        if ablation.independent
        else "that also chose them, as there are no others: the gains are too good"
    )
    whole = _gain_as_data(total)
    say(
        f"In all {number(total.mean)} on average, interval {_interval(whole)}, on "
        f"{count(total.pairs, 'instance')} {where}; {count(ablation.outcomes, 'new evaluation')}."
    )
    unsure = [row for row in rows if not (row["low"] > 0 or row["high"] < 0)]
    if unsure:
        steps = ", ".join(str(row["step"]) for row in unsure)
        say(f"Changes that may have brought nothing: step{'s'[: len(unsure) - 1]} {steps}.")


def _interval(row: Mapping[str, Any]) -> str:
    if not math.isfinite(row["low"]):
        return "–"
    return f"{number(row['low'])} to {number(row['high'])}"


def _share(share: float) -> str:
    return "–" if math.isnan(share) else f"{share:.0%}"


def _change(before: Mapping[str, Any], step: Step) -> str:
    """What a step changes, what follows from it in brackets."""
    after, own = step.candidate.values, step.change.names
    moved = [
        name for name in dict.fromkeys([*before, *after]) if before.get(name) != after.get(name)
    ]
    parts = [f"{name}: {_value(before.get(name))} → {_value(after.get(name))}"
             for name in moved if name in own]  # fmt: skip
    rest = [f"{name}: {_value(before.get(name))} → {_value(after.get(name))}"
            for name in moved if name not in own]  # fmt: skip
    return "; ".join(parts) + (f" ({'; '.join(rest)})" if rest else "")


def _value(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "true" if value else "false"
    return number(value) if isinstance(value, float) else str(value)


def _print_model(found: Explanation) -> None:
    if found.model is None:
        return
    model = found.model
    shown = [
        one
        for place, one in enumerate(model.parameters)
        if place < _ROWS and max(one.total, one.local) >= _LEAST_SHARE
    ]
    table(
        f"How much each parameter matters ({count(model.forest.configurations, 'configuration')})",
        ("parameter", ">alone", ">with others", f">near {found.winner}"),
        (
            (one.name, f"{one.main:.0%} ± {one.spread:.0%}", f"{one.total:.0%}", f"{one.local:.0%}")
            for one in shown
        ),
    )
    if len(shown) < len(model.parameters):
        say(f"  {len(model.parameters) - len(shown)} more: --json shows all")
    for pair in model.pairs[:_PAIRS]:
        if pair.share >= 2 * _LEAST_SHARE:
            say(f"  {' and '.join(pair.names)} together: {pair.share:.0%} more")
    say(
        f"The forest explains {model.forest.r2:.0%} of the variance of configurations that it was "
        "not fitted to (out of bag)."
    )
    if model.left_out:
        say(f"{count(model.left_out, 'configuration')} that never worked: left out of it.")
    if model.forest.poor:
        say("That is little: do not rely on these shares.")


def _print_regions(found: Explanation) -> None:
    failing = [region for region in found.regions if region.kind == "failing"]
    missed = [region for region in found.regions if region.kind == "unexplored"]
    if found.failures:
        say(
            f"{found.failures} of {count(found.evaluations, 'evaluation')} failed"
            + (":" if failing else ", in no part of the space more than elsewhere.")
        )
    for region in failing:
        say(
            f"  {_where(region)}: {region.failures} of {region.evaluations} "
            f"({count(region.configurations, 'configuration')}), elsewhere "
            f"{region.elsewhere:.0%}"
        )
    if missed:
        say(f"Never tried in {count(found.configurations, 'configuration')}:")
        for region in missed:
            say(f"  {_where(region)}")


def _where(region: Region) -> str:
    if region.level is not None:
        return f"{region.name} = {_value(region.level)}"
    if region.low is None:
        return f"{region.name}, which was never active"
    return f"{region.name} from {_value(region.low)} to {_value(region.high)}"
