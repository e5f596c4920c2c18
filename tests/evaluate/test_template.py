"""Command templates where a candidate leaves parameters out."""

from __future__ import annotations

import pytest

from racing.base.errors import InputError
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment
from racing.core.instances import Instance
from racing.evaluate.template import FlagSwitch, fill, parse
from racing.space import Value

SWITCHES = {
    "alpha": "--alpha=",
    "ants": "-m ",
    "fast": FlagSwitch("--fast"),
    "deep": FlagSwitch("--search deep"),
}


def filled(command: str, values: dict[str, Value]) -> list[str]:
    experiment = Experiment(Candidate(1, values), Instance(0, "a", 7))
    return fill(parse(command), experiment, SWITCHES)[1:]


@pytest.mark.parametrize(
    ("command", "with_alpha", "without"),
    [
        ("solve {alpha} {seed}", ["2.5", "7"], ["7"]),
        ("solve --alpha={alpha} {seed}", ["--alpha=2.5", "7"], ["7"]),
        ("solve -a{alpha} {seed}", ["-a2.5", "7"], ["7"]),
        ("solve --alpha {alpha} {seed}", ["--alpha", "2.5", "7"], ["7"]),
        ("solve -v {seed} {alpha}", ["-v", "7", "2.5"], ["-v", "7"]),
        ("solve - {seed} {parameters}", ["-", "7", "--alpha=2.5"], ["-", "7"]),
    ],
)
def test_an_inactive_parameter_takes_its_argument_along(
    command: str, with_alpha: list[str], without: list[str]
) -> None:
    assert filled(command, {"alpha": 2.5}) == with_alpha
    assert filled(command, {}) == without


@pytest.mark.parametrize(
    "argument", ["out-{alpha}.txt", "{alpha}x", "--r={alpha}:{seed}", "{beta}"]
)
def test_an_argument_that_cannot_do_without_its_value_is_refused(argument: str) -> None:
    with pytest.raises(InputError, match=r"needs a value for \{(alpha|beta)\}"):
        filled(f"solve {argument}", {})


def test_a_flag_is_its_switch_or_nothing() -> None:
    assert filled("solve {fast} {parameters}", {"fast": True, "ants": 3}) == [
        "--fast", "--fast", "-m", "3",
    ]  # fmt: skip
    assert filled("solve {fast} {parameters}", {"fast": False, "deep": True}) == [
        "--search",
        "deep",
    ]
    assert filled("solve {fast} --log={fast}", {"fast": False}) == ["--log=false"]
    assert filled("solve {fast} {parameters}", {}) == []


def test_a_name_with_a_colon_is_a_placeholder_too() -> None:
    values: dict[str, Value] = {"a:b": "x", "@1:F": 2}
    assert filled("solve --s={a:b} {@1:F} {parameters}", values) == [
        "--s=x", "2", "--a:b=x", "--@1:F=2",
    ]  # fmt: skip
