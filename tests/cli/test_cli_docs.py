"""Every command and option has help, and stands in docs/cli.md."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import pytest

from racing.cli import COMMANDS, build_parser, exits

DOCS = (Path(__file__).parents[2] / "docs" / "cli.md").read_text(encoding="utf-8")


def parsers() -> dict[str, argparse.ArgumentParser]:
    for action in build_parser()._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    raise AssertionError("there are no commands")


def section(command: str) -> str:
    """What the docs say of a command."""
    found = re.search(rf"^## racing {command}\n(.*?)(?=^## |\Z)", DOCS, re.M | re.S)
    assert found, f"docs/cli.md has no section `## racing {command}`"
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


@pytest.mark.parametrize(
    ("command", "action"), OPTIONS, ids=lambda x: x if isinstance(x, str) else x.dest
)
def test_every_option_has_help_and_is_documented(command, action):
    assert action.help, f"racing {command}: {action.dest} has no help"
    text = section(command)
    for name in action.option_strings[-1:] or [str(action.metavar)]:
        assert re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text), (
            f"docs/cli.md does not mention {name} of racing {command}"
        )


def test_the_docs_name_no_option_that_is_not_there():
    for command, parser in parsers().items():
        known = {name for action in parser._actions for name in action.option_strings}
        items = re.findall(r"^- (.*?):", section(command), re.M)
        for name in re.findall(r"--[\w-]+", " ".join(items)):
            assert name in known, f"racing {command} has no {name}"


def test_the_exit_codes_are_those_of_the_help():
    shown = re.findall(r"^  (\d+) +(.*)$", exits.EPILOG, re.M)
    documented = re.findall(r"^\| (\d+) \| (.*) \|$", DOCS, re.M)
    assert documented == shown


def test_help_says_what_each_command_is_for(capsys):
    with pytest.raises(SystemExit):
        build_parser().parse_args(["--help"])
    shown = capsys.readouterr().out
    for command in COMMANDS:
        assert re.search(rf"^    {command} +\w", shown, re.M)
