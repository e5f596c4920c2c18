"""Which rule when: five lines, each backed by figures from the saved files."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

from benchmarks.racing_lab.contenders import DEFAULT
from benchmarks.racing_lab.saved import Row, load
from benchmarks.racing_lab.tables import markdown

WHEN = {
    "auto": "you want the best choice that your budget buys (the default)",
    "bets": "the best must not be lost, however often you look",
    "successive-halving": "a fixed budget is to be spent by a textbook schedule",
    "f-test": "you want to do as irace does",
    "bayes": "you want statements with probabilities, and equals reported as equals",
}

NULL = "near null"
"""There is nothing to be gained there, and normalised regret is all or nothing."""


def table(folder: Path) -> str:
    """Rule, use, and how it did: on the half of the benchmarks that no parameter was chosen on."""
    rows = [
        row
        for name in ("matrices", "synthetic")
        for row in load(name, folder).rows
        if row["half"] == "report" and row["benchmark"] != NULL
    ]
    lines = [
        [
            f"`{rule}`",
            when,
            f"{relative(rows, rule, 'evaluations'):.2f}",
            f"{100 * average(rows, rule, 'normalised'):.2f} %",
            f"{max(lost(folder, rule)):.2f}",
        ]
        for rule, when in WHEN.items()
    ]
    head = ["rule", "when", "evaluations", "regret", "drops the best"]
    text = markdown(head, lines).splitlines()
    text[1] = "| --- | --- | ---: | ---: | ---: |"
    return "\n".join(text)


def lost(folder: Path, rule: str) -> list[float]:
    """Rates at which the best is dropped, world by world; of `bets` those with 10,000 races."""
    if rule == "bets":
        found = json.loads((folder / "promise.json").read_text(encoding="utf-8"))["promise"]
        return [float(world["dropped"]) for world in found.values()]
    rows = load("errors", folder).rows
    return [float(row["lost_by_100"]) for row in rows if row["rule"] == rule]


def relative(rows: Sequence[Row], rule: str, fact: str) -> float:
    """Geometric mean over benchmarks of the rule's mean to the default's."""
    by_case = {(row["case"], row["rule"]): row[fact] for row in rows}
    logs = [
        math.log(value / by_case[case, DEFAULT])
        for (case, name), value in by_case.items()
        if name == rule
    ]
    return math.exp(sum(logs) / len(logs))


def average(rows: Sequence[Row], rule: str, fact: str) -> float:
    """Mean over benchmarks."""
    values = [float(row[fact]) for row in rows if row["rule"] == rule]
    return sum(values) / len(values)
