"""One name, one thing: what is defined once, and which classes share no name."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import racing

FILES = sorted(Path(racing.__file__).parent.rglob("*.py"))


def test_the_direction_of_scores_is_defined_once():
    word = re.compile(r'^Direction\b.*= Literal\["minimize", "maximize"\]', re.M)
    homes = [f.name for f in FILES if word.search(f.read_text(encoding="utf-8"))]
    assert homes == ["quantities.py"]


def test_no_class_of_comparisons_and_figures_shares_its_name():
    homes = defaultdict(set)
    for file in FILES:
        for name in re.findall(r"^class (\w+)", file.read_text(encoding="utf-8"), re.M):
            homes[name].add(file.parent.name)
    shared = {
        name: sorted(where)
        for name, where in homes.items()
        if where & {"compare", "plot"} and len(where) > 1 and not name.startswith("_")
    }
    assert shared == {}


def test_no_module_of_comparisons_is_called_like_one_of_scenarios_or_logs():
    stems = {
        room: {f.stem for f in FILES if f.parent.name == room} - {"__init__"}
        for room in ("compare", "plot", "scenario", "log")
    }
    assert not (stems["compare"] | stems["plot"]) & (stems["scenario"] | {"reading"})
