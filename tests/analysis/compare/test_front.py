"""`compare_metrics`: what must not change it, what it says, and what it refuses."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import racing
from racing.analysis.compare import MetricComparison, ResultTable, as_table
from racing.analysis.compare.front import document
from racing.answer.json import as_data
from racing.answer.text import text
from racing.base.errors import InputError, TableError
from racing.base.plain import json_text, jsonable
from racing.core.fronts import TradeOffs
from racing.stats import paired_t

NAMES = ("slow", "knee", "fast", "poor")
INSTANCES = tuple(f"i{at}" for at in range(20))


def scores(seed: int, means: tuple[float, ...]) -> NDArray[np.float64]:
    g = np.random.default_rng([7, seed])
    return np.array(means) + g.normal(size=(20, 4)) + g.normal(size=(20, 1))


def table(seed: int, means: tuple[float, ...], **options: Any) -> ResultTable:
    return as_table(scores(seed, means), names=NAMES, instances=INSTANCES, **options)


def tables() -> dict[str, ResultTable]:
    return {"quality": table(1, (0, 1, 4, 5)), "time": table(2, (8, 4, 2, 9))}


def core(found: MetricComparison) -> dict[str, Any]:
    """All that is said, without the order of metrics."""
    data = as_data(found.facts())
    return {
        "algorithms": {one.pop("name"): one for one in data["algorithms"]},
        "knee": data["knee"],
        "together": data["together"],
    }


def test_it_says_who_is_on_the_front_and_who_is_dominated() -> None:
    found = racing.compare_metrics(tables())
    assert found.front == ("slow", "knee", "fast")
    assert found.names[found.knee] == "knee"
    assert set(found.statements) == {(name, "poor") for name in ("slow", "knee", "fast")}
    assert found.on_front[3] < 0.05
    assert found.on_front[:3].min() > 0.95
    said = text(document(found))
    assert "no other dominates slow, knee and fast; the best compromise (knee) is knee" in said
    assert "- fast dominates poor." in said
    assert "Lower is taken to be better in quality and time" in said
    json_text(as_data(found.facts()))


def test_means_and_intervals_are_those_of_a_single_column() -> None:
    found = racing.compare_metrics(tables(), alpha=0.1)
    for k, metric in enumerate(("quality", "time")):
        for i, column in enumerate(tables()[metric].means.T):
            alone = paired_t(np.zeros(20), column, level=0.9)
            assert found.means[i, k] == pytest.approx(alone.mean)
            assert (found.low[i, k], found.high[i, k]) == pytest.approx((alone.low, alone.high))


def permuted(given: dict[str, ResultTable]) -> dict[str, ResultTable]:
    """The tables in the other order, and in each of them instances and algorithms in another."""
    mixed = {}
    for seed, (metric, one) in enumerate(reversed(given.items())):
        rows = np.random.default_rng(seed).permutation(20)
        columns = np.random.default_rng(seed + 5).permutation(4)
        mixed[metric] = as_table(
            one.scores[np.ix_(rows, columns)],
            names=[NAMES[at] for at in columns], instances=[INSTANCES[at] for at in rows],
        )  # fmt: skip
    return mixed


def test_permuted_metrics_instances_and_algorithms_change_nothing() -> None:
    first, ropes = tables(), {"time": 0.5}
    assert core(racing.compare_metrics(first, rope=ropes)) == core(
        racing.compare_metrics(permuted(first), rope=ropes)
    )


def test_affine_rescaling_changes_means_only() -> None:
    plain = racing.compare_metrics(tables(), rope={"time": 0.5})
    scaled = {
        **tables(),
        "quality": as_table(
            5 - 100 * scores(1, (0, 1, 4, 5)), names=NAMES, instances=INSTANCES,
            direction="maximize",
        ),
    }  # fmt: skip
    again = racing.compare_metrics(scaled, rope={"time": 0.5})
    assert again.means[:, 0] == pytest.approx(5 - 100 * plain.means[:, 0])
    assert again.low[:, 0] == pytest.approx(5 - 100 * plain.high[:, 0])
    for left, right in (
        (again.on_front.tolist(), plain.on_front.tolist()),
        (again.statements, plain.statements),
        (again.front, plain.front),
        (again.knee, plain.knee),
        (again.dominance.joint, plain.dominance.joint),
    ):
        assert left == right


def test_directions_by_name_are_those_of_the_tables() -> None:
    raw = {"quality": -scores(1, (0, 1, 4, 5)), "time": scores(2, (8, 4, 2, 9))}
    found = racing.compare_metrics(raw, direction={"quality": "maximize"})
    plain = racing.compare_metrics({**raw, "quality": -raw["quality"]})
    assert found.statements == plain.statements
    assert found.on_front.tolist() == plain.on_front.tolist()
    assert found.means[:, 0] == pytest.approx(-plain.means[:, 0])
    assert "Lower is taken to be better in time;" in text(document(found))


def test_what_one_table_leaves_out_is_left_out_of_all() -> None:
    gaps = scores(1, (0, 1, 4, 5))
    gaps[3, 0] = np.nan
    raw = {"quality": gaps, "time": scores(2, (8, 4, 2, 9))}
    rows = racing.compare_metrics(raw, missing="drop-instances")
    assert (rows.first.n, len(rows.names)) == (19, 4)
    columns = racing.compare_metrics(raw, missing="drop-algorithms")
    assert columns.names == ("A2", "A3", "A4")
    assert "Left out because cells are missing: A1." in text(document(columns))


def test_a_rope_makes_equal() -> None:
    raw = {"quality": scores(1, (0, 1, 4, 5)), "time": scores(2, (8, 4, 2, 9))}
    raw["quality"][:, 1] = raw["quality"][:, 0] + 0.01
    assert "A1" in racing.compare_metrics(raw).front
    assert "A1" not in racing.compare_metrics(raw, rope={"quality": 1.0}).front


def test_nothing_is_said_of_noise() -> None:
    raw = {metric: scores(at, (0, 0, 0, 0)) for at, metric in enumerate(("a", "b", "c"))}
    found = racing.compare_metrics(raw)
    assert found.statements == ()
    assert "No statement that one dominates another can be believed" in text(document(found))


def test_of_many_rows_the_first_are_shown() -> None:
    found = racing.compare_metrics(tables())
    said = text(document(found, most_rows=1))
    assert "3 further algorithms that are less likely on the front are not shown" in said
    assert f"And {len(found.statements) - 1} more." in said


def failing(*where: tuple[int, int]) -> dict[str, ResultTable]:
    """The tables with failures at (instance, algorithm) in both."""
    found = tables()
    for metric, one in found.items():
        scores = one.scores.copy()
        scores[tuple(zip(*where, strict=True))] = np.inf
        found[metric] = replace(one, scores=scores)
    return found


FAILURES = {
    "one never fails": [(0, 1), (5, 1), (5, 2), (7, 3)],
    "all on one instance": [(4, 0), (4, 1), (4, 2), (4, 3), (6, 1)],
    "each elsewhere": [(0, 0), (1, 1), (2, 2), (3, 3), (9, 3)],
    "one always": [(at, 1) for at in range(20)],
    "one but once": [(at, 0) for at in range(19)],
}


@pytest.mark.parametrize("where", FAILURES.values(), ids=FAILURES)
def test_failures_count_as_in_a_race(where: list[tuple[int, int]]) -> None:
    given, ropes = failing(*where), {"time": 0.5}
    found = racing.compare_metrics(given, rope=ropes, seed=3)
    costs = np.stack([one.costs for one in given.values()], axis=2)
    costs[np.isinf(costs)] = np.nan
    failed = np.isnan(costs[:, :, 0]).sum(axis=0)
    race = TradeOffs(costs, failed, np.array([0.0, 0.5]))
    assert found.failed.tolist() == failed.tolist()
    assert found.undominated.tolist() == race.front.tolist()
    assert found.knee == np.lexsort(race.merits.T[::-1])[0]
    drawn = race.probabilities(np.random.default_rng(3))
    assert found.on_front == pytest.approx(drawn, abs=0.06)
    assert set(np.flatnonzero(failed > failed.min())) <= set(np.flatnonzero(found.on_front == 0))
    for j, c in found.statements:
        assert failed[NAMES.index(j)] <= failed[NAMES.index(c)]
        assert c not in found.front


@pytest.mark.parametrize("where", FAILURES.values(), ids=FAILURES)
def test_a_failure_has_no_value_in_means_and_intervals(where: list[tuple[int, int]]) -> None:
    given = failing(*where)
    found = racing.compare_metrics(given)
    for k, one in enumerate(given.values()):
        for i, column in enumerate(one.means.T):
            own = column[np.isfinite(column)]
            shown = [found.means[i, k], found.low[i, k], found.high[i, k]]
            if len(own) < 2:
                assert np.isnan(shown[1:]).all()
                assert shown[0] == own[0] if len(own) else np.isnan(shown[0])
                continue
            alone = paired_t(np.zeros(len(own)), own, level=0.95)
            assert shown == pytest.approx([alone.mean, alone.low, alone.high])


@pytest.mark.parametrize("where", FAILURES.values(), ids=FAILURES)
def test_failures_say_the_same_in_any_order(where: list[tuple[int, int]]) -> None:
    given = failing(*where)
    plain, again = racing.compare_metrics(given), racing.compare_metrics(permuted(given))
    assert jsonable(core(plain)) == jsonable(core(again))


def test_of_scores_to_be_maximized_a_failure_is_minus_infinity() -> None:
    given = failing((3, 0), (4, 2))
    turned = {
        **given,
        "quality": replace(
            given["quality"], scores=-given["quality"].scores, direction="maximize"
        ),
    }  # fmt: skip
    plain, found = racing.compare_metrics(given), racing.compare_metrics(turned)
    assert found.failed.tolist() == plain.failed.tolist()
    assert found.statements == plain.statements
    assert found.means[:, 0] == pytest.approx(-plain.means[:, 0])


def test_tables_that_disagree_about_failures_are_told_of() -> None:
    both, one = failing((3, 0), (4, 2)), failing((3, 0), (4, 2))
    one["time"] = failing((3, 0))["time"]
    found = racing.compare_metrics(one)
    assert core(found) == core(racing.compare_metrics(both))
    said = " ".join(text(document(found)).split())
    assert (
        "The tables disagree about 1 failure: fast on i4 failed in quality, not in time. A run "
        "that failed in one metric was counted as failed in all." in said
    )
    assert "disagree" not in text(document(racing.compare_metrics(both)))


def test_the_report_of_failures() -> None:
    found = racing.compare_metrics(failing(*FAILURES["one always"], (2, 2)))
    said = " ".join(text(document(found)).split())
    assert "Of those that failed least often, by the means, no other dominates slow" in said
    assert "21 runs failed. Front, knee and P(on the front) are those of the 2 algorithms" in said
    assert "failures being one more metric" in said
    assert "- slow dominates knee." in said
    assert "knee unlikely 20 – –" in said
    assert as_data(found.facts())["algorithms"][-1]["failed"] == 20
    assert '"knee",' not in json_text(as_data(found.facts())["algorithms"][0])
    elsewhere = racing.compare_metrics(failing(*FAILURES["each elsewhere"]))
    assert "failed on different instances, so their means" in text(document(elsewhere)).replace(
        "\n ", ""
    )


def test_of_repetitions_one_failure_is_enough() -> None:
    raw = {at: np.stack([scores(k, (0, 1, 4, 5)) for k in (1, 2)], axis=2) for at in ("a", "b")}
    raw["a"][3, 0, 1] = raw["b"][3, 0, 0] = np.inf
    found = racing.compare_metrics(raw)
    assert found.failed.tolist() == [1, 0, 0, 0]
    assert "1 run failed (of repetitions on an instance, one failure is" in text(document(found))


def without(label: str) -> dict[str, ResultTable]:
    """Tables of which that of time lacks an algorithm or an instance."""
    first = tables()
    time, keep = first["time"], np.arange(20) != 3
    if label == "instance":
        time = replace(
            time, scores=time.scores[keep], source="t.csv",
            instances=tuple(np.array(time.instances, dtype=object)[keep]),
        )  # fmt: skip
    else:
        time = replace(time, scores=time.scores[:, 1:], names=time.names[1:], source="t.csv")
    return {**first, "time": time}


GOOD = scores(1, (0, 1, 4, 5))


@pytest.mark.parametrize(
    ("given", "options", "words"),
    [
        ({"quality": GOOD}, {}, r"two or more metrics; got 1 \(quality\).*racing.compare"),
        ({}, {}, "two or more metrics; got 0"),
        ([GOOD, GOOD], {}, 'a table for each metric, such as {"quality": table.*got list'),
        ({1: GOOD, "b": GOOD}, {}, "name of a metric; got 1"),
        ({"a": GOOD, "b": GOOD[:, 0]}, {}, r"b: table must be numbers of shape"),
        ({"a": GOOD, "b": GOOD}, {"direction": {"c": "maximize"}}, "direction: no metric is calle"),
        ({"a": GOOD, "b": GOOD}, {"direction": "up"}, "a: table: direction must be minimize"),
        ({"a": GOOD, "b": GOOD}, {"rope": {"tim": 1.0}}, 'rope: no metric is called "tim"'),
        ({"a": GOOD, "b": GOOD}, {"rope": {"a": -1.0}}, "rope must be a finite difference"),
        ({"a": GOOD, "b": GOOD}, {"rope": 0.1}, "rope must name its metric"),
        ({"a": GOOD, "b": GOOD}, {"alpha": 0.6}, "alpha must be a number above 0 and below 0.5"),
        ({"a": GOOD, "b": GOOD}, {"seed": -1}, "seed must be a whole number"),
        ({"a": GOOD[:1], "b": GOOD[:1]}, {}, "1 instances have a score in every metric"),
        (without("algorithm"), {}, r't.csv: the table of time has no algorithm "slow".*quality'),
        (without("instance"), {}, r't.csv: the table of time has no instance "i3".*same instances'),
        (
            {"a": GOOD, "b": np.where(np.arange(20)[:, None] > 0, np.inf, GOOD)}, {},
            "every algorithm failed on all instances, or on all but one",
        ),
        (
            {"a": GOOD, "b": as_table(GOOD, groups=[1] * 20)}, {},
            "on independent instances; leave out groups",
        ),
    ],
)  # fmt: skip
def test_refusals(given: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        racing.compare_metrics(given, **options)


def test_too_little_is_left() -> None:
    gaps = GOOD.copy()
    gaps[0, 1:] = np.nan
    with pytest.raises(TableError, match="try missing='drop-instances'"):
        racing.compare_metrics({"a": GOOD, "b": gaps}, missing="drop-algorithms")


def test_a_comparison_by_several_metrics_prints_as_its_report() -> None:
    found = racing.compare_metrics(tables())
    assert str(found) == repr(found) == text(document(found)).rstrip()
