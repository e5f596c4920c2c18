"""The code blocks of a page, run from top to bottom in one folder, as a reader would.

    WRITE_DOCS=1 pytest tests/docs       writes what the commands print now into the pages

- A block whose first line is a comment with the name of a file (`# race.yaml`) becomes that file.
- ```python is run; a ```text block right after it is what it prints. A file that a command of the
  page runs later is not run before.
- ```console holds commands, each after `$ `, and what they print on stdout. `racing` is called in
  this process, which has imported it already; others have a process of their own. `make`, `git`
  and `pip` are only checked: whether there is such a target or extra. What ends in ` &` goes on
  until the page is read; the next command waits for its first line.
- ```yaml is a sound scenario, or a part of one.

In what is printed, … stands for anything, and times are not compared.
"""

from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
import sys
import tomllib
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from unittest.mock import patch

from racing.base.errors import ScenarioError
from racing.cli import main
from racing.scenario import reads
from tests.scenario.bad_scenarios import scenario

ROOT = Path(__file__).parents[2]
STARTER = ROOT / "racing" / "cli" / "starter" / "race.yaml"
_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FILE = re.compile(r"# ([\w./-]+\.\w+)$")
_SPECULATION = "Of the evaluations begun, "
_TIME = re.compile(r"\b\d+(?:\.\d+)?(?:ms|s|min|h)\b")


@dataclass(frozen=True)
class Block:
    """A block of a page: its language, its text, and where the text begins and ends there."""

    language: str
    text: str
    start: int
    end: int

    @property
    def file(self) -> str | None:
        """The file that it says it is."""
        match = _FILE.match(self.text.partition("\n")[0])
        return match[1] if match else None


def blocks(page: str) -> list[Block]:
    """The blocks of a page with a language, in order."""
    return [Block(m[1], m[2], m.start(2), m.end(2)) for m in _BLOCK.finditer(page)]


def commands(block: Block) -> list[tuple[str, str]]:
    """(command, what it is said to print) of a console block."""
    parts = re.split(r"^\$ ", block.text, flags=re.MULTILINE)
    assert not parts[0], f"a console block begins with a command: {block.text}"
    return [(first, rest) for first, _, rest in (part.partition("\n") for part in parts[1:])]


def agrees(said: str, printed: str) -> bool:
    """Whether a text is what the page says, but for times and what stands as …."""
    pattern = re.escape(_plain(said)).replace("…", ".*?")
    return re.fullmatch(pattern, _plain(printed), re.DOTALL) is not None


def _plain(text: str) -> str:
    """Without times, and without what idle workers speculated on, which depends on times."""
    lines = (line.rstrip() for line in _TIME.sub("0s", text).strip().splitlines())
    return "\n".join(line for line in lines if not line.startswith(_SPECULATION))


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


