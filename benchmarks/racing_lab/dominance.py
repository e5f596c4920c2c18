"""Is any rule better than the default in both respects: fewer evaluations, and lower regret?

From the saved races of the paper's settings and of the measured matrices, by paired differences.
Regret is in ranks of the candidates for the paper's settings (their MAE), and in the sense of the
objective for the matrices.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.racing_lab.contenders import DEFAULT, THE_PAPERS
from benchmarks.racing_lab.experiments import PRINTED
from benchmarks.racing_lab.measure import Figure
from benchmarks.racing_lab.saved import Row, Saved, load, save, versions

HALVING = "successive-halving"
COMPARED = (*THE_PAPERS, "bayes, equals kept")
TABLES = {"paper": "place", "matrices": "regret"}


def main(folder: Path) -> None:
    """Compare, save, and print the verdicts."""
    rows = [row for table in TABLES for row in compare(table, load(table, folder))]
    about = {
        "table": "dominance",
        "command": "python -m benchmarks.racing_lab dominance",
        "versions": versions(),
        "summary": verdicts(rows),
    }
    save("dominance", about, rows, folder)
    for line, value in verdicts(rows).items():
        print(f"{line}: {value}")


def compare(table: str, saved: Saved) -> Iterator[Row]:
    """One row for each benchmark and rule: the rule's mean differences to the default."""
    for case in saved.races:
        if table == "paper" and not case.endswith(PRINTED):
            continue
        for rule in saved.about["rules"][case]:
            if rule != DEFAULT:
                yield _row(saved, case, rule, TABLES[table], matrix=table == "matrices")


def _row(saved: Saved, case: str, rule: str, measure: str, *, matrix: bool) -> Row:
    def difference(fact: str) -> Figure:
        return Figure.of(saved.each(case, rule, fact) - saved.each(case, DEFAULT, fact))

    evaluations, regret = difference("evaluations"), difference(measure)
    return {
        "case": case,
        "kind": "matrix" if matrix else "paper",
        "rule": rule,
        "evaluations": evaluations.mean,
        "evaluations_se": evaluations.error,
        "regret": regret.mean,
        "regret_se": regret.error,
        "fewer_evaluations": _sign(evaluations),
        "lower_regret": _sign(regret),
    }


def _sign(difference: Figure) -> int:
    """1 if the rule is better than the default by two standard errors, −1 if worse, else 0."""
    if abs(difference.mean) <= 2 * difference.error:
        return 0
    return 1 if difference.mean < 0 else -1


def verdicts(rows: list[Row]) -> dict[str, object]:
    """The answers, in counts and in names."""
    cases = list(dict.fromkeys(row["case"] for row in rows))
    better = [r for r in rows if r["fewer_evaluations"] == 1 and r["lower_regret"] == 1]
    nominally = [r for r in rows if r["evaluations"] < 0 and r["regret"] < 0 and r not in better]
    return {
        "benchmarks": len(cases),
        "better than the default in both, by two standard errors": _names(better),
        "better in both by less than that": _names(nominally),
        **{
            f"the default is better in both than {rule}": sum(
                r["evaluations"] > 0 and r["regret"] > 0 for r in rows if r["rule"] == rule
            )
            for rule in COMPARED
        },
        **{
            f"the default is better in both than {rule}, each by two standard errors": sum(
                r["fewer_evaluations"] == -1 and r["lower_regret"] == -1
                for r in rows
                if r["rule"] == rule
            )
            for rule in COMPARED
        },
        "the default is better in both than all three": sum(
            all(
                r["evaluations"] > 0 and r["regret"] > 0
                for r in rows
                if r["case"] == case and r["rule"] in THE_PAPERS
            )
            for case in cases
        ),
        "halving at equal evaluations has lower regret, by two standard errors": _names(
            [r for r in rows if r["rule"] == HALVING and r["lower_regret"] == 1]
        ),
        "halving at equal evaluations has higher regret, by two standard errors": sum(
            r["lower_regret"] == -1 for r in rows if r["rule"] == HALVING
        ),
        "halving at equal evaluations has higher regret": sum(
            r["regret"] > 0 for r in rows if r["rule"] == HALVING
        ),
    }


def _names(rows: list[Row]) -> list[str]:
    return [f"{row['case']}: {row['rule']}" for row in rows]
