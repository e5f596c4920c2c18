"""A command gets exactly the arguments that were meant, whatever is in the values."""

from __future__ import annotations

import json
import os
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from racing.base.errors import InputError, TargetError
from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance
from racing.evaluate import template
from racing.evaluate.command import Command
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.groups import Groups

NASTY = [
    "two words",
    "$(touch pwned)",
    "`touch pwned`",
    "; touch pwned",
    "'single' \"double\"",
    "line\nbreak",
    "--help",
    "-",
    "",
    "\\",
    "*",
    "{seed}",
    "{{}}",
    "ünï¢ödé ☃",
    "~",
    "a=b",
]


def experiment(instance: str = "a.cnf", **values: Any) -> Experiment:
    return Experiment(Candidate(3, values), Instance(0, instance, 7))


def arguments(command: str | tuple[str, ...], one: Experiment, **switches: str) -> list[str]:
    return template.fill(Command(command=command).arguments, one, switches)


def test_placeholders() -> None:
    one = experiment(alpha=0.5, ants=25, local=True)
    assert arguments("run {instance} --seed={seed} {candidate} {parameters} x{ants}y", one) == [
        "run", "a.cnf", "--seed=7", "3", "--alpha=0.5", "--ants=25", "--local=true", "x25y",
    ]  # fmt: skip


def test_switches() -> None:
    one = experiment(a=1, b=2, c=3, d=4, e=5)
    switches = {"a": "-a", "b": "-b ", "c": "--set c=", "d": "", "e": "--with e "}
    assert arguments("run {parameters}", one, **switches) == [
        "run", "-a1", "-b", "2", "--set", "c=3", "4", "--with", "e", "5",
    ]  # fmt: skip


def test_quoted_arguments_and_plain_braces() -> None:
    one = experiment(alpha="x y")
    expected = ["run", "a b", '{"alpha": "x y"}', "--k=x y"]
    assert arguments('run "a b" \'{{"alpha": "{alpha}"}}\' --k={alpha}', one) == expected
    assert arguments(("run", "a b", '{{"alpha": "{alpha}"}}', "--k={alpha}"), one) == expected


def test_a_parameter_that_is_switched_off() -> None:
    assert arguments("run {parameters}", experiment()) == ["run"]
    with pytest.raises(InputError, match=r"needs a value for \{alpha\}"):
        arguments("run {alpha}", experiment(beta=1))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (False, "false"),
        (0.1, "0.1"),
        (1e-20, "1e-20"),
        (10**20, "1" + "0" * 20),
        (np.float64(0.1), "0.1"),
        (np.int64(5), "5"),
        (np.bool_(True), "true"),
        (np.str_("x"), "x"),
    ],
)
def test_values_as_text(value: Any, text: str) -> None:
    assert template.as_text(value) == text


def test_the_problem_stands_in_for_the_name() -> None:
    one = Experiment(Candidate(1, {}), Instance(0, "short", 7, "/long/path/short"))
    assert arguments("run {instance}", one) == ["run", "/long/path/short"]


@pytest.mark.parametrize("value", NASTY)
def test_values_arrive_unharmed(value: str, tmp_path: Path) -> None:
    script = "import json, sys; json.dump(sys.argv[1:], open('seen', 'w')); print(1)"
    arguments = ("{instance}", "{parameters}", "x{alpha}y", "{alpha}")
    command = Command(command=(sys.executable, "-S", "-c", script, *arguments), cwd=str(tmp_path))
    outcome = Evaluator(command, switches={"beta": "-b "})(
        experiment(instance=value, alpha=value, beta=value)
    )
    assert outcome.cost == 1, outcome.message
    seen = json.loads((tmp_path / "seen").read_text())
    assert seen == [value, f"--alpha={value}", "-b", value, f"x{value}y", value]
    assert os.listdir(tmp_path) == ["seen"]


