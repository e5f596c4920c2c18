"""clasp's space with conditions: every configuration runs, and irace's files say the same."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import racing
from examples.clasp.instances import write
from examples.clasp.parts import assemble
from examples.clasp.run import clasp
from racing.core.budget import Budget
from racing.rules.f_test import FTest
from racing.scenario import InstanceSource, RaceSettings
from racing.scenario.formats.clauses import r_name

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example's folder with irace's files, and five formulas in each set."""
    folder = tmp_path_factory.mktemp("project") / "examples" / "clasp"
    shutil.copytree(ROOT / "examples" / "clasp" / "irace", folder / "irace")
    for name in ("run.py", "parts.py", "__init__.py"):
        shutil.copy(ROOT / "examples" / "clasp" / name, folder / name)
    write(folder, count=5)
    return folder


@pytest.fixture(scope="module")
def in_yaml(folder: Path) -> racing.Scenario:
    """The scenario in YAML, on these formulas."""
    text = (ROOT / "configs" / "clasp-conditional.yaml").read_text()
    formulas = f"glob: {folder}/train/*.cnf  #"
    text = text.replace("glob: examples/clasp/train/*.cnf", formulas)
    path = folder / "race.yaml"
    path.write_text(text.replace("folder: ..", f"folder: {ROOT}"))
    return racing.read(path)


def test_clasp_takes_every_configuration(in_yaml: racing.Scenario, folder: Path) -> None:
    space = in_yaml.space
    assert space is not None
    formula = str(next((folder / "train").iterdir()))
    for values in [space.default(), *space.sample(np.random.default_rng(1), 25)]:
        options = [f"--{name}={value}" for name, value in values.items()]
        clasp(formula, seed=1, limit=20, options=assemble(options))  # raises if clasp refuses it


def test_clasp_refuses_what_is_forbidden(in_yaml: racing.Scenario, folder: Path) -> None:
    space = in_yaml.space
    assert space is not None
    values = {**space.default(), "del-grow": "no", "del-cfl": "no"}
    assert any("forbidden" in message for _, message in space.errors(values))
    options = assemble([f"--{name}={value}" for name, value in values.items()])
    with pytest.raises(RuntimeError, match="deletion strategy required"):
        clasp(str(next((folder / "train").iterdir())), seed=1, limit=20, options=options)


def test_the_files_of_irace_describe_the_same_space(in_yaml: racing.Scenario, folder: Path) -> None:
    theirs = racing.read(folder / "irace" / "scenario.txt")
    ours = in_yaml.space
    assert ours is not None
    assert theirs.space is not None
    assert list(theirs.space) == [r_name(name) for name in ours]
    renamed = {r_name(name): value for name, value in ours.default().items()}
    assert dict(theirs.plan.candidates[0].values) == renamed
    drawn = [
        {r_name(name): value for name, value in each.items()}
        for each in ours.sample(np.random.default_rng(5), 50)
    ]
    for values in drawn:
        theirs.space.check(values)
    units = ours.encode(ours.sample(np.random.default_rng(6), 200))
    assert (theirs.space.encoding.allowed(units) == ours.encoding.allowed(units)).all()


def test_both_give_the_same_race(
    in_yaml: racing.Scenario, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHON", sys.executable)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    theirs = racing.read(folder / "irace" / "scenario.txt")
    (folder / "irace" / "target-runner").chmod(0o755)
    short = {
        "budget": Budget(evaluations=12), "race": RaceSettings(first_test=2), "rule": FTest(),
        "objective": theirs.objective, "seed": 1, "search": None,
    }  # fmt: skip
    few = [candidate.values for candidate in in_yaml.plan.candidates[:4]]
    formulas = sorted(str(path) for path in (folder / "train").glob("*.cnf"))
    races = []
    for scenario, name in ((in_yaml, lambda n: n), (theirs, r_name)):
        listed = [{name(key): value for key, value in values.items()} for values in few]
        candidates = replace(
            scenario.candidates,
            default=False,
            sample=None,
            list=tuple(listed),  # type: ignore[arg-type]
        )
        instances = InstanceSource(list=tuple(formulas))  # type: ignore[arg-type]
        one = replace(scenario, candidates=candidates, instances=instances, **short)  # type: ignore[arg-type]
        races.append(racing.run(one, log=tmp_path / f"{len(races)}.sqlite"))
    first, second = races
    np.testing.assert_array_equal(first.results.costs, second.results.costs)
    assert np.isfinite(first.results.costs).all()
    assert first.winner is not None
    assert second.winner is not None
    assert first.winner.id == second.winner.id
