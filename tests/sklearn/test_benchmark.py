"""The benchmark of searches: its parts, in small, and the tables in the documentation."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks import fold_rules, pages, records, sklearn_overhead, sklearn_peers, sklearn_sets
from benchmarks.sklearn_columns import one_by_one
from benchmarks.sklearn_report import Choice, filled, pareto, report, rows
from benchmarks.sklearn_search import PAGE, complete, grid, measure, race, saved
from benchmarks.sklearn_tables import Table, data_sets, fetch, make, parts_of, path_of, pipelines
from racing.sklearn import RaceSearchCV


def test_there_are_enough_problems_of_sixty_candidates() -> None:
    assert len(data_sets()) >= 8
    assert [len(one.settings()) for one in pipelines().values()] == [60] * 3


@pytest.fixture(scope="module")
def table() -> Table:
    return make("iris", "tree", 1, n=4)


def test_a_table_has_the_scores_of_every_fit(table: Table) -> None:
    assert table.scores.shape == (60, 4)
    assert ((table.scores >= 0) & (table.scores <= 1)).all()
    assert table.test.max() > 0.85


@pytest.mark.parametrize("kind", ["SVC", "neighbours", "tree"])
def test_fits_that_share_their_work_score_as_those_done_one_by_one(kind: str) -> None:
    fold = parts_of("wine", 1, n=4)[0]
    pipeline = pipelines()[kind]
    settings = pipeline.settings()[::3]
    scores, seconds = one_by_one(pipeline.make, fold, settings)
    np.testing.assert_allclose(pipeline.column(fold, settings), scores)
    assert min(seconds) > 0


def test_what_was_measured_is_kept_and_not_measured_again(tmp_path: Path) -> None:
    problem = ("iris", "tree", 1)
    options = {"live": False, "n": 5}
    first = measure(tmp_path, problem, **options)
    assert fetch(tmp_path, *problem).scores.shape == (60, 5)
    written = path_of(tmp_path, *problem).stat().st_mtime_ns
    again = measure(tmp_path, problem, **options)
    assert again == first
    assert path_of(tmp_path, *problem).stat().st_mtime_ns == written


def test_the_cost_besides_the_fits_is_a_share_of_them() -> None:
    row = sklearn_overhead.measure(1, 1, candidates=4)
    assert row.fits >= 4 * 3
    assert row.bare >= 1
    assert f"| {row.fits} |" in sklearn_overhead.table([row])


def test_seeds_that_are_not_complete_are_left_out() -> None:
    choices = [
        Choice("GridSearchCV", data, kind, seed, 1, 1.0, 0.0, 0.9)
        for seed in (1, 2) for data in data_sets() for kind in pipelines()
    ]  # fmt: skip
    assert {one.seed for one in complete(choices)} == {1, 2}
    assert {one.seed for one in complete(choices[:-1])} == {1}


def test_a_race_over_a_table_spends_less_than_the_grid(table: Table) -> None:
    whole, raced = grid(table), race("race", table, rule="correlated-t")
    assert whole.fits == 240
    assert whole.regret == 0
    assert 180 <= raced.fits <= 240
    assert raced.regret >= 0


def choice(method: str, fits: int, regret: float, data: str = "a") -> Choice:
    return Choice(method, data, "p", 1, fits, float(fits), regret, 0.9 - regret)


def test_the_front_has_whom_nobody_beats_in_work_and_regret() -> None:
    choices = [
        choice(method, fits, regret, data)
        for data in "ab"
        for method, fits, regret in (
            ("GridSearchCV", 100, 0.0), ("cheap", 20, 0.01), ("dear", 50, 0.02)
        )
    ]  # fmt: skip
    assert pareto(rows(choices)) == {"GridSearchCV", "cheap"}
    assert "| cheap | 2 | 20.0 ± 0.0 | 20.0 ± 0.0 | – | 1.00 ± 0.00 | -1.00 ± 0.00 | ✓ |" in report(
        choices
    )


def test_the_page_has_the_table_that_was_measured_and_the_default_is_on_its_front() -> None:
    choices = saved()
    page = PAGE.read_text(encoding="utf-8")
    assert filled(page, choices) == page
    assert "RaceSearchCV, auto" in pareto(rows(choices))
    (default,) = [row for row in rows(choices) if row.method == "RaceSearchCV, auto"]
    assert default.fits[0] < 22
    own: dict[str, list[float]] = {}
    for one in choices:
        if one.method == "RaceSearchCV, auto":
            own.setdefault(one.data, []).append(one.regret)
    assert all(sum(of) / len(of) < 0.01 for of in own.values()), "a point of accuracy"


def test_the_rules_page_has_the_table_of_folds_and_the_level_is_kept() -> None:
    found = json.loads(fold_rules.RESULT.read_text(encoding="utf-8"))
    page = (pages.EVIDENCE / "rules.md").read_text(encoding="utf-8")
    assert f"<!-- table: folds -->\n{fold_rules.tables(found)}\n<!-- end -->" in page
    for world in found["whole"].values():
        kept = world["correlated-sequential"]
        assert kept["lost"] <= 0.05 + 2 * kept["error"]


def test_the_page_has_the_table_of_peers_and_data_sets_are_in_one_half() -> None:
    rows = sklearn_peers.complete(records.load(sklearn_peers.Row, sklearn_peers.FILE))
    page = PAGE.read_text(encoding="utf-8")
    assert sklearn_peers.filled(page, rows) == page
    assert len(sklearn_sets.SETS) >= 20
    assert not set(sklearn_sets.CHOICE) & set(sklearn_sets.REPORT)
    assert {one.data for one in rows} == set(sklearn_sets.SETS)


def test_a_fit_that_is_kept_counts_for_every_search_and_scores_as_one_without_a_ledger() -> None:
    seed = 4  # a tree, which is fitted fast
    peers = {name: sklearn_peers.PEERS[name] for name in ("RandomizedSearchCV", "RaceSearchCV")}
    several = {row.method: row for row in sklearn_peers.measure("wine", seed, peers)}
    alone = [*sklearn_peers.measure("wine", seed, {"RaceSearchCV": peers["RaceSearchCV"]})]
    assert several["RandomizedSearchCV"].fits == 300
    assert several["RaceSearchCV"].fits == alone[0].fits < 150
    assert several["RaceSearchCV"].score == alone[0].score
    ledger, model, space = sklearn_sets.problem("wine", seed)
    cv = sklearn_peers.folds("wine", seed)
    plain = {name.removeprefix("model__"): one for name, one in space.items()}
    found = RaceSearchCV(model, plain, cv=cv, random_state=seed)
    found.fit(ledger.X[ledger.train], ledger.y[ledger.train])
    assert found.n_fits_ == alone[0].fits
    assert found.score(ledger.X[ledger.test], ledger.y[ledger.test]) == alone[0].score
