"""Saved rows as Markdown tables, for the documents."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks.racing_lab import answers
from benchmarks.racing_lab.budgets import BUDGETS, averaged, beaten, rows_of
from benchmarks.racing_lab.contenders import DEFAULT, THE_PAPERS
from benchmarks.racing_lab.experiments import PRINTED
from benchmarks.racing_lab.families import DATA, OBSERVATIONS, ROUNDS
from benchmarks.racing_lab.saved import LOOKS, Row, load
from racing.rules.auto import EFFORTS

Cell = Callable[[Row], str]
PRINT = DATA / "benavoli_2015_tables2_3_racing.csv"
COLUMNS = {"sign": "frace_sign", "mean-ranks": "frace_meanranks", "bayes": "bayesian"}
"""Our names of the printed columns."""
READINGS = ("choice by mean rank", "300 rounds of 1", "300 assessments of 5")


def markdown(head: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A table; the first column is text, the others are numbers."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join("| " + " | ".join(line) + " |" for line in (head, rule, *lines))


def number(value: float | None, digits: int = 3) -> str:
    """With so many significant digits, in plain notation; a dash for nothing."""
    if value is None or math.isnan(value):
        return "–"
    if value == 0 or abs(value) >= 10**digits:
        return f"{value:.0f}"
    places = max(digits - 1 - math.floor(math.log10(abs(value))), 0)
    return f"{value:.{min(places, 5)}f}"


def with_error(row: Row, fact: str, *, scale: float = 1.0, places: int = 2) -> str:
    """A mean and its standard error."""
    if row[fact] is None:
        return "–"
    error = "–" if row[f"{fact}_se"] is None else f"{scale * row[f'{fact}_se']:.{places}f}"
    return f"{scale * row[fact]:.{places}f} ± {error}"


def crossed(rows: Sequence[Row], cell: Cell, *, by: str = "benchmark", corner: str = "") -> str:
    """Rules down, benchmarks across."""
    across = list(dict.fromkeys(row[by] for row in rows))
    rules = list(dict.fromkeys(row["rule"] for row in rows))
    cells = {(row["rule"], row[by]): cell(row) for row in rows}
    lines = [[rule, *(cells.get((rule, column), "–") for column in across)] for rule in rules]
    return markdown([corner, *map(str, across)], lines)


def provenance(table: str, folder: Path) -> str:
    """Where a table comes from."""
    about = load(table, folder).about
    versions = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    return f"`{about['command']}`, seed {about['seed']}; {versions}."


# --- the paper ------------------------------------------------------------------------------


def iterations(row: Row) -> float:
    """The paper's ITER: the share of M that was used."""
    if row["reading"] == "300 assessments of 5":
        return float(row["evaluations"] / (ROUNDS * OBSERVATIONS))
    rows = ROUNDS if row["reading"] == "300 rounds of 1" else ROUNDS * OBSERVATIONS
    return float(row["instances"] / rows)


def _work(row: Row) -> str:
    return f"{iterations(row):.2f} / {with_error(row, 'place')}"


def printed() -> dict[str, list[str]]:
    """Rows of the paper's Tables 2 and 3: ITER / MAE by rule, and the numbers called alike."""
    with PRINT.open(encoding="utf-8") as file:
        settings = list(csv.DictReader(file))
    out = {
        f"{rule}, *printed*": [
            f"{float(s[f'{c}_iter']):.2f} / {float(s[f'{c}_mae']):.2f}" for s in settings
        ]
        for rule, c in COLUMNS.items()
    }
    return out | {"alike, *printed*": [s["bayesian_indistinguishable"] for s in settings]}


def paper_rows(folder: Path, reading: str = PRINTED) -> list[Row]:
    """Rows of one reading."""
    return [
        {**row, "benchmark": row["benchmark"].removeprefix("paper ")}
        for row in load("paper", folder).rows
        if row["reading"] == reading
    ]


