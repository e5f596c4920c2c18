"""Laws: what is written is read again, and nothing but a ScenarioError comes of any file."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from typing import Any

import jsonschema
import numpy as np
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from racing.base.errors import ScenarioError
from racing.core.budget import Budget
from racing.core.failures import OnFailure
from racing.evaluate.command import Command
from racing.evaluate.function import Function
from racing.rules import RULES
from racing.scenario import (
    CandidateSource,
    Entry,
    Execution,
    InstanceSource,
    Problem,
    RaceSettings,
    Scenario,
    json_schema,
    reads,
)
from racing.scenario.files import read_text
from racing.space import Boolean, Categorical, Flag, Integer, Ordinal, Real, Space
from tests.scenario.bad_scenarios import BASE, scenario

VALIDATOR = jsonschema.Draft202012Validator(json_schema())

names = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8).filter(str.strip)
keys = st.from_regex(r"[a-z_][a-z0-9_.-]{0,5}", fullmatch=True).filter(
    lambda key: key not in ("name", "values")
)
numbers = st.floats(-1e9, 1e9) | st.integers(-(10**6), 10**6)
positive = st.floats(1e-3, 1e9)
values = st.text(max_size=6) | numbers | st.booleans()
counts = st.integers(1, 10**6)


@st.composite
def intervals(draw: st.DrawFn) -> Any:
    kind = draw(st.sampled_from([Real, Integer]))
    log = draw(st.booleans())
    element = st.integers(1 if log else -(10**6), 10**6)
    low, high = sorted(draw(st.lists(element, min_size=2, max_size=2, unique=True)))
    switch = draw(st.none() | st.text(max_size=4))
    return kind(low, high, log=log, default=draw(st.none() | st.just(high)), switch=switch)


@st.composite
def categories(draw: st.DrawFn) -> Categorical:
    unique = st.lists(values, min_size=1, max_size=4, unique_by=lambda v: (type(v) is bool, v))
    chosen = draw(unique)
    return Categorical(chosen, default=draw(st.none() | st.sampled_from(chosen)))


def others() -> st.SearchStrategy[Any]:
    optional = st.none() | st.booleans()
    return (
        st.builds(Boolean, default=optional)
        | st.builds(Flag, switch=st.none() | st.just("--fast"), default=optional)
        | st.builds(Ordinal, st.lists(st.integers(), min_size=1, max_size=4, unique=True))
    )


GATED = {"gate_": Boolean(), "gated_": Real(0, 1, when="gate_"), "n_": Integer(1, 9)}
GATED["up_to_n_"] = Integer(1, "2 * n_", when="gated_ < 0.5")  # type: ignore[assignment]


@st.composite
def spaces(draw: st.DrawFn) -> Space:
    kinds = intervals() | categories() | others()
    parameters = draw(st.dictionaries(keys, kinds, min_size=1, max_size=3))
    if not draw(st.booleans()):
        return Space(parameters)
    return Space({**parameters, **GATED}, forbidden=["gate_ and gated_ > 0.8"])


targets = st.builds(
    Command,
    command=st.sampled_from(["run {instance} {parameters}", ("run", "{seed}", "{parameters}")]),
    output=st.sampled_from(["number", "json"]),
    timeout=st.none() | positive,
    memory=st.none() | st.integers(1, 2**40),
) | st.builds(Function, python=st.just("a.py:f"), timeout=st.none() | positive)


@st.composite
def scenarios(draw: st.DrawFn) -> Scenario:
    space = draw(spaces())
    configurations = space.sample(np.random.default_rng(1), draw(st.integers(1, 3)))
    labels = draw(st.lists(names, min_size=3, max_size=3, unique=True))
    entries = tuple(map(Entry, configurations, labels))
    problems = draw(st.lists(names, min_size=1, max_size=4, unique=True))
    seeds = st.lists(st.integers(1, 2**31 - 1), max_size=3, unique=True).map(tuple)
    source = tuple(Problem(name, draw(seeds)) for name in problems)
    return Scenario(
        name=draw(names.filter(lambda name: "/" not in name)),
        seed=draw(st.integers(0, 2**63 - 1)),
        direction=draw(st.sampled_from(["minimize", "maximize"])),
        objective=draw(st.sampled_from(["rank", "mean"])),
        target=draw(targets),
        on_failure=draw(st.builds(OnFailure, retries=st.integers(0, 9))),
        space=space,
        candidates=CandidateSource(list=entries, sample=1),
        instances=InstanceSource(list=source, order=draw(st.sampled_from(["shuffled", "listed"]))),
        budget=Budget(wall_time=draw(st.none() | positive), target_time=draw(st.none() | positive)),
        race=RaceSettings(first_test=1, each_test=draw(counts | st.sampled_from([None, "25%"]))),
        rule=RULES[draw(st.sampled_from(sorted(RULES)))](),
        execution=Execution(jobs=draw(counts)),
    )


@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(scenarios())
def test_what_is_written_is_read_again(one: Scenario) -> None:
    data = json.loads(json.dumps(one.to_dict()))
    VALIDATOR.validate(data)
    assert Scenario.from_dict(data) == one
    assert reads(yaml.safe_dump(data), "/tmp/other.yaml") == one
    resolved = one.resolved()
    assert resolved.plan.candidates == one.plan.candidates
    assert Scenario.from_dict(json.loads(json.dumps(resolved.to_dict()))) == resolved


def is_read_or_refused(read: Callable[[], Scenario]) -> bool:
    """Whether there is a scenario, or errors that are named; any other exception fails the test."""
    try:
        return isinstance(read(), Scenario)
    except ScenarioError as error:
        return len(error.errors) > 0


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes(tmp_path_factory: Any, data: bytes) -> None:
    path = tmp_path_factory.mktemp("any") / "race.yaml"
    path.write_bytes(data)
    assert is_read_or_refused(lambda: reads(read_text(path, "race.yaml"), "race.yaml"))


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="abn:-?[]{}'\"|>&*!%#@,. \n\t0123\x85\u2028\ufeff<~", max_size=40))
@example("? a\n: b\n")
@example("? - a\n  - b\n: c\n")
@example("- - - a: |\n")
@example("%YAML 9.9\n---\na: b\n")
@example("!<tag:x> a: &b *c\n")
def test_any_text(text: str) -> None:
    assert is_read_or_refused(lambda: reads(text, "race.yaml"))


scalars = st.sampled_from(
    ["1", "-1", "0", "1.5", "x", "true", "null", "no", "1e400", "9" * 500, "[]", "{}", "a/b", '""',
     ".inf", ".nan", "5s", "2GiB", "{name: 1}", "[1, 2]", "[a, [b]]", "{a: {b: c}}", "sign", "*x"]
)  # fmt: skip
trees = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]")
        | st.dictionaries(
            st.sampled_from(
                ["a", "n", "name", "values", "list", "csv", "glob", "file", "grid", "sample",
                 "real", "integer", "categorical", "ordinal", "boolean", "flag", "when", "log",
                 "default", "switch", "seeds",
                 "command", "python", "timeout", "memory",
                 "evaluations", "wall_time", "first_test", "alpha", "jobs"]
            ),
            inner,
            max_size=4,
        ).map(lambda parts: "{" + ", ".join(f"{k}: {v}" for k, v in parts.items()) + "}")
    ),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.dictionaries(
        st.sampled_from([*BASE, "name", "forbidden", "known",
                         "test_instances", "seed", "rule", "race", "execution", "on_failure", "log",
                         "folder", "direction"]),
        trees,
        min_size=1,
        max_size=2,
    )
)  # fmt: skip
def test_any_values_under_any_keys(changes: dict[str, str | None]) -> None:
    text = scenario(**changes)
    assert is_read_or_refused(lambda: reads(text, "race.yaml"))
    with contextlib.suppress(yaml.YAMLError, ValueError):  # from the YAML library itself
        data = yaml.safe_load(text)
        assert is_read_or_refused(lambda: Scenario.from_dict(data))
