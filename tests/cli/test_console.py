"""Tables, numbers and the result on stdout."""

from __future__ import annotations

import ast
import contextlib
import io
import math
import os
import random
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import racing
from racing.answer.document import table
from racing.base.plain import printable
from racing.base.words import count, number
from racing.cli import COMMANDS
from racing.cli.console import results_alone, tell


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (math.nan, "–"),
        (-0.0, "0"),
        (1234.56, "1235"),
        (1e-7, "1e-07"),
        (math.inf, "∞"),
        (-1.5, "−1.5"),
    ],
)
def test_numbers_have_four_digits_and_a_dash_for_none(value, text):
    assert number(value) == text


def test_counts_have_their_noun():
    assert [count(n, "instance") for n in (0, 1, 2)] == ["0 instances", "1 instance", "2 instances"]


def test_the_last_column_is_cut_where_the_width_ends(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    tell([table("t", "Title", ["name", "values"], [["a", "x" * 100]], cut=True)])
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.endswith("…")
    assert len(last) <= 40


class Terminal(io.StringIO):
    """What a terminal would show."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("cut_last", [False, True])
def test_a_table_is_the_same_on_a_terminal_with_room_for_it(monkeypatch, cut_last):
    monkeypatch.setenv("COLUMNS", "300")
    rng, signs = random.Random(1), ["a", "b", "[b]", "─", "é", "ö", "日", "e\u0301", "😀", "|"]
    for _ in range(50):
        columns = [rng.choice(["", ">"]) + "".join(rng.choices(signs, k=3)) for _ in range(4)]
        rows = [
            ["".join(rng.choices(signs, k=rng.randrange(12))) for _ in columns]
            for _ in range(rng.randrange(5))
        ]
        shown = []
        for stream in (Terminal(), io.StringIO()):
            with contextlib.redirect_stdout(stream):
                tell([table("t", "Title", columns, rows, cut=cut_last)])
            lines = re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue()).splitlines()
            shown.append([line.rstrip() for line in lines])  # a style ends after its space
        assert shown[0] == shown[1]


def test_what_is_written_to_the_descriptor_of_stdout_goes_to_stderr_meanwhile(capfd):
    with results_alone():
        os.write(1, b"from C\n")
    os.write(1, b"result\n")
    out, err = capfd.readouterr()
    assert out == "result\n"
    assert err == "from C\n"


NASTY = "\x1b]0;title\x07\x9b2J\u202e\x7f\r"


def _commands(folder):
    """Commands that read files with control characters wherever these may be put."""
    table = folder / f"{NASTY}.csv"
    table.write_text(f"instance,{NASTY},b\n" + "".join(f"i{k},{k},x{NASTY}\n" for k in range(4)))
    sound = folder / "sound.csv"
    sound.write_text(
        f"instance,a{NASTY[:-1]},b\n" + "".join(f"i{k},{k},{k % 3}\n" for k in range(9))
    )
    irace = folder / "scenario.txt"
    irace.write_text(f'maxExperiments = {NASTY}\ntargetRunner = "{NASTY}"\n')
    parameters = folder / "parameters.txt"
    parameters.write_text(f'a{NASTY} "" r (0, {NASTY})\n')
    named = folder / "named.txt"
    named.write_text(f'parameterFile = "{parameters}"\nmaxExperiments = 100\ntargetRunner = "x"\n')
    keys = folder / "keys.yaml"
    keys.write_text(f'"{NASTY.encode("unicode_escape").decode()}": 1\n')
    damaged = folder / f"{NASTY}.sqlite"
    damaged.write_text("no log")
    return {
        "table": ("compare", table),
        "text": ("compare", sound),
        "markdown": ("compare", sound, "--markdown"),
        "latex": ("compare", sound, "--latex"),
        "json": ("compare", sound, "--json"),
        "irace": ("convert", irace),
        "parameters": ("convert", named),
        "yaml": ("check", keys),
        "a damaged log": ("show", damaged),
        "no log": ("show", f"{damaged}{NASTY}"),
        "no file": ("check", f"{damaged}{NASTY}.yaml"),
        "an option": ("show", damaged, f"--{NASTY}"),
        "a command": (NASTY,),
        "a choice": ("portfolio", damaged, "--export", NASTY),
        "a number": ("run", keys, "--seed", NASTY),
        "a change": ("check", keys, "--set", f"{NASTY}={NASTY}"),
    }


def test_no_output_of_a_command_has_control_characters(racing, tmp_path):
    for case, arguments in _commands(tmp_path).items():
        said = racing(*arguments)
        assert re.search("x1b|u001b", said.out + said.err), case
        assert printable(said.out + said.err) == said.out + said.err, case


ESCAPED = "".join(f"\\x{ord(c):02x}" if c < "\u0100" else f"\\u{ord(c):04x}" for c in NASTY)
INSTANCES = ", ".join(f'{{name: "i{k}{ESCAPED}", family: "f{k % 2}{ESCAPED}"}}' for k in range(12))
HOSTILE = f"""
name: "run{ESCAPED}"
target: {{command: [sh, "target{ESCAPED}.sh", "{{seed}}", "{{instance}}", "{{parameters}}"]}}
space: {{x: {{real: [0, 1]}}, kind: {{categorical: ["a{ESCAPED}", "b{ESCAPED}"]}}}}
candidates: {{list: [{{name: "c{ESCAPED}", values: {{x: 0.1, kind: "a{ESCAPED}"}}}}], sample: 4}}
instances: [{INSTANCES}]
rule: none
budget: 50
log: run.sqlite
"""
TARGET = r"""
nasty() { printf '\033]0;title\007\302\2332J\342\200\256\177\r\n'; }
case $1 in
*5) nasty >&2; exit 1;;
*7) nasty;;
*) echo $(($1 % 13)).$#;;
esac
"""
EVERY = {
    "init": ["new"],
    "check": ["race.yaml"],
    "plan": ["race.yaml"],
    "run": ["race.yaml", "--jobs", "1"],
    "resume": ["run.sqlite", "--budget", "+6", "--log-format", "json"],
    "show": ["run.sqlite", "--all"],
    "report": ["run.sqlite", "--svg", "figures"],
    "watch": ["run.sqlite", "--once"],
    "test": ["run.sqlite", *(f"{NASTY}{k}" for k in range(6))],
    "explain": ["run.sqlite"],
    "portfolio": ["run.sqlite", "--export", "commands"],
    "export": ["run.sqlite", "--to", f"tables{NASTY}"],
    "compare": ["run.sqlite", "--missing", "drop-algorithms"],
    "convert": ["irace.txt"],
    "schema": [],
}


def _hostile_run(folder):
    """A scenario whose names and messages are hostile, and one of irace."""
    (folder / "race.yaml").write_text(HOSTILE)
    (folder / f"target{NASTY}.sh").write_text(TARGET)
    (folder / "irace.txt").write_text('targetRunner = "x"\nmaxExperiments = 99\n')
    (folder / "parameters.txt").write_text(f'a{NASTY[:-1]} "" r (0, 1)\n')


@pytest.mark.parametrize("terminal", [False, True])
def test_every_command_escapes_what_a_hostile_run_says(racing, tmp_path, monkeypatch, terminal):
    assert set(EVERY) == set(COMMANDS)
    _hostile_run(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setenv("NO_COLOR", "1")
    if terminal:
        for stream in (sys.stdout, sys.stderr):
            monkeypatch.setattr(stream, "isatty", lambda: True)
    seen = set()
    for command in COMMANDS:
        said = racing(command, *EVERY[command])
        told = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\r", "", said.out + said.err)  # those of rich
        assert printable(told) == told, command
        seen |= {command} if "1b]0;" in told else set()
    assert seen >= {*COMMANDS} - {"init", "plan", "schema", "report"}
    for file in (tmp_path / "figures").glob("*.svg"):
        ElementTree.parse(file)


def test_neither_has_the_traceback_of_an_unexpected_error(racing, capsys):
    racing("--version")
    sys.excepthook(KeyError, KeyError(NASTY), None)
    said = capsys.readouterr().err
    sys.excepthook(Exception, Exception(NASTY), None)
    told = said + capsys.readouterr().err
    assert "KeyError" in told
    assert printable(told) == told


def test_one_function_prints_for_each_stream_and_one_escapes_html():
    homes = {"print": set(), "escape": set()}
    for file in Path(racing.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if called == "print" or called.startswith(("sys.stdout.write", "sys.stderr.write")):
                homes["print"].add(file.name)
            if isinstance(node, ast.ImportFrom) and node.module == "html":
                homes["escape"].add(file.name)
    assert homes == {"print": {"plain.py"}, "escape": {"markup.py"}}