def paper(folder: Path) -> str:
    """ITER / MAE of the paper's three races and of the default, printed figures above ours."""
    rows, lines = paper_rows(folder), []
    table = crossed(rows, _work).splitlines()
    ours = {line.split(" | ")[0].removeprefix("| "): line for line in table[2:]}
    for rule in (*THE_PAPERS, "bayes, equals kept", "bayes, χ² gate", "bayes, ungated", DEFAULT):
        if f"{rule}, *printed*" in printed():
            lines.append(
                "| " + " | ".join([f"{rule}, *printed*", *printed()[f"{rule}, *printed*"]]) + " |"
            )
        lines.append(ours[rule])
    return "\n".join([*table[:2], *lines])


def peers(folder: Path) -> str:
    """ITER / MAE of every other rule."""
    shown = {*THE_PAPERS, "bayes, equals kept", "bayes, χ² gate", "bayes, ungated", DEFAULT}
    rest = [r for r in paper_rows(folder) if r["rule"] not in shown and "equal" not in r["rule"]]
    return crossed(rest, _work)


def alike(folder: Path) -> str:
    """Candidates dropped as indistinguishable, and which of them were not."""
    rows = [r for r in paper_rows(folder) if r["alike"] or r["rule"] == "bayes"]
    head, rule, *lines = crossed(
        rows,
        lambda r: (
            f"{r['alike']:.1f} / {number(r.get('alike_wrongly'), 2)} / "
            f"{number(r['alike_apart'], 2)} / {r['place']:.2f}"
        ),
    ).splitlines()
    first = "| " + " | ".join(["*printed*", *printed()["alike, *printed*"]]) + " |"
    return "\n".join([head, rule, first, *lines])


def readings(folder: Path) -> str:
    """ITER / MAE under other readings of M and of the final choice."""
    rows = [
        {**row, "rule": f"{reading}: {row['rule']}"}
        for reading in READINGS
        for row in paper_rows(folder, reading)
    ]
    return crossed(rows, _work)


# --- matrices and synthetic families --------------------------------------------------------


def _both(table: str, objective: str) -> Callable[[Path], str]:
    def make(folder: Path) -> str:
        rows = [
            {**row, "benchmark": row["benchmark"].removeprefix("aslib_")}
            for row in load(table, folder).rows
            if row["objective"] == objective
        ]
        return crossed(
            rows,
            lambda r: f"{r['evaluations']:.0f} / {with_error(r, 'normalised', scale=100)}",
        )

    return make


def best(folder: Path) -> str:
    """How often the matrices' truly best was dropped, and how often it won."""
    rows = [
        {**row, "benchmark": f"{row['benchmark'].removeprefix('aslib_')}, {row['objective']}"}
        for row in load("matrices", folder).rows
    ]
    return crossed(rows, lambda r: f"{r['best_dropped']:.2f} / {r['best_won']:.2f}")


def tried(folder: Path) -> str:
    """Evaluations / normalised regret of the default rule as it was and might be."""
    return crossed(
        [
            {**r, "benchmark": r["benchmark"].removeprefix("aslib_")}
            for r in load("tried", folder).rows
        ],
        lambda r: f"{r['evaluations']:.0f} / {with_error(r, 'normalised', scale=100)}",
    )


# --- budgets, heavy tails, efforts ----------------------------------------------------------


def budgets(folder: Path) -> str:
    """Regret at each budget, averaged over the reporting half; differences to the default."""
    rows = rows_of(folder, "report")
    rules = list(dict.fromkeys(row["rule"] for row in rows))
    lines = []
    for rule in rules:
        found = [averaged(rows, rule, budget) for budget in BUDGETS]
        lines.append(
            [rule]
            + [
                f"{f['regret']:.1f}"
                if rule == DEFAULT
                else f"{f['difference']:+.1f} ± {f['difference_se']:.1f}"
                for f in found
            ]
        )
    for fact, words in (("unspent", "unspent, %"), ("on_equals", "on equals, %")):
        lines += [
            [f"{rule}: {words}", *(f"{100 * averaged(rows, rule, b)[fact]:.0f}" for b in BUDGETS)]
            for rule in rules
        ]
    return markdown(["", *(f"{budget:g}" for budget in BUDGETS)], lines)


