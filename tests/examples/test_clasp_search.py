"""configs/clasp-search.yaml: a search over clasp's conditional options, with a tiny budget."""

from __future__ import annotations

from pathlib import Path

import yaml

import racing
from examples.clasp.instances import write

ROOT = Path(__file__).parents[2]
NAMES = ("search", "conditional")


def configs() -> list[dict[str, object]]:
    """The two scenarios of clasp with conditions, as plain data."""
    texts = ((ROOT / "configs" / f"clasp-{name}.yaml").read_text() for name in NAMES)
    return [yaml.safe_load(text) for text in texts]


def test_it_searches_the_space_of_the_race() -> None:
    search, race = configs()
    assert search["space"] == race["space"]
    assert search["forbidden"] == race["forbidden"]


def test_a_search_of_a_few_evaluations_goes_through(tmp_path: Path) -> None:
    write(tmp_path, count=4)
    data = configs()[0]
    data["target"]["command"] += " --limit=1000"
    data |= {
        "folder": str(ROOT),
        "instances": {"list": [str(one) for one in sorted(tmp_path.glob("train/*.cnf"))],
                      "repeat": True},
        "test_instances": None,
        "budget": {"evaluations": 62},
        "execution": {"jobs": 1, "engine": "in-process"},
        "search": {"window": 2, "first_instances": 2},
    }  # fmt: skip
    del data["test_instances"]
    scenario = racing.Scenario.from_dict(data)
    search = racing.run(scenario, log=tmp_path / "log.sqlite")
    assert isinstance(search, racing.Search)
    assert search.done
    assert search.winner is not None
    assert scenario.space is not None
    assert scenario.space.check(search.winner.values) is None
    assert search.outcomes <= 62