@given(st.text(), st.text())
def test_one_placeholder_is_always_one_argument(instance: str, value: str) -> None:
    filled = arguments("run {instance} {alpha} {parameters}", experiment(instance, alpha=value))
    assert filled == ["run", instance, value, f"--alpha={value}"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (
            {"output": "text"},
            'output must be number, json, irace, or a regular expression with .*; got "text"',
        ),
        ({"timeout": 0}, "timeout must be a time above 0.*; got 0"),
        ({"timeout": float("nan")}, "timeout must be a time above 0.*; got nan"),
        ({"memory": -1}, "memory must be an amount of memory.*; got -1"),
        ({"cpu_timeout": 0}, "cpu_timeout must be a time above 0.*; got 0"),
        ({"success": ()}, "success must be exit statuses"),
        ({"cost": "cpu"}, "cost must be answer, time or cpu_time"),
        ({"penalty": 10, "timeout": 1}, "penalty needs cost: cpu_time"),
        ({"penalty": 10, "cost": "time"}, "penalty needs a timeout"),
        ({"penalty": 0.5, "cost": "time", "timeout": 1}, "penalty must be a number, 1 or more"),
        ({"command": ()}, "command must be a program"),
        ({"command": "run {}"}, "braces hold one name"),
        ({"command": "run {seed!r}"}, "braces hold one name"),
    ],
)
def test_refused(options: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        Command(**{"command": "run", **options})


def test_checking(tmp_path: Path) -> None:
    Command(command="sh {instance} {parameters}").check(["alpha"])
    Command(command="sh {alpha}").check(["alpha"])
    Command(command="sh {candidate}").check(["alpha"])
    Command(command="{alpha} {instance}").check(["alpha"])
    (tmp_path / "run").write_text("")
    (tmp_path / "run").chmod(0o755)
    Command(command="./run {parameters}", cwd=str(tmp_path)).check([])
    with pytest.raises(TargetError, match="is not a folder"):
        Command(command="sh", cwd=str(tmp_path / "none")).check([])
    with pytest.raises(TargetError, match="is a folder"):
        Command(command="./", cwd=str(tmp_path)).check([])
    with pytest.raises(InputError, match="rename the parameter"):
        Command(command="sh {seed} {parameters}").check(["seed"])


def test_it_survives_pickling() -> None:
    command = Command(command=["sh", "{alpha}"], timeout=3)  # type: ignore[arg-type]
    assert command.command == ("sh", "{alpha}")
    again = pickle.loads(pickle.dumps(command))
    assert again == command
    assert hash(again) == hash(command)
    assert again.arguments == command.arguments


def test_the_python_that_runs_the_race_has_a_placeholder() -> None:
    arguments = template.parse("{python} -c 'print(1)' {x}")
    experiment = Experiment(Candidate(1, {"x": 2}), Instance(0, "i", 1))
    assert template.fill(arguments, experiment, {}) == [sys.executable, "-c", "print(1)", "2"]


# --- the files that it is started from ------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("./solve {instance}", ["solve"]),
        ("bin/python solve.py data.txt {instance}", ["bin/python", "solve.py"]),
        ("{python} -u solve.py {instance}", ["solve.py"]),
        ("python {instance} solve.py", ["solve.py"]),
        ("solve {instance}", []),
        ("./{solver} --seed={seed}", []),
        ("python -m tool", []),
        ("python {solver}.py . ''", []),
        (("python", "-c", "print(1)" + " " * 5000), []),
        (("python", "-c", "a\0b"), []),
        ("./solve side.log {instance}", ["solve"]),
        ("{python} -u solve.py side.log", ["solve.py"]),
        ("python3.11 solve.py side.log", ["solve.py"]),
        ("Rscript solve.py", ["solve.py"]),
        ("nice -n 5 ./solve side.log", ["solve"]),
        ("nice side.log", []),
    ],
)
def test_the_program_and_its_script_are_its_files(
    tmp_path: Path, command: str | tuple[str, ...], files: list[str]
) -> None:
    """Its data is not: a target may write its first argument, and is resumed all the same."""
    (tmp_path / "bin").mkdir()
    for name in ("solve", "solve.py", "data.txt", "side.log", "bin/python"):
        (tmp_path / name).touch()
    (tmp_path / "solve").chmod(0o755)
    found = Command(command=command, cwd=str(tmp_path)).files()
    assert found == [tmp_path / name for name in files]


def test_a_program_may_have_an_absolute_path(tmp_path: Path) -> None:
    (tmp_path / "solve").touch()
    assert Command(command=f"{tmp_path}/solve {{instance}}").files() == [tmp_path / "solve"]


def test_the_number_and_the_arguments_of_an_instance() -> None:
    one = Experiment(Candidate(3, {"a": 1}), Instance(5, "x.tsp --opt '2 3'", 11, number=2))
    command = (
        "run",
        "{candidate}",
        "{instance_id}",
        "{seed}",
        "{instance_arguments}",
        "{parameters}",
    )
    assert arguments(command, one, a="-a ") == [
        "run", "3", "2", "11", "x.tsp", "--opt", "2 3", "-a", "1",
    ]  # fmt: skip
    with pytest.raises(InputError, match="must stand alone"):
        template.parse("run x{instance_arguments}")
    with pytest.raises(InputError, match="cannot be split"):
        arguments(command, Experiment(Candidate(1, {}), Instance(0, "it's", 1)))


