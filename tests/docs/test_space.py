"""docs/space.md: its examples are sound, its Python runs, its message is what is said."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from racing.base.errors import SpaceError
from racing.space import Categorical, Real, Space
from tests.space.bad_spaces import parameter_of

TEXT = (Path(__file__).parents[2] / "docs" / "space.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```yaml\n(.*?)```", TEXT, flags=re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS)
def test_its_examples_are_spaces(block: str) -> None:
    written = yaml.safe_load(block)
    shapes = written.get("space", {k: v for k, v in written.items() if isinstance(v, dict)})
    parameters = {name: parameter_of(shape) for name, shape in shapes.items()}
    if not parameters:
        assert set(written) <= {"forbidden", "known"}
        return
    space = Space(parameters, forbidden=written.get("forbidden", []))
    assert list(space) == list(parameters)


def test_its_python_runs() -> None:
    names: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL):
        exec(block, names)
    first = yaml.safe_load(BLOCKS[0])
    assert list(names["space"]) == list(first["space"])
    assert list(names["space"].forbidden) == first["forbidden"]


def test_its_message_is_what_is_said() -> None:
    with pytest.raises(SpaceError) as caught:
        Space({"algorithm": Categorical(["ils", "aco"]), "p": Real(0, 1, when="algorithm == ilss")})
    assert str(caught.value) in TEXT
