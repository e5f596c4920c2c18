"""Bad targets, and what is said about each: the tests run them, and docs/bad-input.md shows them.

python tests/evaluate/cases.py      # writes the section of docs/bad-input.md anew
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from racing.core.candidate import Candidate
from racing.core.experiment import Experiment, Instance
from racing.evaluate.command import Command
from racing.evaluate.evaluator import Evaluator
from racing.evaluate.function import Function

PAGE = Path(__file__).parents[2] / "docs" / "bad-input.md"
HEADING = "## Targets"
INTRODUCTION = """
A target that cannot work is *refused* before anything is evaluated (by `racing check` too). What
goes wrong in an evaluation is that evaluation's status: its cost counts as the worst there is, the
race goes on, and the message is kept in the log, followed by the end of the target's stderr or
traceback. `…` marks text that varies.
"""


@dataclass(frozen=True, kw_only=True)
class Case:
    """A bad target.

    Attributes
    ----------
    name
        Of the test.
    what
        The row's words.
    status
        How the evaluation ends; `refused` if the target is refused before.
    message
        Its message's first line; `…` for what varies.
    files
        Files to be written, by name; those that start with #! are made executable.
    command, python
        The target; one of them.
    options
        Further fields of the target.
    """

    name: str
    what: str
    status: str
    message: str
    files: dict[str, str] = field(default_factory=dict)
    command: str | tuple[str, ...] = ()
    python: Any = None
    options: dict[str, Any] = field(default_factory=dict)

    def target(self, folder: Path) -> Command | Function:
        """The target, its files written to a folder."""
        for name, text in self.files.items():
            path = folder / name
            path.write_text(text)
            if text.startswith("#!"):
                path.chmod(0o755)
        if self.python is not None:
            return Function(python=self.python, cwd=str(folder), **self.options)
        return Command(command=self.command, cwd=str(folder), **self.options)

    def evaluator(self, folder: Path) -> Evaluator:
        """An evaluator for it."""
        return Evaluator(self.target(folder))


def experiment(number: int = 1, **values: Any) -> Experiment:
    """An experiment of candidate `number`, with parameters alpha = 1 or as given."""
    return Experiment(Candidate(number, values or {"alpha": 1}), Instance(0, "a.cnf", 7))


def shell(text: str) -> dict[str, Any]:
    """A shell script as the target."""
    return {"files": {"target": f"#!/bin/sh\n{text}\n"}, "command": "./target {parameters}"}


def program(text: str) -> dict[str, Any]:
    """A Python program as the target."""
    command = (sys.executable, "-S", "-c", text, "{parameters}")
    return {"command": command}


def function(text: str) -> dict[str, Any]:
    """A Python file whose function `solve` is the target."""
    return {"files": {"target.py": text}, "python": "target.py:solve"}


COMMANDS = (
    Case(
        name="open-quote",
        what="a command with an open quote",
        status="refused",
        message="command './solver \"{instance}' cannot be split: no closing quotation",
        command='./solver "{instance}',
    ),
    Case(
        name="empty-command",
        what="an empty command",
        status="refused",
        message="command must be a program and its arguments; got nothing",
        command=" ",
    ),
    Case(
        name="shell-pipe",
        what="a command with a pipe or a redirection",
        status="refused",
        message="command has '|', but no shell reads it: put the line into a script of your own; "
        "or give the command as a list, if the program is to get it as an argument",
        command="sh {instance} {parameters} | tail -1",
    ),
    Case(
        name="unknown-placeholder",
        what="a misspelt placeholder",
        status="refused",
        message="command has the unknown placeholder {instanc}; did you mean {instance}? "
        "allowed: {instance}, {instance_id}, {instance_arguments}, {seed}, {candidate}, "
        "{bound}, {parameters}, {python}, {alpha}",
        command="sh {instanc} {parameters}",
    ),
    Case(
        name="open-brace",
        what="a brace that is no placeholder",
        status="refused",
        message="command argument '{1:2}': braces hold one name, as in {seed}; "
        "write {{ and }} for plain braces",
        command="sh {1:2} {parameters}",
    ),
    Case(
        name="pasted-parameters",
        what="`{parameters}` inside an argument",
        status="refused",
        message="command argument '--set={parameters}': {parameters} becomes several arguments, "
        "so it must stand alone as one",
        command="sh --set={parameters}",
    ),
    Case(
        name="lost-parameter",
        what="a command that leaves a parameter out",
        status="refused",
        message="the command has no placeholder for alpha; add {parameters} or {alpha}",
        command="sh {instance} {seed}",
    ),
    Case(
        name="missing-program",
        what="a program that is not there",
        status="refused",
        message="program './solver' does not exist, relative to '…'",
        command="./solver {parameters}",
    ),
    Case(
        name="not-on-path",
        what="a program that is not on the PATH",
        status="refused",
        message="program 'no-such-solver' is not on the PATH; "
        "write ./no-such-solver if it is in the folder '…'",
        command="no-such-solver {parameters}",
    ),
    Case(
        name="not-executable",
        what="a file without permission to execute it",
        status="refused",
        message="program './solver' is not executable: try chmod +x ./solver",
        files={"solver": "echo 1\n"},
        command="./solver {parameters}",
    ),
    Case(
        name="bad-interpreter",
        what="a script whose interpreter is missing",
        status="refused",
        message="the interpreter of './solver' cannot be run: '#!/no/such/interpreter'",
        files={"solver": "#!/no/such/interpreter\necho 1\n"},
        command="./solver {parameters}",
    ),
    Case(
        name="null-byte",
        what="a parameter value with a null byte",
        status="crashed",
        message="cannot be started: embedded null byte in an argument",
        command=("sh", "-c", "echo 1", "\0", "{parameters}"),
    ),
    Case(
        name="prints-nothing",
        what="prints nothing",
        status="unreadable",
        message="unreadable: stdout must end in a number; got nothing",
        **shell("exit 0"),
    ),
    Case(
        name="only-stderr",
        what="prints its number on stderr",
        status="unreadable",
        message="unreadable: stdout must end in a number; got nothing",
        **shell("echo 5 >&2"),
    ),
    Case(
        name="only-text",
        what="prints words only",
        status="unreadable",
        message="unreadable: stdout must end in a number",
        **shell("echo no solution in 5s"),
    ),
    Case(
        name="unit",
        what="prints a unit behind its number",
        status="unreadable",
        message="unreadable: stdout must end in a number",
        **shell("echo 1000 iterations; echo cost 3.5s"),
    ),
    Case(
        name="unicode-minus",
        what="prints −3.5 with a Unicode minus",
        status="unreadable",
        message="unreadable: stdout must end in a number; its minus is not '-'",
        **shell("echo 7; echo −3.5"),
    ),
    Case(
        name="nan",
        what="prints NaN",
        status="unreadable",
        message="unreadable: stdout's last word must be a number; got nan",
        **shell("echo 17; echo NaN"),
    ),
    Case(
        name="infinity",
        what="prints inf",
        status="unreadable",
        message="unreadable: inf is worse than any cost, and so counts as a failure",
        **shell("echo inf"),
    ),
    Case(
        name="minus-infinity",
        what="prints −inf",
        status="unreadable",
        message="unreadable: -inf is better than any answer can be",
        **shell("echo -inf"),
    ),
    Case(
        name="beyond",
        what="prints the largest number there is",
        status="unreadable",
        message="unreadable: 1.7976931348623157e+308 is beyond 1e+75, the largest cost, and so "
        "counts as a failure",
        **shell("echo 1.7976931348623157e308"),
    ),
    Case(
        name="thousands",
        what="prints 1,234.5",
        status="unreadable",
        message="unreadable: stdout's last word must be a plain number such as 1234.5; "
        'got "1,234.5"',
        **shell("echo 17; echo 1,234.5"),
    ),
    Case(
        name="not-json",
        what="prints something else than JSON, with `output: json`",
        status="unreadable",
        message="unreadable: stdout's last line must be JSON",
        options={"output": "json"},
        **shell("echo cost: 17"),
    ),
    Case(
        name="json-without-cost",
        what="prints a JSON object without `cost`",
        status="unreadable",
        message="unreadable: the answer must have 'cost'; got 'value', 'time'; give it, or "
        "declare metrics",
        options={"output": "json"},
        **shell("""echo '{"value": 17, "time": 3}'"""),
    ),
    Case(
        name="json-text-cost",
        what="prints a JSON object whose cost is text",
        status="unreadable",
        message='unreadable: cost must be a number; got "17"',
        options={"output": "json"},
        **shell("""echo '{"cost": "17"}'"""),
    ),
    Case(
        name="not-utf-8",
        what="prints bytes that are not UTF-8",
        status="unreadable",
        message="unreadable: stdout must end in a number",
        **shell(r"printf '\377\376\200 \001'; printf '\033[31m\377' >&2"),
    ),
    Case(
        name="flood",
        what="floods stdout and stderr (only the end is kept)",
        status="unreadable",
        message="unreadable: stdout must end in a number of at most 100 characters",
        **shell("head -c 200000000 /dev/zero; head -c 20000000 /dev/zero >&2"),
    ),
    Case(
        name="exit-status",
        what="prints a number, then exits with status 3",
        status="crashed",
        message="crashed: exit status 3",
        **shell("echo 17; exit 3"),
    ),
    Case(
        name="segmentation-fault",
        what="is killed by a signal",
        status="crashed",
        message="crashed: killed by SIGSEGV",
        **shell("echo 17; kill -SEGV $$"),
    ),
    Case(
        name="timeout",
        what="takes too long",
        status="timeout",
        message="timed out after 0.2 s",
        options={"timeout": 0.2},
        **shell("echo 17; sleep 100"),
    ),
    Case(
        name="cpu-timeout",
        what="takes too much processor time",
        status="timeout",
        message="timed out after 0.2 s of processor time",
        options={"cpu_timeout": 0.2},
        **shell("echo 17; while :; do :; done"),
    ),
    Case(
        name="ignores-sigterm",
        what="takes too long and ignores SIGTERM (killed a second later)",
        status="timeout",
        message="timed out after 0.2 s",
        options={"timeout": 0.2},
        **shell("trap '' TERM\nwhile :; do sleep 0.1; done"),
    ),
    Case(
        name="closes-stdout",
        what="closes its output and goes on",
        status="timeout",
        message="timed out after 0.2 s",
        options={"timeout": 0.2},
        **shell("exec >&- 2>&-\nwhile :; do sleep 0.1; done"),
    ),
    Case(
        name="memory",
        what="takes more memory than it may",
        status="out of memory",
        message="out of memory: exit status 1 under a limit of 128 MiB",
        options={"memory": 128 * 2**20},
        **program("x = bytearray(10**9); print(17)"),
    ),
)

FUNCTIONS = (
    Case(
        name="no-colon",
        what="a reference without a function",
        status="refused",
        message='python must be file.py:function or module:function; got "target.py"',
        python="target.py",
    ),
    Case(
        name="no-file",
        what="a Python file that is not there",
        status="refused",
        message="python target target.py: there is no file '…target.py'",
        python="target.py:solve",
    ),
    Case(
        name="no-module",
        what="a Python module that is not there",
        status="refused",
        message="python target no_such_module cannot be imported: ModuleNotFoundError at …: "
        "No module named 'no_such_module'",
        python="no_such_module:solve",
    ),
    Case(
        name="no-function",
        what="a function that is not in its file",
        status="refused",
        message="target.py:solve: target.py has no function 'solve'; did you mean 'solved'?",
        **function("def solved(values, instance, seed):\n    return 1\n"),
    ),
    Case(
        name="syntax-error",
        what="a Python file with a syntax error",
        status="refused",
        message="python target target.py cannot be imported: SyntaxError at target.py:2: …",
        **function("def solve(values, instance, seed):\n    return return\n"),
    ),
    Case(
        name="import-error",
        what="a Python file that fails when it is imported",
        status="refused",
        message="python target target.py cannot be imported: ZeroDivisionError at target.py:2: "
        "division by zero",
        **function("import math\nx = 1 / 0\n"),
    ),
    Case(
        name="wrong-arguments",
        what="a function that takes other arguments",
        status="refused",
        message="python target target.py:solve must be a function of (values, instance, seed); "
        "got: too many positional arguments",
        **function("def solve(values):\n    return 1\n"),
    ),
    Case(
        name="exception",
        what="raises an exception",
        status="crashed",
        message="crashed: ZeroDivisionError: division by zero",
        **function("def solve(values, instance, seed):\n    return 1 / 0\n"),
    ),
    Case(
        name="exit",
        what="calls `sys.exit`",
        status="crashed",
        message="crashed: SystemExit: 0",
        **function("import sys\ndef solve(values, instance, seed):\n    sys.exit(0)\n"),
    ),
    Case(
        name="returns-none",
        what="returns nothing",
        status="unreadable",
        message="unreadable: the result must be a number; got None",
        **function("def solve(values, instance, seed):\n    pass\n"),
    ),
    Case(
        name="returns-a-coroutine",
        what="calls an `async` function without waiting for it",
        status="unreadable",
        message="unreadable: the result is a coroutine; write the function itself as async def",
        **function(
            "async def ask():\n    return 1\ndef solve(values, instance, seed):\n    return ask()\n"
        ),
    ),
    Case(
        name="returns-text",
        what="returns text",
        status="unreadable",
        message='unreadable: the result must be a number; got "17"',
        **function("def solve(values, instance, seed):\n    return '17'\n"),
    ),
    Case(
        name="returns-nan",
        what="returns NaN",
        status="unreadable",
        message="unreadable: the result must be a number; got nan",
        **function("def solve(values, instance, seed):\n    return float('nan')\n"),
    ),
    Case(
        name="returns-mapping",
        what="returns a mapping without `cost`",
        status="unreadable",
        message="unreadable: the answer must have 'cost'; got 'loss'; give it, or declare metrics",
        **function("def solve(values, instance, seed):\n    return {'loss': 1}\n"),
    ),
    Case(
        name="function-timeout",
        what="takes too long, and swallows every exception",
        status="timeout",
        message="timed out after 0.1 s",
        options={"timeout": 0.1},
        **function(
            "import time\n"
            "def solve(values, instance, seed):\n"
            "    try:\n        time.sleep(60)\n"
            "    except Exception:\n        return 1\n"
        ),
    ),
    Case(
        name="function-memory",
        what="runs out of memory",
        status="out of memory",
        message="out of memory: MemoryError",
        **function("def solve(values, instance, seed):\n    return bytearray(2**62)\n"),
    ),
)

CASES = (*COMMANDS, *FUNCTIONS)


def section() -> str:
    """The section of docs/bad-input.md."""
    rows = "".join(f"| {one.what} | {one.status} | {_code(one.message)} |\n" for one in CASES)
    return f"{HEADING}\n{INTRODUCTION}\n| Target | Status | Message |\n| --- | --- | --- |\n{rows}"


def written() -> str:
    """The section as it stands in the page."""
    text = PAGE.read_text()
    start = text.index(f"{HEADING}\n")
    end = text.find("\n## ", start)
    return text[start:] if end < 0 else text[start:end]


def write() -> None:
    """Put the section into the page."""
    text = PAGE.read_text() if PAGE.exists() else "# Bad input, and what is said about it\n"
    if f"{HEADING}\n" in text:
        text = text.replace(written(), section())
    else:
        text = f"{text.rstrip()}\n\n{section()}"
    PAGE.write_text(text)


def _code(message: str) -> str:
    return "`" + message.replace("|", r"\|") + "`"


if __name__ == "__main__":
    write()
