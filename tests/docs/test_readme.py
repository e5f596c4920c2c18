"""README.md and the pages on choosing are true: every block is run, and prints what they say."""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import fields
from pathlib import Path
from runpy import run_path

import pytest

from racing.cli import COMMANDS
from racing.rules import RULES
from tests.docs.blocks import ROOT, Reader, agrees, extras

README = ROOT / "README.md"
CHOOSING = ROOT / "docs" / "choosing.md"
RULE, FAILURES = (ROOT / "docs" / "choosing" / f"{name}.md" for name in ("rule", "failures"))


@pytest.mark.parametrize("page", [README, CHOOSING, RULE, FAILURES], ids=lambda page: page.stem)
def test_every_block_does_what_the_page_says(page: Path, tmp_path: Path) -> None:
    reader = Reader(tmp_path)
    text = reader.read(page)
    assert not reader.failed, "\n\n".join(reader.failed)
    if os.environ.get("WRITE_DOCS"):
        page.write_text(text, encoding="utf-8")
        return
    assert not reader.wrong, "\n\n".join(reader.wrong)


def test_the_pages_name_every_command_and_extra() -> None:
    commands = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| \[`racing (\w+)", commands, re.MULTILINE) == list(COMMANDS)
    install = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^\| `(\w+)` \|", install, re.MULTILINE))
    assert named == extras() - {"dev", "docs", "peers"}


def test_the_readme_is_short_and_begins_with_what_it_is() -> None:
    lines = README.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 138
    assert any(line.startswith("**Find the best settings") for line in lines[:5])
    assert any("pip install" in line for line in lines[:32])


def test_what_the_readme_says_of_the_package_is_what_the_package_says() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = re.findall(r"Programming Language :: Python :: (3\.\d+)", str(project["classifiers"]))
    systems = re.findall(r"Operating System :: (MacOS|POSIX :: Linux)", str(project["classifiers"]))
    assert sorted(systems) == ["MacOS", "POSIX :: Linux"]
    assert "Typing :: Typed" in project["classifiers"]
    line = f"Python {named[0]} to {named[-1]} · Linux, macOS · typed · {project['license']} license"
    assert line in README.read_text(encoding="utf-8")


def test_the_race_of_the_readme_is_drawn_from_its_tables() -> None:
    picture = run_path(str(ROOT / "docs" / "home" / "race.py"))
    lines = picture["ratios"]()
    for name, theme in picture["THEMES"].items():
        drawn = (ROOT / "docs" / "home" / f"race-{name}.svg").read_text(encoding="utf-8")
        assert picture["draw"](lines, theme) == drawn, "run python docs/home/race.py"


def test_the_terminal_of_the_readme_is_that_of_a_run(tmp_path: Path) -> None:
    terminal = run_path(str(ROOT / "docs" / "home" / "terminal.py"))
    svg = terminal["SVG"].read_text(encoding="utf-8")
    drawn = terminal["draw"](terminal["record"](tmp_path))
    assert terminal["said"](svg) == terminal["said"](drawn), "run python docs/home/terminal.py"
    assert any(line.startswith("Winner: ") for line in terminal["said"](svg))
    assert len(svg) < 40_000
    assert "url(http" not in svg
    for page in ("README.md", "docs/index.md"):
        assert "home/terminal.svg" in (ROOT / page).read_text(encoding="utf-8")


def test_the_caption_of_the_race_is_that_of_the_tutorial() -> None:
    caption = README.read_text(encoding="utf-8").partition("*41 configurations")[2]
    caption = " ".join(caption.partition("*\n")[0].split())
    tutorial = (ROOT / "docs" / "first-tuning.md").read_text(encoding="utf-8")
    better, default = re.search(r"#8: mean (\d+) .*\ndefault: mean (\d+) ", tutorial).groups()  # type: ignore[union-attr]
    evaluations = re.search(r"(\d+) evaluations on 30 complete", tutorial)[1]  # type: ignore[index]
    assert f"{evaluations} evaluations in place of {41 * 30}" in caption
    assert f"needs {better} conflicts on average, the default {default}" in caption


def test_a_package_index_gets_whole_addresses() -> None:
    absolute = run_path(str(ROOT / "setup.py"))["absolute"]
    text = README.read_text(encoding="utf-8")
    bare = absolute(text, "")  # while the address of the repository is not known
    assert "picture" not in bare
    assert "\n[Contributing" not in bare
    assert "Contributing · Support · Security · Cite · MIT license" in bare
    assert set(re.findall(r"\]\(([^)#]{,8})", bare)) <= {"https://", ""}
    there = absolute(text, "https://example.org/racing")
    found = re.findall(r"\]\(([^)]+)\)|(?:src|srcset)=\"([^\"]+)\"", there)
    assert len(found) > 20
    assert all(link.startswith(("https://", "#")) for pair in found for link in pair if link)
    assert "(https://example.org/racing/blob/HEAD/docs/cli.md)" in there
    assert '"https://example.org/racing/raw/HEAD/docs/home/race-dark.svg"' in there


def test_the_page_on_choosing_tells_of_every_rule() -> None:
    text = RULE.read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([\w-]+)` \|", text, re.MULTILINE)) == set(RULES)


def test_options_of_rules_that_are_named_exist() -> None:
    text = CHOOSING.read_text(encoding="utf-8") + RULE.read_text(encoding="utf-8")
    for name, options in re.findall(r"\{name: ([\w-]+)((?:, \w+: [^,}]+)*)\}", text):
        known = {field.name for field in fields(RULES[name])}  # type: ignore[arg-type]
        assert set(re.findall(r", (\w+):", options)) <= known, name


def test_times_and_gaps_are_not_compared() -> None:
    assert agrees("12 runs in 1.9s.\n…\nthe end\n", "12 runs in 20ms.\nmore\nand more\nthe end")
    assert not agrees("12 runs in 1.9s.", "13 runs in 1.9s.")
