"""Each figure of the README is on the page of claims, and stands where that page says."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

from tests.docs.blocks import ROOT

DOCS = ROOT / "docs"
PAGE = (DOCS / "claims.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
_FIGURE = re.compile(r"(?<![\w/#-])[−-]?\d*\.?\d+(?: \(\d*\.\d+\))?(?![\w/-])")
_MODULE = re.compile(r"python -m ((?:benchmarks|tests)\.[\w.]*\w)")
NO_CLAIMS = {"3.11", "3.13", "80%", "3.5", "2", "8"}
"""Versions, and settings in an example."""


def rows(heading: str) -> list[list[str]]:
    """The cells of the table below a heading."""
    table = PAGE.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    found = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("|")]
    return found[2:]


def claimed() -> list[tuple[str, Path]]:
    """Each figure of the README, with the file in which it stands."""
    found = []
    for figures, file, *_ in rows("The README"):
        linked = re.search(r"\(([\w./-]+)\)", file)
        where = DOCS / linked[1] if linked else ROOT / file
        found += [(figure, where) for figure in figures.split(", ")]
    return found


def test_every_figure_of_the_readme_is_claimed() -> None:
    prose = re.sub(r"```\w*\n.*?```|\]\([^)]*\)|<[^>]+>|`[^`]*`", " ", README, flags=re.DOTALL)
    figures = {one for one in _FIGURE.findall(prose) if re.search(r"\d", one)}
    known = {figure for figure, _ in claimed()}
    assert len(figures) > 15
    assert figures - known - NO_CLAIMS == set()


def test_every_claim_stands_in_its_file() -> None:
    assert len(claimed()) > 25
    for figure, file in claimed():
        text = file.read_text(encoding="utf-8")
        assert re.search(rf"(?<![\w.]){re.escape(figure)}(?!\d)", text), (figure, file.name)
        assert figure in README, figure


def test_every_command_of_a_page_is_listed_with_it() -> None:
    listed = {re.search(r"\(([\w./-]+)\)", page)[1]: row for page, *row in rows("The pages")}  # type: ignore[index]
    for file in sorted(DOCS.rglob("*.md")):
        name = file.relative_to(DOCS).as_posix()
        if name in ("claims.md", "architecture.md") or name.startswith("reference"):
            continue
        for module in _MODULE.findall(file.read_text(encoding="utf-8")):
            if module.startswith("benchmarks"):
                assert module in listed.get(name, [""])[0], f"{name}: python -m {module}"


def test_commands_and_kept_runs_exist() -> None:
    for module in _MODULE.findall(PAGE):
        assert find_spec(module), module
    for kept in re.findall(r"benchmarks/results[\w./]*", PAGE):
        assert (ROOT / kept).exists(), kept
