"""Bad targets, by the words of docs/bad-input.md, which has the status and the message of each."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance
from racing.evaluate.command import Command
from racing.evaluate.function import Function

PAGE = Path(__file__).parents[2] / "docs" / "bad-input.md"


def table() -> dict[str, tuple[str, str]]:
    """The rows of the page: what a target does → status, and message with `…` for what varies."""
    section = PAGE.read_text().partition("\n## Targets\n")[2].partition("\n## ")[0]
    found = re.findall(r"^\| (.*?) \| (.*?) \| `(.*)` \|$", section, re.MULTILINE)
    return {what: (status, message.replace(r"\|", "|")) for what, status, message in found}


def experiment(number: int = 1, **values: Any) -> Experiment:
    """An experiment of candidate `number`, with parameters alpha = 1 or as given."""
    return Experiment(Candidate(number, values or {"alpha": 1}), Instance(0, "a.cnf", 7))


Given = Callable[[Path], Command | Function]
"""Makes a target in a folder."""


def given(*, files: dict[str, str] | None = None, **fields: Any) -> Given:
    """A target with these files; those that start with #! are executable."""

    def target(folder: Path) -> Command | Function:
        for name, text in (files or {}).items():
            (folder / name).write_text(text)
            if text.startswith("#!"):
                (folder / name).chmod(0o755)
        kind = Function if "python" in fields else Command
        return kind(cwd=str(folder), **fields)

    return target


def shell(text: str, **options: Any) -> Given:
    """A shell script as the target."""
    files = {"target": f"#!/bin/sh\n{text}\n"}
    return given(files=files, command="./target {parameters}", **options)


def program(text: str, **options: Any) -> Given:
    """A Python program as the target."""
    return given(command=(sys.executable, "-S", "-c", text, "{parameters}"), **options)


def function(text: str, **options: Any) -> Given:
    """A Python file whose function `solve` is the target."""
    return given(files={"target.py": text}, python="target.py:solve", **options)


TARGETS: dict[str, Given] = {
    "a command with an open quote": given(command='./solver "{instance}'),
    "an empty command": given(command=" "),
    "a command with a pipe or a redirection": given(command="sh {instance} {parameters} | tail -1"),
    "a misspelt placeholder": given(command="sh {instanc} {parameters}"),
    "a brace that is no placeholder": given(command="sh {1:2} {parameters}"),
    "`{parameters}` inside an argument": given(command="sh --set={parameters}"),
    "a command that leaves a parameter out": given(command="sh {instance} {seed}"),
    "a program that is not there": given(command="./solver {parameters}"),
    "a program that is not on the PATH": given(command="no-such-solver {parameters}"),
    "a file without permission to execute it": given(
        files={"solver": "echo 1\n"}, command="./solver {parameters}"
    ),
    "a script whose interpreter is missing": given(
        files={"solver": "#!/no/such/interpreter\necho 1\n"}, command="./solver {parameters}"
    ),
    "a parameter value with a null byte": given(
        command=("sh", "-c", "echo 1", "\0", "{parameters}")
    ),
    "prints nothing": shell("exit 0"),
    "prints its number on stderr": shell("echo 5 >&2"),
    "prints words only": shell("echo no solution in 5s"),
    "prints a unit behind its number": shell("echo 1000 iterations; echo cost 3.5s"),
    "prints −3.5 with a Unicode minus": shell("echo 7; echo −3.5"),
    "prints NaN": shell("echo 17; echo NaN"),
    "prints inf": shell("echo inf"),
    "prints −inf": shell("echo -inf"),
    "prints the largest number there is": shell("echo 1.7976931348623157e308"),
    "prints 1,234.5": shell("echo 17; echo 1,234.5"),
    "prints something else than JSON, with `output: json`": shell("echo cost: 17", output="json"),
    "prints a JSON object without `cost`": shell(
        """echo '{"value": 17, "time": 3}'""", output="json"
    ),
    "prints a JSON object whose cost is text": shell("""echo '{"cost": "17"}'""", output="json"),
    "prints bytes that are not UTF-8": shell(
        r"printf '\377\376\200 \001'; printf '\033[31m\377' >&2"
    ),
    "floods stdout and stderr (only the end is kept)": shell(
        "head -c 200000000 /dev/zero; head -c 20000000 /dev/zero >&2"
    ),
    "prints a number, then exits with status 3": shell("echo 17; exit 3"),
    "is killed by a signal": shell("echo 17; kill -SEGV $$"),
    "takes too long": shell("echo 17; sleep 100", timeout=0.2),
    "takes too much processor time": shell("echo 17; while :; do :; done", cpu_timeout=0.2),
    "takes too long and ignores SIGTERM (killed a second later)": shell(
        "trap '' TERM\nwhile :; do sleep 0.1; done", timeout=0.2
    ),
    "closes its output and goes on": shell(
        "exec >&- 2>&-\nwhile :; do sleep 0.1; done", timeout=0.2
    ),
    "takes more memory than it may": program("x = bytearray(10**9); print(17)", memory=128 * 2**20),
    "a reference without a function": given(python="target.py"),
    "a Python file that is not there": given(python="target.py:solve"),
    "a Python module that is not there": given(python="no_such_module:solve"),
    "a function that is not in its file": function(
        "def solved(values, instance, seed):\n    return 1\n"
    ),
    "a Python file with a syntax error": function(
        "def solve(values, instance, seed):\n    return return\n"
    ),
    "a Python file that fails when it is imported": function("import math\nx = 1 / 0\n"),
    "a function that takes other arguments": function("def solve(values):\n    return 1\n"),
    "raises an exception": function("def solve(values, instance, seed):\n    return 1 / 0\n"),
    "calls `sys.exit`": function(
        "import sys\ndef solve(values, instance, seed):\n    sys.exit(0)\n"
    ),
    "returns nothing": function("def solve(values, instance, seed):\n    pass\n"),
    "calls an `async` function without waiting for it": function(
        "async def ask():\n    return 1\ndef solve(values, instance, seed):\n    return ask()\n"
    ),
    "returns text": function("def solve(values, instance, seed):\n    return '17'\n"),
    "returns NaN": function("def solve(values, instance, seed):\n    return float('nan')\n"),
    "returns a mapping without `cost`": function(
        "def solve(values, instance, seed):\n    return {'loss': 1}\n"
    ),
    "takes too long, and swallows every exception": function(
        "import time\n"
        "def solve(values, instance, seed):\n"
        "    try:\n        time.sleep(60)\n"
        "    except Exception:\n        return 1\n",
        timeout=0.1,
    ),
    "runs out of memory": function(
        "def solve(values, instance, seed):\n    return bytearray(2**62)\n"
    ),
}