def budget_verdicts(folder: Path) -> str:
    """How many single cells some rule is ahead in, and how many races there were."""
    rows = rows_of(folder, "report")
    behind, cells = beaten(rows)
    races = min(row["races"] for row in rows)
    return markdown(
        ["question", "answer"],
        [
            ["races in each cell", str(races)],
            ["cells: world, objective and budget", str(cells)],
            ["in which a rule has less regret than `auto`, by two standard errors", str(behind)],
            ["share of cells without", f"{100 * (1 - behind / cells):.0f} %"],
        ],
    )


def _answers(half: str) -> Callable[[Path], str]:
    """Regret in points at each budget over a half, by number of candidates, and what is unspent."""

    def table(folder: Path) -> str:
        lines = []
        for size, rows in _by_size(folder, half).items():
            for rule in _ordered(rows, answers.PLAIN):
                regret, difference, unspent = _facts(rows, size, rule)
                lines.append([f"{size}: {rule}", *(regret if rule == DEFAULT else difference)])
                if rule == DEFAULT:
                    lines.append([f"{size}: {rule}: unspent, %", *unspent])
        return _by_budget(lines)

    return table


def looks(folder: Path) -> str:
    """What looks at growing distances change in the regret of each rule that takes them."""
    growing = [name + answers.GROWING for name in answers.RULES]
    return _by_budget(
        [
            [f"{size}: {rule.removesuffix(answers.GROWING)}", *_facts(rows, size, rule)[1]]
            for size, rows in _by_size(folder).items()
            for rule in _ordered(rows, growing)
        ]
    )


def to_the_end(folder: Path) -> str:
    """What it changes if the last two race until the budget is spent, and the share left then."""
    lines = []
    for size, rows in _by_size(folder).items():
        for rule in _ordered(rows, [answers.TO_THE_END]):
            _, difference, unspent = _facts(rows, size, rule)
            lines += [[f"{size}: regret", *difference], [f"{size}: unspent, %", *unspent]]
    return _by_budget(lines)


def answers_verdicts(folder: Path) -> str:
    """In how many single cells some rule is ahead, by number of candidates."""
    lines = []
    for half in ("report", "tune"):
        for size, rows in _by_size(folder, half).items():
            cells = {(row["benchmark"], row["budget"]) for row in rows}
            lost = {(row["benchmark"], row["budget"]) for row in answers.ahead(rows)}
            races = min(row["races"] for row in rows if row["rule"] in answers.PLAIN)
            lines.append([f"{half}, {size}", str(races), str(len(cells)), str(len(lost))])
    return markdown(["", "races", "cells", "in which a rule is ahead of `auto`"], lines)


def _by_size(folder: Path, half: str = "") -> dict[str, list[Row]]:
    """The rows of a half, or of both, by number of candidates."""
    rows = [row for row in load("answers", folder).rows if half in row["half"]]
    sizes = {row["benchmark"].split(", ")[-1] for row in rows}
    return {
        size: [row for row in rows if row["benchmark"].endswith(f", {size}")]
        for size in sorted(sizes, key=lambda size: int(size.split()[0]))
    }


def _ordered(rows: Sequence[Row], rules: Sequence[str]) -> list[str]:
    """Those of the rules that were raced, in their order."""
    raced = {row["rule"] for row in rows}
    return [rule for rule in rules if rule in raced]


def _facts(rows: list[Row], size: str, rule: str) -> tuple[list[str], list[str], list[str]]:
    """At each budget: regret, its difference to the base, and the share unspent in per cent."""
    raced = {row["budget"] for row in rows if row["rule"] == rule}
    found = [
        answers.averaged(rows, size, rule, budget) if budget in raced else None
        for budget in answers.BUDGETS
    ]
    return (
        [f"{f['regret']:.2f}" if f else "–" for f in found],
        [f"{f['difference']:+.2f} ± {f['difference_se']:.2f}" if f else "–" for f in found],
        [f"{100 * f['unspent']:.0f}" if f else "–" for f in found],
    )


