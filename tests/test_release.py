"""A release is refused for what is missing, all of it at once; the kit around it is whole."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from scripts import release
from scripts.release import ROOT, refusals

CITATION = ROOT / "CITATION.cff"


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository in which 1.2.3 is ready."""
    (tmp_path / "racing" / "base").mkdir(parents=True)
    (tmp_path / "racing" / "base" / "version.py").write_text('__version__ = "1.2.3"\n')
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\n## [1.2.3] - 2026-01-02\n\n- More\n")
    git(tmp_path, "init", "--quiet")
    commit(tmp_path)
    return tmp_path


def git(folder: Path, *arguments: str) -> None:
    names = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *names, *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def commit(folder: Path) -> None:
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--allow-empty", "-m", "Change")


def test_a_repository_that_is_ready_is_not_refused(repository: Path) -> None:
    assert list(refusals("1.2.3", repository)) == []
    git(repository, "tag", "v1.2.3")  # as the workflow sees it
    assert list(refusals("1.2.3", repository)) == []


def test_all_reasons_are_told_at_once(repository: Path) -> None:
    (repository / "new.txt").touch()
    version, source, entry, tree = refusals("1.3", repository)
    assert version == "'1.3' is no version; expected one such as 0.1.0 or 0.2.0rc1"
    assert source == 'racing/base/version.py does not say __version__ = "1.3"'
    assert entry == "CHANGELOG.md has no entry `## [1.3] - YYYY-MM-DD`"
    assert tree == "the tree is not clean; commit or remove:\n?? new.txt"


def test_an_entry_without_a_date_is_no_entry(repository: Path) -> None:
    (repository / "CHANGELOG.md").write_text("## [1.2.3] - unreleased\n")
    commit(repository)
    assert list(refusals("1.2.3", repository)) == [
        "CHANGELOG.md has no entry `## [1.2.3] - YYYY-MM-DD`"
    ]


def test_a_tag_of_another_commit_is_not_moved(repository: Path) -> None:
    git(repository, "tag", "v1.2.3")
    commit(repository)
    assert list(refusals("1.2.3", repository)) == [
        "the tag v1.2.3 names another commit; choose a new version"
    ]


@pytest.mark.parametrize(
    "text", ["[a](docs/cli.md)", '<img src="docs/x.svg">', "![a](x.png)", '<a href="x">']
)
def test_a_relative_link_of_a_description_is_found(text: str) -> None:
    assert release._RELATIVE.search(text)
    assert not release._RELATIVE.search("[a](https://example.org/x) [b](#here)")


def test_the_source_distribution_holds_the_whole_repository() -> None:
    manifest = (ROOT / "MANIFEST.in").read_text(encoding="utf-8")
    named = {word for line in manifest.splitlines()[1:] for word in line.split()[1:]}
    kept = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if kept.returncode:  # in the source distribution itself
        pytest.skip("this is not a repository")
    built = {"MANIFEST.in", "pyproject.toml"}  # setuptools adds them by itself
    assert {file.partition("/")[0] for file in kept.stdout.split()} - built <= named


def test_the_citation_is_one_of_the_format() -> None:
    """The keys that the Citation File Format 1.2.0 requires, and no version that would go stale."""
    cited = yaml.safe_load(CITATION.read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(cited)
    assert cited["cff-version"] == "1.2.0"
    assert cited["type"] == "software"
    assert cited["license"] == "MIT"
    assert not {"version", "date-released"} & set(cited)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert [one["name"].lower() for one in cited["authors"]] == [
        one["name"].lower() for one in project["authors"]
    ]


def test_the_licence_is_the_one_of_the_file() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (project["license"], project["license-files"]) == ("MIT", ["LICENSE"])
    assert "MIT License" in (ROOT / "LICENSE").read_text(encoding="utf-8")
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited.get("license", "MIT") == "MIT"


@pytest.mark.parametrize("form", ["bug", "idea"])
def test_forms_of_issues_are_complete(form: str) -> None:
    file = ROOT / ".github" / "ISSUE_TEMPLATE" / f"{form}.yml"
    told = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert {"name", "description", "body"} <= set(told)
    assert len({field["id"] for field in told["body"]}) == len(told["body"])
    assert all(field["attributes"]["label"] for field in told["body"])
    assert ("racing --version --verbose" in file.read_text()) == (form == "bug")