@pytest.mark.parametrize(
    ("printed", "came"),
    [
        ("1.5", (1.5, None, "")),
        (" 1.5 0.25\n", (1.5, 0.25, "")),
        ("Inf", (float("inf"), None, "")),
        ("cost 1.5", (None, None, "must be a cost")),
        ("1 2 3", (None, None, "must be a cost")),
        ("", (None, None, "got nothing")),
        ("nan", (None, None, "the cost must be a number; got nan")),
        ("1 -2", (None, None, "seconds must be a number from 0 to 1e+12; got -2")),
    ],
)
def test_what_a_target_runner_of_irace_prints(
    printed: str, came: tuple[float | None, float | None, str], tmp_path: Path
) -> None:
    (tmp_path / "out").write_text(printed)
    target = Command(command="cat out", output="irace", cwd=str(tmp_path))
    attempt = target.attempt(experiment(), running=Groups(), switches={})
    score, seconds, said = came
    assert attempt.score == score
    assert seconds is None or attempt.seconds == seconds
    assert said in attempt.message


def test_an_evaluator_gives_the_cost(tmp_path: Path) -> None:
    runner, judge = tmp_path / "runner", tmp_path / "judge"
    runner.write_text("#!/bin/sh\necho no cost; exit $1\n")
    judge.write_text('#!/bin/sh\nprintf "%s\\n" "$*" > called; echo 7\n')
    for file in (runner, judge):
        file.chmod(0o755)
    one = Experiment(Candidate(0, {}), Instance(5, "x -k 2", 11, number=4))
    target = Command(
        command="./runner {candidate}", output="irace", cwd=str(tmp_path), evaluator="./judge"
    )
    assert target.attempt(one, running=Groups(), switches={}).score == 7
    assert (tmp_path / "called").read_text() == "0 4 11 x -k 2 1 0\n"
    failing = Experiment(Candidate(1, {}), one.instance)
    attempt = target.attempt(failing, running=Groups(), switches={})
    assert attempt.score is None
    assert "exit status 1" in attempt.message


# --- what is success, and what it costs -----------------------------------------------------------


def outcome(text: str, **options: Any) -> Any:
    return Evaluator(Command(("sh", "-c", text), **options))(experiment())


def test_statuses_of_success() -> None:
    """As SAT solvers end: 10 for satisfiable, 20 for unsatisfiable."""
    for status in (0, 10, 20):
        text = f"echo 5; exit {status}"
        assert outcome(text, success=(0, 10, 20)).cost == 5
        assert outcome(text).failed == (status != 0)
    assert outcome("echo 5; exit 1", success=(0, 10, 20)).status == "crashed"
    assert outcome("echo 5; exit 0", success=(10, 20)).status == "crashed"
    assert outcome("echo 5; kill -9 $$", success=(0, 10)).status == "crashed"
    assert "set success: [0, 10]" in outcome("echo 5; exit 10").message


def test_the_cost_can_be_what_it_took() -> None:
    busy = f"{sys.executable} -S -c 'import time\nwhile time.process_time() < 0.2: pass'"
    spent = outcome(busy, cost="cpu_time")
    assert spent.status == "ok"
    assert 0.2 <= spent.cost < 60
    asleep = outcome("sleep 0.3", cost="time")
    assert asleep.cost == asleep.seconds >= 0.3
    assert outcome("sleep 0.3", cost="cpu_time").cost < 0.3
    assert outcome("exit 1", cost="cpu_time").status == "crashed"


def test_what_is_not_solved_costs_a_multiple_of_its_limit() -> None:
    """PAR10: ten times the limit, and no failure."""
    busy = "while :; do :; done"
    for options, cost in (
        ({"cost": "cpu_time", "cpu_timeout": 0.1}, 1.0),
        ({"cost": "cpu_time", "timeout": 0.2}, 2.0),
        ({"cost": "time", "timeout": 0.2, "cpu_timeout": 50}, 2.0),
    ):
        penal = outcome(busy, penalty=10, **options)
        assert (penal.status, penal.cost) == ("ok", pytest.approx(cost)), options
        assert "counted as 10 ×" in penal.message
        assert outcome(busy, **options).status == "timeout"
    crash = outcome("exit 1", cost="time", timeout=5, penalty=10)
    assert (crash.status, crash.cost) == ("crashed", float("inf"))


def test_the_command_may_stand_without_its_name() -> None:
    assert Command("sh {x}") == Command(command="sh {x}")