def _by_budget(lines: Sequence[Sequence[str]]) -> str:
    """A table with a column for each budget."""
    return markdown(["", *(f"{budget:g}" for budget in answers.BUDGETS)], lines)


def races_again(folder: Path) -> str:
    """Regret and evaluations of the present code beside those of the saved tables, by rule."""
    rows, lines = load("again", folder).rows, []
    for table in dict.fromkeys(row["table"] for row in rows):
        for objective in ("rank", "mean"):
            for rule in dict.fromkeys(row["rule"] for row in rows):
                found = [
                    row
                    for row in rows
                    if (row["table"], row["objective"], row["rule"]) == (table, objective, rule)
                ]
                if found:
                    lines.append([f"{table}, {objective}: {rule}", *_then_and_now(found)])
    head = ["", "regret then, %", "now", "difference", "evaluations, %", "cells that changed"]
    return markdown(head, lines)


def _then_and_now(rows: Sequence[Row]) -> list[str]:
    """Means over worlds; errors are those of the means."""

    def mean(fact: str) -> float:
        return sum(row[fact] for row in rows) / len(rows)

    def error(fact: str) -> float:
        return math.sqrt(sum((row[fact] or 0.0) ** 2 for row in rows)) / len(rows)

    changed = sum(abs(row["difference"]) > 0 or abs(row["evaluations"]) > 0 for row in rows)
    return [
        f"{mean('regret_then'):.2f}",
        f"{mean('regret'):.2f}",
        f"{mean('difference'):+.2f} ± {error('difference_se'):.2f}",
        f"{100 * mean('evaluations'):+.1f} ± {100 * error('evaluations_se'):.1f}",
        f"{changed} of {len(rows)}",
    ]


def accurate(folder: Path) -> str:
    """Regret and unspent share of ten accurate candidates, by rule and budget."""
    world = "right in 92–98 %, 10 candidates"
    rows = [row for row in load("answers", folder).rows if row["benchmark"] == world]

    def cell(row: Row) -> str:
        return f"{with_error(row, 'regret')} / {100 * row['unspent']:.0f}"

    return crossed(rows, cell, by="budget")


def heavy(folder: Path) -> str:
    """Regret of choices by plain means, estimated means and mean ranks."""
    rows = load("heavy", folder).rows
    lines = [
        [
            f"{row['benchmark'].removeprefix('aslib_')} ({row['half']})",
            str(row["instances"]),
            f"{row['plain']:.2f}",
            f"{row['difference']:+.2f} ± {row['difference_se']:.2f}",
            f"{row['rank']:.2f}",
        ]
        for row in rows
    ]
    return markdown(["", "instances", "plain mean", "estimated mean", "mean rank"], lines)


def merging(folder: Path) -> str:
    """Regret of `auto`, and of `auto` that leaves equals in the race, by budget."""
    lines = [
        [
            f"{row['objective']}, {row['budget']:g}",
            f"{row['regret']:.1f}",
            f"{row['difference']:+.1f} ± {row['difference_se']:.1f}",
            f"{row['on_twins']:.0f}",
            f"{row['on_twins_kept']:.0f}",
        ]
        for row in load("merging", folder).rows
    ]
    heads = ["objective, budget", "auto", "equals kept", "on twins, %", "equals kept: on twins, %"]
    return markdown(heads, lines)


def efforts(folder: Path) -> str:
    """What `effort` buys: evaluations relative to normal, and regret; over the frontier."""
    rows = [row for row in load("frontier", folder).rows if row["benchmark"] != "near null"]
    lines = [
        [
            effort,
            f"{_ratio(rows, f'auto @ {factor:g}', 'auto @ 1'):.2f}",
            f"{100 * _mean(rows, f'auto @ {factor:g}'):.2f} %",
        ]
        for effort, factor in EFFORTS.items()
    ]
    return markdown(["effort", "evaluations", "regret"], lines)