class Reader:
    """Runs the blocks of a page in a folder, and gathers what the page has wrong."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.wrong: list[str] = []  # what the page says otherwise
        self.failed: list[str] = []  # what cannot be run or read at all
        for name in ("configs", "examples", "tests", "docs"):
            (folder / name).symlink_to(ROOT / name)
        self._programs = frozenset[str]()  # files that commands of the page run
        self._background: list[subprocess.Popen[str]] = []
        scripts = Path(sys.executable).parent
        self.environment = {
            **os.environ,
            "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}",
            "COLUMNS": "100",
            "PYTHONPATH": str(ROOT),
            "OPENAI_BASE_URL": f"http://127.0.0.1:{_free_port()}/v1",
            "SERVICE": f"http://127.0.0.1:{_free_port()}",
        }

    def read(self, page: Path) -> str:
        """Run every block; the page with what was printed now comes back."""
        text = page.read_text(encoding="utf-8")
        self._programs = frozenset(re.findall(r"^\$ python (\S+\.py)$", text, re.MULTILINE))
        changes: list[tuple[Block, str]] = []
        last = ""
        try:
            for block in blocks(text):
                new = self._run(block, last)
                last = self._output if block.language == "python" else ""
                changes.append((block, new))
        finally:
            self._end()
        for block, new in reversed(changes):
            text = text[: block.start] + new + text[block.end :]
        return text

    _output = ""

    def _run(self, block: Block, before: str) -> str:
        """Run a block, and say what it should read."""
        if block.file:
            path = self.folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        match block.language:
            case "python" if block.file in self._programs:
                self._output = ""
            case "python":
                self._output = self._call([sys.executable, "-W", "error", "-c", block.text])
            case "text":
                return self._compared(block.text, before)
            case "console":
                return self._console(block)
            case "yaml" if block.file == "tuning/race.yaml":
                made = f"# tuning/race.yaml\n{without_comments()}"
                (self.folder / block.file).write_text(made, encoding="utf-8")
                return self._compared(block.text, made)
            case "yaml":
                self._check_scenario(block)
        return block.text

    def _console(self, block: Block) -> str:
        new = ""
        for command, said in commands(block):
            arguments = shlex.split(command, comments=True)
            new += f"$ {command}\n"
            if arguments[0] in ("make", "git", "pip", "cd"):
                self._check(arguments)
                new += said
            elif arguments[-1] == "&":
                self._begin(arguments[:-1])
                new += said
            else:
                new += self._compared(said, self._call(arguments), where=command)
        return new

    def _check_scenario(self, block: Block) -> None:
        """Read it, each of its keys in place of that of a sound scenario unless it is a file."""
        given = {part.partition(":")[0]: None for part in block.text.splitlines() if part[0] != " "}
        whole = block.text if block.file else scenario(**given) + block.text
        for name in ("a", "b", "c", "d", "e"):
            (self.folder / "data").mkdir(exist_ok=True)
            (self.folder / "data" / f"{name}.txt").touch()
        try:
            reads(whole, str(self.folder / (block.file or "race.yaml")))
        except ScenarioError as error:
            self.failed.append(f"{block.text}\n{error}")

    def _compared(self, said: str, printed: str, where: str = "") -> str:
        if not said.strip() and where:  # nothing is said about what it prints
            return said
        if agrees(said, printed):
            return said
        self.wrong.append(f"{where}\n--- the page says\n{said}--- but it is\n{printed}")
        return said if "…" in said else printed

    def _call(self, arguments: list[str]) -> str:
        if arguments[0] == "racing":
            code, out, err = self._here(arguments[1:])
        else:
            done = subprocess.run(
                arguments, cwd=self.folder, env=self.environment, capture_output=True, text=True
            )
            code, out, err = done.returncode, done.stdout, done.stderr
        if code:
            self.failed.append(f"{arguments} ended with {code}:\n{err}")
        return out

    def _here(self, arguments: list[str]) -> tuple[int, str, str]:
        """Exit code, stdout and stderr of a `racing` command in this process."""
        out, err = StringIO(), StringIO()
        with (
            chdir(self.folder),
            patch.dict(os.environ, self.environment),
            redirect_stdout(out),
            redirect_stderr(err),
        ):
            try:
                code = main(arguments)
            except SystemExit as end:  # by which argparse leaves
                code = int(end.code or 0)
        return code, out.getvalue(), err.getvalue()

    def _begin(self, arguments: list[str]) -> None:
        """Start what goes on, and wait until it has said something."""
        process = subprocess.Popen(
            arguments, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, text=True
        )
        self._background.append(process)
        assert process.stdout is not None
        assert process.stdout.readline(), f"{arguments} ended at once"

    def _end(self) -> None:
        """End what goes on."""
        for process in self._background:
            process.terminate()
            process.communicate()

    def _check(self, arguments: list[str]) -> None:
        if arguments[0] == "make":
            makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
            assert re.search(rf"^{arguments[1]}:", makefile, re.MULTILINE), arguments
        if arguments[0] == "pip":
            for extra in re.findall(r"\[([\w,]+)\]", " ".join(arguments)):
                assert set(extra.split(",")) <= extras(), arguments


def extras() -> set[str]:
    """The names of the optional dependencies."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return set(settings["project"]["optional-dependencies"])


def without_comments() -> str:
    """The scenario that `racing init` writes, without its comments."""
    lines = STARTER.read_text(encoding="utf-8").splitlines()
    bare = (re.sub(r"(^|\s)\s*# .*$|(^|\s)\s*#$", "", line).rstrip() for line in lines)
    return "".join(f"{line}\n" for line in bare if line)
