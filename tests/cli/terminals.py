"""Record what commands leave on terminals of 48, 80 and 160 columns, by tmux.

    python -m tests.cli.terminals FOLDER [WORD...]

Words choose the runs whose names have one of them. Needs tmux.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import yaml

from racing.cli import main as racing
from tests.analysis.portfolio.kit import write_team_search
from tests.analysis.test_unseen_front import FRONT, SCENARIO, TARGET
from tests.waiting import eventually

WIDTHS = (48, 80, 160)
TABLE = Path(__file__).parents[2] / "examples" / "compare" / "garcia_herrera_2008_table2.csv"
RESULTS = ("show", "explain", "portfolio", "plan", "watch")


class Terminal:
    """A terminal of so many columns, in a folder."""

    def __init__(self, columns: int, folder: Path) -> None:
        self.name = f"racing-{columns}"
        self.tmux("new-session", "-d", "-x", str(columns), "-y", "60", "-c", str(folder), "sh")
        self.type(f"alias racing='{sys.executable} -m racing'; PS1='$ '")

    def tmux(self, *words: str) -> str:
        command = ["tmux", "-L", self.name, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def type(self, line: str) -> None:
        self.tmux("send-keys", "-l", f"{line}\n")

    def screen(self) -> str:
        """All lines, those that have scrolled away too."""
        return self.tmux("capture-pane", "-p", "-S", "-").rstrip() + "\n"

    def run(self, command: str, *, look: float = 0) -> Iterator[str]:
        """The screen while a command runs, after so many seconds, if any; and at its end."""
        self.type("clear")
        time.sleep(0.5)
        self.tmux("clear-history")
        self.type(f"{command}; echo exit $?")
        if look:
            time.sleep(look)
            yield self.screen()
        eventually(lambda: "\nexit " in self.screen(), within=300)
        yield self.screen()

    def close(self) -> None:
        self.tmux("kill-server")


def _race(folder: Path) -> None:
    racing(["init", str(folder)])


def _search(folder: Path) -> None:
    racing(["init", str(folder)])
    path = folder / "race.yaml"
    told = yaml.safe_load(path.read_text())
    del told["candidates"]
    path.write_text(yaml.safe_dump({**told, "search": True, "budget": 200}))


def _front(folder: Path) -> None:
    (folder / "target.py").write_text(TARGET)
    given = ", ".join(f"i{k}" for k in range(20))
    candidates = "{default: true, sample: 14}"
    (folder / "race.yaml").write_text(
        SCENARIO.format(waste=0.3, candidates=candidates, instances=given, objective=FRONT)
    )


def _team(folder: Path) -> None:
    write_team_search(folder).rename(folder / "race.yaml")


RUNS: dict[str, tuple[Callable[[Path], None], str]] = {
    "race": (_race, "new-1 new-2 new-3 new-4 new-5 new-6 new-7 new-8"),
    "search": (_search, "new-1 new-2 new-3 new-4 new-5 new-6 new-7 new-8"),
    "front": (_front, " ".join(f"h{k}" for k in range(30, 42))),
    "team": (_team, " ".join(f"{kind}-new-{k}" for k in range(4) for kind in ("sat", "php", "k"))),
}


def commands(unseen: str) -> dict[str, tuple[str, float]]:
    """Name → a command, and the seconds after which one looks at it while it runs."""
    return {
        "check": ("racing check race.yaml", 0),
        "run": ("racing run race.yaml --log run.sqlite", 3),
        "resume": ("racing resume run.sqlite --budget +20", 0),
        "test": (f"racing test run.sqlite {unseen}", 0),
        **{name: (f"racing {name} {'race.yaml' if name == 'plan' else 'run.sqlite'}", 0)
           for name in RESULTS},
        "error": ("racing run race.yaml --set budgets=3 --set instances.lists=[1]", 0),
        "no-file": ("racing show a/rather/long/path/to/a/file/that/is/not/there/run.sqlite", 0),
    }  # fmt: skip


def main(out: Path, words: list[str]) -> int:
    """Record them all."""
    out.mkdir(parents=True, exist_ok=True)
    for columns in WIDTHS:
        for name, (write, unseen) in {**RUNS, "table": (lambda _: None, "")}.items():
            if words and not any(word in name for word in words):
                continue
            with tempfile.TemporaryDirectory() as work:
                folder = Path(work, name)
                folder.mkdir()
                write(folder)
                listed = commands(unseen)
                if name == "table":
                    listed = {"compare": (f"racing compare {TABLE} --maximize", 0)}
                _record(Terminal(columns, folder), listed, out / f"{name}-{columns}.txt")
    return 0


def _record(terminal: Terminal, listed: dict[str, tuple[str, float]], file: Path) -> None:
    try:
        said = [screen for command, look in listed.values()
                for screen in terminal.run(command, look=look)]  # fmt: skip
    finally:
        terminal.close()
    file.write_text(("\n" + "=" * 48 + "\n").join(said))
    print(file)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
