"""`racing convert`: the same scenario in YAML, with its comments; the page on its options."""

import os
from pathlib import Path

import yaml

from racing.scenario.formats.irace import read_scenario
from racing.scenario.formats.irace_options import OPTIONS
from racing.scenario.formats.irace_yaml import to_yaml
from racing.scenario.load import read

DOCS = Path(__file__).parents[3] / "docs" / "irace.md"


HEADER = (
    "| option | fate | what it becomes, or why not | with `--search irace` |\n"
    "| --- | --- | --- | --- |"
)


def a_scenario(folder):
    (folder / "parameters.txt").write_text(
        "# about everything\n\n"
        '# two kinds\nkind "--kind " c (a, "no", "3 4")   # the main switch\n'
        'beta "--beta " r,log (0.001, 1) | kind == "a"\n'
    )
    (folder / "instances.txt").write_text("one\ntwo 2\n")
    path = folder / "scenario.txt"
    path.write_text(
        "# my scenario\n\n# enough for tonight\nmaxExperiments = 300  # or more\n"
        'trainInstancesFile = "instances.txt"\nlogFile = "x.Rdata"\n'
    )
    return path


def test_the_text_says_what_the_data_say(tmp_path):
    path = a_scenario(tmp_path)
    found = read_scenario(path)
    said = yaml.safe_load(to_yaml(found, path))
    assert said["target"].pop("command")[0] == "./target-runner"
    assert {"name": tmp_path.name, **said} == {
        **found.scenario, "target": {"output": "irace"},
    }  # fmt: skip


def test_paths_are_relative_and_all_files_of_a_folder_are_a_pattern(tmp_path):
    home = tmp_path / "irace"
    (home / "inst" / "deep").mkdir(parents=True)
    path = a_scenario(home)
    for name in ("b", "a", "deep/c"):
        (home / "inst" / name).write_text("1")
    (home / "runner").write_text("#!/bin/sh\necho 1\n")
    (home / "runner").chmod(0o755)
    path.write_text(
        'maxExperiments = 2 * 50\ntrainInstancesDir = "inst"\ntargetRunner = "./runner"\n'
        'execDir = "inst"\ntrainInstancesFile = ""\n'
    )
    found = read_scenario(path)
    beside, above = (yaml.safe_load(to_yaml(found, path, each)) for each in (home, tmp_path))
    assert beside["target"]["command"][0] == "../runner"
    assert beside["instances"]["glob"] == "inst/**/*"
    assert "folder" not in beside
    assert above["folder"] == "irace"
    assert str(tmp_path) not in str(beside) + str(above)
    (tmp_path / "race.yaml").write_text(to_yaml(found, path, tmp_path))
    again, direct = read(tmp_path / "race.yaml"), read(path)
    assert again.plan.instances.names == direct.plan.instances.names
    assert again.plan.log != direct.plan.log
    (home / ".hidden").write_text("1")
    path.write_text('maxExperiments = 10\ntrainInstancesFile = "instances.txt"\n')
    assert "list" in yaml.safe_load(to_yaml(read_scenario(path), path, home))["instances"]


def test_comments_are_kept_where_they_belong(tmp_path):
    path = a_scenario(tmp_path)
    lines = to_yaml(read_scenario(path), path).splitlines()
    assert lines[0] == "# my scenario"
    assert "#   logFile: runs are kept in one SQLite file: `log`" in lines
    kind = next(i for i, line in enumerate(lines) if line.startswith("  kind:"))
    assert lines[kind - 1] == "  # two kinds"
    assert lines[kind].endswith("# the main switch")
    budget = next(i for i, line in enumerate(lines) if line.startswith("budget:"))
    assert lines[budget - 2 : budget] == ["# enough for tonight", "# maxExperiments: or more"]


def test_the_page_tells_of_every_option():
    page = DOCS.read_text(encoding="utf-8")
    table = page[page.index(HEADER) : page.index("\n\n", page.index(HEADER))]
    made = "\n".join([HEADER, *(row(name, option) for name, option in OPTIONS.items())])
    if os.environ.get("WRITE_DOCS"):
        DOCS.write_text(page.replace(table, made), encoding="utf-8")
    else:
        assert table == made


def row(name, option):
    """The line of an option: its fate by default, and under `--search irace`."""
    fate, why = option.under("irace")
    iterated = "the same" if option.iterated is None else f"{fate}: {why}"
    return f"| `{name}` | {option.fate} | {option.why} | {iterated} |"


def test_comments_follow_their_options_into_the_search(tmp_path):
    path = a_scenario(tmp_path)
    path.write_text(path.read_text() + "# a small one\nnbConfigurations = 9   # or ten\n")
    lines = to_yaml(read_scenario(path, search="irace"), path).splitlines()
    search = next(i for i, line in enumerate(lines) if line.startswith("search:"))
    assert lines[search] == "search: {scheme: irace, configurations: 9}"
    assert lines[search - 2 : search] == ["# a small one", "# nbConfigurations: or ten"]
    left_out = to_yaml(read_scenario(path), path)
    assert "#   nbConfigurations: concerns irace's iterations" in left_out
