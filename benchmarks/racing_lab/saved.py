"""The files of a table: rows with standard errors (JSON), and what each race came to (npz).

Rules meet the same samples, so that a rule which has changed can be raced again by itself: its rows
and races take the place of the old ones, and paired differences stay paired.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from benchmarks.racing_lab.experiments import Case
from benchmarks.racing_lab.measure import Figure, races

RESULTS = Path(__file__).parents[1] / "results"
KEPT = ("evaluations", "regret", "place", "best_won")
"""Of every race, for paired differences."""
LOOKS = (5, 10, 20, 50, 100)

Found = Mapping[str, Mapping[str, NDArray[np.float64]]]
Row = dict[str, Any]


@dataclass(frozen=True)
class Saved:
    """A table as it was saved."""

    about: Mapping[str, Any]
    rows: Sequence[Row]
    races: Mapping[str, NDArray[np.float32]]

    def each(self, case: str, rule: str, fact: str) -> NDArray[np.float64]:
        """One value a race, NaN where the rule did not take part."""
        rules = list(self.about["rules"][case])
        found = self.races[case][rules.index(rule), KEPT.index(fact)]
        return np.asarray(found, dtype=np.float64)


def load(table: str, folder: Path = RESULTS) -> Saved:
    """Read a table's files."""
    content = json.loads((folder / f"{table}.json").read_text(encoding="utf-8"))
    file = folder / f"{table}.npz"
    kept: dict[str, NDArray[np.float32]] = {}
    if file.exists():
        with np.load(file) as data:
            kept = {case: data[case] for case in data.files}
    return Saved(content["about"], content["rows"], kept)


def rows_of(case: Case, found: Found) -> list[Row]:
    """One row a rule: labels, number of races, and every fact with its standard error."""
    rows = []
    for rule, facts in found.items():
        number = len(facts["evaluations"])
        row: Row = {"case": case.name, **case.labels, "rule": rule, "races": number}
        lost = {f"lost_by_{n}": (facts["dropped_at"] <= n).astype(float) for n in LOOKS}
        for fact, values in {**facts, **lost}.items():
            if fact != "dropped_at":
                figure = Figure.of(values)
                row[fact], row[f"{fact}_se"] = _plain(figure.mean), _plain(figure.error)
        rows.append(row)
    return rows


def _plain(value: float) -> float | None:
    """Six digits; nothing where there is no number, which JSON cannot say."""
    return float(f"{value:.6g}") if np.isfinite(value) else None


def run(
    table: str,
    cases: Sequence[Case],
    *,
    repetitions: int,
    seed: int,
    jobs: int,
    folder: Path,
    command: str,
    only: Collection[str] | None = None,
    anew: bool = True,
    keep_races: bool = True,
) -> None:
    """Race, and save after each case, so that what was done is there if it is stopped.

    Parameters
    ----------
    only
        Rules to be raced; all if not given. Who is measured by one of them is raced with it.
    anew
        Whether to begin a new table; otherwise rows of other cases and rules stay.
    """
    old = Saved({"rules": {}, "parameters": {}}, [], {}) if anew else load(table, folder)
    rows = {(row["case"], row["rule"]): row for row in old.rows}
    kept = dict(old.races)
    for case in cases:
        chosen = _chosen(case, only)
        found = races(
            case.world, chosen, case.setting, repetitions=repetitions, seed=seed, jobs=jobs
        )
        rows |= {(row["case"], row["rule"]): row for row in rows_of(case, found)}
        if keep_races:
            kept[case.name] = _races(case, found, kept.get(case.name), repetitions)
        about = _about(table, command, cases, repetitions=repetitions, seed=seed)
        about |= {key: old.about[key] for key in ("command", "races") if key in old.about}
        about["rules"] = {**old.about["rules"], **about["rules"]}
        about["parameters"] = {**old.about["parameters"], **about["parameters"]}
        _write(Saved(about, list(rows.values()), kept), table, folder)
        print(f"{table}: {case.name}", flush=True)


def _chosen(case: Case, only: Collection[str] | None) -> dict[str, Any]:
    """The contenders to be raced: those asked for, and whoever is measured by them."""
    return {
        name: contender
        for name, contender in case.contenders.items()
        if not only or name in only or contender.like in only
    }


def _races(
    case: Case, found: Found, old: NDArray[np.float32] | None, repetitions: int
) -> NDArray[np.float32]:
    """(rules, facts, races); rules that were not raced keep their old values."""
    shape = (len(case.contenders), len(KEPT), repetitions)
    out = np.full(shape, np.nan, dtype=np.float32)
    if old is not None and old.shape == shape:
        out[:] = old
    for i, name in enumerate(case.contenders):
        if name in found:
            for j, fact in enumerate(KEPT):
                out[i, j] = np.nan
                out[i, j, : len(found[name][fact])] = found[name][fact]
    return out


def _about(
    table: str, command: str, cases: Sequence[Case], *, repetitions: int, seed: int
) -> dict[str, Any]:
    return {
        "table": table,
        "command": command,
        "races": repetitions,
        "seed": seed,
        "date": date.today().isoformat(),
        "versions": versions(),
        "rules": {case.name: list(case.contenders) for case in cases},
        "parameters": {
            name: repr(contender.rule)
            for case in cases
            for name, contender in case.contenders.items()
        },
    }


def versions() -> dict[str, str]:
    """Of what the numbers depend on."""
    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
    }


def _write(saved: Saved, table: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    save(table, saved.about, saved.rows, folder)
    if saved.races:
        np.savez_compressed(folder / f"{table}.npz", **dict(saved.races))  # type: ignore[arg-type]


def save(table: str, about: Mapping[str, Any], rows: Sequence[Row], folder: Path) -> None:
    """Write rows as JSON."""
    lines = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in rows)
    text = json.dumps({"about": about}, ensure_ascii=False, indent=1)[:-2]
    (folder / f"{table}.json").write_text(f'{text},\n "rows": [\n{lines}\n]\n}}\n', "utf-8")