def _ratio(rows: Sequence[Row], rule: str, to: str) -> float:
    """Geometric mean over worlds of the evaluations of one rule to those of another."""
    spent = {(row["case"], row["rule"]): row["evaluations"] for row in rows}
    logs = [
        math.log(value / spent[case, to]) for (case, name), value in spent.items() if name == rule
    ]
    return math.exp(sum(logs) / len(logs))


def _mean(rows: Sequence[Row], rule: str) -> float:
    found = [row["normalised"] for row in rows if row["rule"] == rule]
    return float(sum(found) / len(found))


# --- errors, dominance, speed ---------------------------------------------------------------


def errors(folder: Path) -> str:
    """How often a given best one is dropped within 100 instances."""
    return crossed(load("errors", folder).rows, lambda row: with_error(row, "lost_by_100"))


def errors_over_time(folder: Path) -> str:
    """The same as instances accumulate, in the first world."""
    rows = load("errors", folder).rows
    first = [row for row in rows if row["case"] == rows[0]["case"]]
    lines = [[r["rule"], *(f"{r[f'lost_by_{n}']:.2f}" for n in LOOKS)] for r in first]
    return markdown(["", *(f"n = {n}" for n in LOOKS)], lines)


def dominance(folder: Path) -> str:
    """The verdicts, with names."""

    def said(value: object) -> str:
        return "; ".join(value) or "none" if isinstance(value, list) else str(value)

    summary = load("dominance", folder).about["summary"]
    return markdown(["question", "answer"], [[q, said(a)] for q, a in summary.items()])


def against_the_papers(folder: Path) -> str:
    """Differences of the papers' races, and halving, to the default, benchmark by benchmark."""
    chosen = (*THE_PAPERS, "f-test", "successive-halving")

    def difference(row: Row, fact: str, better: str) -> str:
        mark = {1: " ▼", 0: "", -1: " ▲"}[row[better]]
        return f"{row[fact]:+.3g} ± {row[f'{fact}_se']:.2g}{mark}"

    rows = [row for row in load("dominance", folder).rows if row["rule"] in chosen]
    cells = {
        (row["case"], row["rule"]): difference(row, "evaluations", "fewer_evaluations")
        + ", "
        + difference(row, "regret", "lower_regret")
        for row in rows
    }
    cases = list(dict.fromkeys(row["case"] for row in rows))
    return markdown(["", *chosen], [[c, *(cells[c, rule] for rule in chosen)] for c in cases])


def speed(folder: Path) -> str:
    """Seconds per decision and shares."""
    rows = load("speed", folder).rows
    parts = [key for key in rows[0] if key not in _SPEED]
    lines = [
        [
            f"{r['candidates']} × {r['instances']}, {r['race']}",
            str(r["decisions"]),
            f"{1000 * r['seconds_per_decision']:.0f}",
            f"{1000 * r['aim']:.0f}",
            *(f"{100 * r[part]:.0f} %" for part in parts),
        ]
        for r in rows
    ]
    return markdown(["", "decisions", "ms per decision", "aim, ms", *parts], lines)


_SPEED = (
    "race",
    "candidates",
    "instances",
    "decisions",
    "seconds_per_decision",
    "aim",
)

TABLES: dict[str, Callable[[Path], str]] = {
    "paper": paper,
    "peers": peers,
    "alike": alike,
    "readings": readings,
    "matrices-rank": _both("matrices", "rank"),
    "matrices-mean": _both("matrices", "mean"),
    "best": best,
    "synthetic-rank": _both("synthetic", "rank"),
    "synthetic-mean": _both("synthetic", "mean"),
    "tried": tried,
    "budgets": budgets,
    "budget-verdicts": budget_verdicts,
    "answers": _answers("report"),
    "answers-tune": _answers("tune"),
    "answers-verdicts": answers_verdicts,
    "accurate": accurate,
    "looks": looks,
    "to-the-end": to_the_end,
    "again": races_again,
    "heavy": heavy,
    "merging": merging,
    "efforts": efforts,
    "errors": errors,
    "errors-over-time": errors_over_time,
    "dominance": dominance,
    "against-the-papers": against_the_papers,
    "speed": speed,
}
"""By the names that documents mark them with."""
