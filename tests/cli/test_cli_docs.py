"""Every command and option has help, and stands in docs/cli.md or docs/cli."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from racing.cli import COMMANDS, build_parser, exits, parse

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [DOCS / "cli.md", *sorted((DOCS / "cli").glob("*.md"))]
TEXT = "".join(page.read_text(encoding="utf-8") for page in PAGES)


def parsers() -> dict[str, argparse.ArgumentParser]:
    for action in build_parser()._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    raise AssertionError("there are no commands")


def section(command: str) -> str:
    """What the docs say of a command."""
    found = re.search(rf"^##? racing {command}\n(.*?)(?=^##? racing |^# |\Z)", TEXT, re.M | re.S)
    assert found, f"the pages of the command line have no section `## racing {command}`"
    return found[1]


OPTIONS = [
    (command, action)
    for command, parser in parsers().items()
    for action in parser._actions
    if not isinstance(action, argparse._HelpAction)
]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_a_description_and_a_section(command):
    parser = parsers()[command]
    assert parser.description
    assert f"racing {command}" in section(command)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_ends_with_three_examples_that_it_takes(command):
    examples = import_module(f"racing.cli.{command}").EXAMPLES
    assert len(examples) == 3
    assert parsers()[command].format_help().endswith("\n  ".join(("", *examples)) + "\n")
    for example in examples:
        program, *arguments = shlex.split(re.split(r" [>|] ", example)[0])
        assert program == "racing"
        assert parse(arguments).command == command


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_eighty_columns(command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    parser = parsers()[command] if command else build_parser()
    assert max(map(len, parser.format_help().splitlines())) <= 80


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        (["shwo"], "there is no command 'shwo'; did you mean show?"),
        (["xyz"], "there is no command 'xyz'; see racing --help"),
        (
            ["run", "race.yaml", "--jbos", "3"],
            "unrecognized arguments: --jbos 3; did you mean --jobs?",
        ),
        (["show", "run.sqlite", "--jsno"], "did you mean --json?"),
    ],
)
def test_what_is_mistyped_is_asked_about(typed, asked, capsys):
    with pytest.raises(SystemExit) as end:
        parse(typed)
    assert end.value.code == exits.BAD_INPUT
    assert asked in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "expected"), [("racing sh", "show"), ("racing run --eng", "--engine")]
)
def test_the_tab_key_completes(line, expected, tmp_path):
    answer = tmp_path / "answer"
    environment = {
        "_ARGCOMPLETE": "1", "_ARGCOMPLETE_STDOUT_FILENAME": str(answer), "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
    }  # fmt: skip
    command = [sys.executable, "-m", "racing"]
    subprocess.run(command, env={**os.environ, **environment}, check=True)
    assert expected in re.split(r"[\013\s]+", answer.read_text())


@pytest.mark.parametrize(
    ("command", "action"), OPTIONS, ids=lambda x: x if isinstance(x, str) else x.dest
)
def test_every_option_has_help_and_is_documented(command, action):
    assert action.help, f"racing {command}: {action.dest} has no help"
    text = section(command)
    for name in action.option_strings[-1:] or [str(action.metavar)]:
        assert re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text), (
            f"the pages of the command line do not mention {name} of racing {command}"
        )


def test_the_docs_name_no_option_that_is_not_there():
    for command, parser in parsers().items():
        known = {name for action in parser._actions for name in action.option_strings}
        items = re.findall(r"^- (.*?):", section(command), re.M)
        for name in re.findall(r"--[\w-]+", " ".join(items)):
            assert name in known, f"racing {command} has no {name}"


def test_the_exit_codes_are_those_of_the_help():
    shown = re.findall(r"^  (\d+) +(.*)$", exits.EPILOG, re.M)
    documented = re.findall(r"^\| (\d+) \| (.*) \|$", TEXT, re.M)
    assert documented == shown


def test_help_says_what_each_command_is_for(capsys):
    with pytest.raises(SystemExit):
        build_parser().parse_args(["--help"])
    shown = capsys.readouterr().out
    for command in COMMANDS:
        assert re.search(rf"^    {command} +\w", shown, re.M)
