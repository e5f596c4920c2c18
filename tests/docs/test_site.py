"""The site and the files about the project are complete; `make docs` builds the site strictly."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

from scripts.site import problems
from tests.docs.blocks import ROOT

DOCS = ROOT / "docs"
INDEX = (DOCS / "index.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def kinds() -> dict[str, list[str]]:
    """The pages of each kind, in their order."""
    trees = re.findall(
        r"```\{toctree\}\n:caption: ([\w -]+)\n:hidden:\n\n(.*?)```", INDEX, re.DOTALL
    )
    return {caption: re.findall(r"^[\w/-]+$", tree, re.MULTILINE) for caption, tree in trees}


def test_every_page_has_its_place_in_one_of_the_kinds():
    assert list(kinds()) == [
        "Tutorial", "How-to guides", "Reference", "Explanation", "Evidence",
    ]  # fmt: skip
    listed = [page for pages in kinds().values() for page in pages]
    pages = {str(p.relative_to(DOCS).with_suffix("")) for p in DOCS.rglob("*.md")} - {"index"}
    assert len(listed) == len(set(listed))
    assert set(listed) == pages


def test_pages_are_short_but_those_of_evidence():
    read = [page for kind, pages in kinds().items() if kind != "Evidence" for page in pages]
    for page in {*read} - {"architecture"}:  # which only developers read
        text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
        prose = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
        assert len(prose.split()) <= 2500, f"{page}: move measurements to evidence, or split it"


def test_no_line_begins_as_a_comment_of_the_site_does():
    for page in DOCS.rglob("*.md"):
        lost = re.findall(r"^\s*%.*", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert not lost, page.name


def test_every_link_of_a_page_of_the_site_leads_somewhere():
    for page in DOCS.rglob("*.md"):
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_version_stands_in_one_place():
    assert "version" in PROJECT["dynamic"]
    assert "version" not in PROJECT
    code = ast.parse((ROOT / "racing" / "base" / "version.py").read_text(encoding="utf-8"))
    found = [node.value for node in code.body if isinstance(node, ast.Assign)
             and getattr(node.targets[0], "id", "") == "__version__"]  # fmt: skip
    assert len(found) == 1
    assert isinstance(found[0], ast.Constant)  # a literal, so that setuptools need not import it


def test_the_citation_names_the_project():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["title"].startswith(f"{PROJECT['name']}:")
    assert citation["license"] == PROJECT["license"].partition(" AND ")[0]
    assert set(citation["keywords"]) == set(PROJECT["keywords"])


def test_the_commands_that_contributing_names_exist():
    for target in re.findall(r"`make (\w+)", CONTRIBUTING):
        assert re.search(rf"^{target}:", MAKEFILE, re.MULTILINE), target
    named = set(re.findall(r"^\| `make (\w+)`", CONTRIBUTING, re.MULTILINE))
    assert {"test", "check", "docs", "wheel", "lowest", "coverage", "mutants", "demo"} <= named


def test_the_hooks_are_the_tools_of_the_environment():
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    (source,) = config["repos"]
    assert source["repo"] == "local"
    for hook in source["hooks"]:
        tool = hook["entry"].split()[0].removeprefix(".venv/bin/")
        assert re.search(rf"\$\(BIN\)/{tool}\b", MAKEFILE), tool


@pytest.mark.parametrize("minor", range(11, 14))
def test_the_classifiers_name_the_versions_of_python(minor: int):
    assert f"Programming Language :: Python :: 3.{minor}" in PROJECT["classifiers"]
    assert sys.version_info >= (3, 11)
    assert PROJECT["requires-python"] == ">=3.11"


def test_dead_links_dead_fragments_and_markup_are_found(tmp_path: Path):
    (tmp_path / "a.html").write_text(
        '<h1 id="top">A</h1><a href="b.html#there">b</a><a href="b.html#gone">b</a>\n'
        '<a href="#top">a</a><a href="c.html">c</a><a href="https://example.org/x#y">d</a>\n'
        "<p>.. !! processed</p>\n<code>:class:`Race`</code>\n<p>:class:`Race`</p>"
    )
    (tmp_path / "b.html").write_text('<h1 id="there">B</h1>')
    assert problems(tmp_path) == [
        "a.html: b.html#gone: the page has no such place",
        "a.html: c.html: there is no such page",
        "a.html: markup is left: .. !! processed",
        "a.html: markup is left: :class:`Race`",
    ]
    assert problems(tmp_path / "none")[0].endswith("run make docs")
