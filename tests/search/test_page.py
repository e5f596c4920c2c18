"""docs/search.md is true: its example runs, and finds what it should."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "search.md"


def test_the_example_runs():
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    names: dict[str, object] = {}
    exec(code, names)
    search = names["search"]
    assert search.winner.values["kind"] == "random"
    assert abs(search.winner.values["noise"] - 0.05) < 0.02
