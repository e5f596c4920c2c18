"""Keys given beside a scenario's file count as if they stood in it."""

from __future__ import annotations

import pytest

from racing.base.errors import InputError, ScenarioError
from racing.scenario import reads
from tests.scenario.bad_scenarios import scenario


@pytest.mark.parametrize(
    ("key", "value"),
    [("budget", 77), ("rule", "sign"), ("execution.jobs", 3), ("race.first_test", 4), ("seed", 9)],
)
def test_a_key_counts_as_in_the_file(key: str, value: object) -> None:
    changed = reads(scenario(), "race.yaml", changes={key: value})
    top, _, inner = key.partition(".")
    text = scenario(**{top: f"{{{inner}: {value}}}" if inner else value})
    assert changed == reads(text, "race.yaml")


def test_what_a_file_may_not_say_is_refused() -> None:
    with pytest.raises(ScenarioError, match="budgte"):
        reads(scenario(), "race.yaml", changes={"budgte": 5})
    with pytest.raises(ScenarioError, match="seed"):
        reads(scenario(), "race.yaml", changes={"seed": "x"})


def test_a_key_of_what_has_no_keys_is_refused_and_the_whole_is_named() -> None:
    with pytest.raises(InputError, match=r"give rule as a whole, such as rule=\{alpha: …\}"):
        reads(scenario(rule="sign"), "race.yaml", changes={"rule.alpha": 0.01})
