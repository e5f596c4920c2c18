"""How a scenario writes a space: kinds of parameters, conditions, what is forbidden or known."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from racing.base.errors import InputError, ScenarioError
from racing.scenario import Scenario, json_schema, reads
from racing.space import Boolean, Categorical, Flag, Integer, Ordinal, Real, Space
from tests.scenario.bad_scenarios import scenario

PAGE = (Path(__file__).parents[2] / "docs" / "space.md").read_text(encoding="utf-8")

FULL = """\
space:
  algorithm: {categorical: [ils, aco], default: ils}
  alpha: {real: [0.01, 5], log: true, default: 1}
  share: {real: [0.1, 0.9], logit: true}
  width: {real: [0, 10], digits: 2, switch: "-w "}
  ants: {integer: [5, 100], log: true, default: 20, when: algorithm == aco}
  elite: {integer: [1, ants / 2], step: 1}
  effort: {ordinal: [low, mid, high], default: mid}
  restarts: {boolean: [false, true], default: true, when: algorithm == ils and effort >= mid}
  fast: {flag: --fast, default: false}
forbidden:
  - algorithm == aco and alpha > 2 and elite > 20
known:
  - {algorithm: ils, alpha: 0.5, share: 0.5, width: 1, restarts: true}
candidates: {known: true, sample: 20}
target: {python: "solve.py:solve"}
instances: [u, v, w, x, y]
"""


def same_in_python() -> Space:
    return Space(
        {
            "algorithm": Categorical(["ils", "aco"], default="ils"),
            "alpha": Real(0.01, 5, log=True, default=1.0),
            "share": Real(0.1, 0.9, logit=True),
            "width": Real(0, 10, digits=2, switch="-w "),
            "ants": Integer(5, 100, log=True, default=20, when="algorithm == aco"),
            "elite": Integer(1, "ants / 2", step=1),
            "effort": Ordinal(["low", "mid", "high"], default="mid"),
            "restarts": Boolean(default=True, when="algorithm == ils and effort >= mid"),
            "fast": Flag(switch="--fast", default=False),
        },
        forbidden=["algorithm == aco and alpha > 2 and elite > 20"],
        known=[{"algorithm": "ils", "alpha": 0.5, "share": 0.5, "width": 1, "restarts": True}],
    )


def test_every_kind_is_read_as_python_builds_it() -> None:
    read = reads(FULL, "race.yaml")
    assert read.space == same_in_python()
    assert read.plan.candidates[0].values == same_in_python().known[0]
    assert all("ants" in one.values or one.values["algorithm"] == "ils"
               for one in read.plan.candidates)  # fmt: skip
    told = read.plan.switches
    assert [told[name] for name in ("width", "fast", "alpha")] == ["-w ", "--fast", "--alpha="]


def test_a_flag_may_be_named_after_its_parameter() -> None:
    text = scenario(space="{fast: {flag: true}, slow: {flag: -s}}")
    read = reads(text, "race.yaml")
    assert read.space == Space({"fast": Flag(), "slow": Flag(switch="-s")})
    assert read.to_dict()["space"] == {"fast": {"flag": True}, "slow": {"flag": "-s"}}


def test_what_is_written_is_read_again_and_fits_the_schema() -> None:
    read = reads(FULL, "race.yaml")
    data = json.loads(json.dumps(read.to_dict()))
    jsonschema.validate(data, json_schema())
    assert Scenario.from_dict(data) == read
    assert data["forbidden"] == ["algorithm == aco and alpha > 2 and elite > 20"]
    resolved = json.loads(json.dumps(read.to_dict(resolved=True)))
    assert Scenario.from_dict(resolved).plan.candidates == read.plan.candidates
    assert Scenario.from_dict(resolved) == read.resolved()


def test_the_example_of_the_page_on_spaces_is_accepted() -> None:
    block = re.search(r"```yaml\n(.*?)```", PAGE, flags=re.DOTALL)
    assert block
    text = scenario(space=None, candidates="{known: true, sample: 5}") + block[1]
    if "known" in block[1]:
        assert len(reads(text, "race.yaml").plan.candidates) == 6


def test_a_space_in_python_may_be_written_as_in_a_file() -> None:
    built = Scenario(
        target=lambda values, instance, seed: 0.0,  # type: ignore[arg-type]
        space={"a": {"real": [0, 1]}, "b": Integer(1, 3, when="a > 0.5")},  # type: ignore[arg-type]
        candidates={"sample": 5},  # type: ignore[arg-type]
        instances=list("abcde"),  # type: ignore[arg-type]
    )
    assert built.space == Space({"a": Real(0, 1), "b": Integer(1, 3, when="a > 0.5")})


def test_a_grid_leaves_out_what_is_inactive_or_forbidden() -> None:
    text = scenario(
        space="{k: {categorical: [x, y]}, n: {integer: [1, 9], when: k == x}}",
        forbidden="[k == x and n == 3]",
        candidates="{grid: {k: [x, y], n: [1, 2, 3]}}",
    )
    found = [dict(one.values) for one in reads(text, "race.yaml").plan.candidates]
    assert found == [{"k": "x", "n": 1}, {"k": "x", "n": 2}, {"k": "y"}]


def test_a_candidate_that_sets_an_inactive_parameter_is_refused() -> None:
    text = scenario(
        space="{k: {categorical: [x, y]}, n: {integer: [1, 9], when: k == x}}",
        candidates="[{k: y, n: 3}, {k: x, n: 3}]",
    )
    with pytest.raises(ScenarioError, match=r"race.yaml:3: candidates\[0\]\.n must be left out"):
        reads(text, "race.yaml")


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ("when: a > q", "8:15"),
        ("when:   a > q", "8:17"),
        ("when: 'a > q'", "8:16"),
        ('when: "a > q"', "8:16"),
        ("when: (1 > q)", "8:16"),
        ("when:\n      a > q", "9:11"),
        ("when: >-\n      a > q", "8"),
        ('when: "a \\u003e q"', "8"),  # the escape is longer than its character
    ],
)
def test_errors_in_expressions_have_line_and_column(written: str, place: str) -> None:
    text = (
        "target: {python: solve.py:solve}\ncandidates: {sample: 2}\ninstances: [u, v, w, x, y]\n"
        f"space:\n  a: {{real: [0, 1]}}\n  b:\n    real: [0, 1]\n    {written}\n"
    )
    with pytest.raises(ScenarioError) as caught:
        reads(text, "race.yaml")
    (error,) = caught.value.errors
    assert error.startswith(f"race.yaml:{place}: space.b.when: unknown name 'q'")
    assert ("(column 5 of it)" in error) == (":" not in place)


def test_python_has_the_column_within_the_text() -> None:
    with pytest.raises(InputError, match=r"space\.b\.when: unknown name 'q'.* \(column 5\)"):
        Scenario(
            target={"python": "a.py:f"},  # type: ignore[arg-type]
            space={"a": {"real": [0, 1]}, "b": {"real": [0, 1], "when": "a > q"}},  # type: ignore[arg-type]
            candidates={"sample": 2},  # type: ignore[arg-type]
            instances=list("abcde"),  # type: ignore[arg-type]
        )
