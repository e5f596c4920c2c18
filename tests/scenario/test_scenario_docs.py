"""The pages of scenarios name every key with what it allows; their examples are sound."""

from __future__ import annotations

import re
from pathlib import Path

import jsonschema
import pytest
import yaml

from racing.scenario import Scenario, json_schema, reads, reference
from tests.scenario.bad_scenarios import scenario
from tests.scenario.doc_tables import DOCS, stale

PAGES = [DOCS / "scenario.md", *sorted((DOCS / "scenario").glob("*.md"))]
FIRST = PAGES[0].read_text(encoding="utf-8")
TEXT = "".join(page.read_text(encoding="utf-8") for page in PAGES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_its_tables_are_those_of_the_code(page: Path) -> None:
    assert not stale(page)


def test_every_key_is_documented() -> None:
    missing = [key.path for key in reference() if f"| `{key.path}` |" not in TEXT]
    assert not missing


def test_every_key_has_a_meaning_and_says_what_it_allows() -> None:
    for key in reference():
        assert len(key.doc) > 10, key.path
        assert key.allowed, key.path


@pytest.mark.parametrize("block", re.findall(r"```yaml\n(.*?)```", TEXT, flags=re.DOTALL))
def test_its_examples_are_accepted(block: str, tmp_path: Path) -> None:
    for name in ("cnf/a.cnf", "data/a.cnf", "a.cnf", "b.cnf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "instances.txt").write_text("a.cnf 1 2 3\nb.cnf 4 5\n")
    (tmp_path / "kinds.csv").write_text("instance,kind\ndata/a.cnf,clique\n")
    (tmp_path / "candidates.csv").write_text("name,alpha,ants\nother,2.0,60\n,0.7,\n")
    for variant in variants(block):
        assert isinstance(reads(variant, str(tmp_path / "race.yaml")), Scenario)


def variants(block: str) -> list[str]:
    """A whole scenario for each of the alternatives in an example."""
    if "\nrule: sign\nexecution" in block:
        return [block.replace("budget", "race: {first_test: 1}\nbudget")]
    parts = [part for part in re.split(r"^(?=\w)", block, flags=re.MULTILINE) if part.strip()]
    return [around(part) for part in parts if not part.startswith("#")]


def around(part: str) -> str:
    """A scenario with this part in place of its own."""
    key = part.partition(":")[0]
    space = (
        "{alpha: {real: [0, 5], default: 1}, ants: {integer: [1, 99], default: 3}, "
        "rule: {categorical: [as, mmas], default: as}}"
    )
    changes: dict[str, str | None] = {"space": space, key: None}
    if key == "instances":
        changes["race"] = "{first_test: 1}"
    if key == "objective":
        changes["metrics"] = "{time: minimize, success: maximize}"
    if key == "metrics":
        changes["objective"] = "{minimize: quality}"
    if key == "candidates":
        changes["budget"] = None
    return scenario(**changes) + part


def test_yaml_and_python_examples_say_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cnf").mkdir()
    for name in "abcde":
        (tmp_path / "cnf" / f"{name}.cnf").touch()
    found: dict[str, object] = {}
    exec(re.search(r"```python\n(.*?)```", FIRST, flags=re.DOTALL)[1], found)  # type: ignore[index]
    block = re.search(r"```yaml\n(.*?)```", FIRST, flags=re.DOTALL)
    assert block
    assert found["scenario"] == reads(block[1], str(tmp_path / "race.yaml"))


def test_the_schema_accepts_its_first_example() -> None:
    block = re.search(r"```yaml\n(.*?)```", FIRST, flags=re.DOTALL)
    assert block
    jsonschema.validate(yaml.safe_load(block[1]), json_schema())
