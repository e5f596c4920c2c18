"""The command `racing plan`."""

from __future__ import annotations

import pytest

from tests.runs_kit import write_scenario, write_search


@pytest.fixture
def search(tmp_path):
    return write_search(tmp_path, budget=90)


def test_plan_says_what_the_budget_buys(racing, search):
    said = racing("plan", search, "--seconds", "2", "--jobs", "3")
    assert said.code == 0
    assert "window 6; 10 is recommended for this many jobs" in said.out
    data = racing("plan", search, "--json").data
    assert data["evaluations"] <= 90
    assert data["larger"]["challengers"] > data["challengers"]
    assert data["hours"] is None
    assert racing("plan", search, "--jobs", "0").code == 2
    assert racing("plan", search, "--seconds", "0").code == 2


def test_plan_is_priced(racing, tmp_path):
    path = write_search(tmp_path, budget={"usd": 0.9})
    said = racing("plan", path, "--price", "usd=0.01,tokens=100")
    assert said.code == 0
    assert "about $0.9 and 9,000 tokens in all" in said.out.replace("0.89", "0.9").replace(
        "8,900", "9,000"
    )
    assert "charged, such as --price usd=0.003" in racing("plan", path).err


@pytest.mark.parametrize("price", ["usd", "usd=", "usd=-1", "usd=nan", "=3", "usd=0.1;tokens=2"])
def test_a_price_that_is_none_is_refused(racing, tmp_path, price):
    said = racing("plan", write_search(tmp_path, budget=90), "--price", price)
    assert said.code == 2
    assert "must be names with amounts" in said.err


def test_a_race_has_no_plan(racing, tmp_path):
    said = racing("plan", write_scenario(tmp_path))
    assert said.code == 2
    assert "the scenario has no search" in said.err


# --- what `racing check` says of the cost of a race, and its warnings ---


def test_check_says_what_the_race_will_cost_and_when_the_first_test_comes(racing, tmp_path):
    scenario = write_scenario(tmp_path, pause=0.2, execution={"jobs": 2})
    said = racing("check", scenario, "--json").data
    each = said["trial"]["seconds"]
    assert said["forecast"] == {
        "evaluations": 8 * 25,
        "first_test": 5,
        "until_test": 40,
        "speculative": 20,
        "seconds": pytest.approx(200 * each / 2),
        "seconds_until_test": pytest.approx(40 * each / 2),
        "price": {},
    }
    assert said["warnings"] == []
    out = racing("check", scenario, "--no-run").out
    assert "The whole race: at most 200 evaluations, if no candidate is dropped.\n" in out
    assert "The first test: after 5 instances (40 evaluations).\n" in out
    assert "Speculation: 20 more at most" in out


@pytest.mark.parametrize(
    ("parts", "evaluations"),
    [
        ({"budget": 100}, 100),
        ({"budget": {"instances": 7}}, 56),
        ({"budget": {"wall_time": "1h"}}, 200),
        ({"budget": "1h", "source": {"list": ["a"], "repeat": True}}, None),
    ],
)
def test_the_forecast_heeds_the_budget(racing, tmp_path, parts, evaluations):
    said = racing("check", write_scenario(tmp_path, **parts), "--no-run", "--json").data
    assert said["forecast"]["evaluations"] == evaluations
    assert said["warnings"] == []


def test_check_warns_of_a_budget_that_can_never_drop_anybody(racing, tmp_path):
    said = racing("check", write_scenario(tmp_path, budget=39), "--no-run")
    assert said.code == 0
    assert (
        "warning: no candidate can ever be dropped: the budget covers 4 instances for "
        "8 candidates, and the first test comes after 5; give 40 evaluations or more" in said.out
    )
    assert "warning" not in racing("check", write_scenario(tmp_path, budget=40), "--no-run").out
    slow = write_scenario(tmp_path, pause=0.1, budget={"wall_time": 1})
    assert "the time is up before the first test" in racing("check", slow).out


def test_check_warns_of_instances_that_look_like_files_and_are_none(racing, tmp_path):
    (tmp_path / "there.cnf").touch()
    names = ["day-1", "v1.5", "there.cnf", "data/gone", "gone.cnf"]
    said = racing("check", write_scenario(tmp_path, source={"list": names}), "--no-run")
    assert "warning: data/gone and 1 more look like a file, but there is none in" in said.out
    said = racing("check", write_scenario(tmp_path, source={"list": [*names[:3], "x", "y"]}),
                  "--no-run")  # fmt: skip
    assert "warning" not in said.out


@pytest.mark.parametrize("stated", [None, "rank", "mean"])
def test_answers_without_a_stated_objective_are_pointed_out(racing, tmp_path, stated):
    parts = {} if stated is None else {"objective": stated}
    target = {"python": "answers.py:solve"}
    scenario = write_scenario(tmp_path, target=target, budget=80, **parts)
    (tmp_path / "answers.py").write_text(
        "def solve(values, instance, seed):\n    return (seed + int(8 * values['x'])) % 3 == 0\n"
    )
    said = racing("check", scenario)
    assert ("write objective: mean" in said.out) is (stated is None)
    said = racing("run", scenario, "--quiet", "--seed", 7)
    assert said.code == 0
    assert ("the scenario states no objective" in said.err) is (stated is None)
