"""Record the terminal of the search in README.md, which really runs, as an SVG picture.

    python docs/home/terminal.py

Needs a POSIX system. Only the times differ from run to run.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios
from html import unescape
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

HERE = Path(__file__).resolve().parent
SVG = HERE / "terminal.svg"
COMMAND = ("racing", "run", "search.yaml", "--log", "search.sqlite")
TITLE = "A search: new bests with the time left, the winner, and its gain on unseen problems"
_COLUMNS, _ROWS = 104, 40
_OF_THE_TERMINAL = {"COLUMNS", "LINES", "TERM", "NO_COLOR", "FORCE_COLOR"}
_FONTS = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)  # which a page would fetch
_TIME = re.compile(r"(?<![\w.])(\d+(\.\d+)?(ms|[smhd])\b ?)+(?<! )")


def scenario() -> str:
    """The scenario of README.md."""
    page = (HERE.parents[1] / "README.md").read_text(encoding="utf-8")
    found = re.search(r"```yaml\n(# tuning/search\.yaml\n.*?)```", page, re.DOTALL)
    assert found is not None
    return found[1]


def record(folder: Path) -> list[str]:
    """The lines that stay on a terminal, after `racing init` in this empty folder and the run."""
    program = [sys.executable, "-m", "racing"]
    subprocess.run([*program, "init", str(folder)], check=True, capture_output=True)
    (folder / "search.yaml").write_text(scenario(), encoding="utf-8")
    # not those of where it is run; readline, where it is loaded, sets COLUMNS unseen by Python
    kept = {k: v for k, v in os.environ.items() if k not in _OF_THE_TERMINAL}
    environment = kept | {"TERM": "xterm-256color"}
    size = struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0)
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, size)  # before the program asks for it
        os.chdir(folder)
        os.execve(sys.executable, [*program, *COMMAND[1:]], environment)
    output = b""
    try:
        while part := os.read(terminal, 65536):
            output += part
    except OSError:  # how Linux says that the program has ended
        pass
    os.waitpid(pid, 0)
    return left(output.decode())


def left(output: str) -> list[str]:
    """The lines that stay: what was overwritten or deleted is gone."""
    lines: list[str] = []
    for line in output.replace("\x1b[?25l", "").replace("\x1b[?25h", "").split("\n"):
        if "\x1b[1A" in line:
            lines.pop()
        lines.append(re.split(r"\x1b\[2K|\r(?=.)", line)[-1].rstrip("\r"))
    return lines


def draw(lines: list[str]) -> str:
    """The picture of a terminal with these lines."""
    console = Console(record=True, width=_COLUMNS, file=StringIO(), color_system="truecolor")
    console.print(Text(f"$ {' '.join(COMMAND)}", style="bold"))
    for line in lines:
        bold = line.startswith("Winner") or "unseen problems" in line
        console.print(Text(line, style="bold" if bold else ""))
    svg = console.export_svg(title="racing", unique_id="terminal")
    name = f"<title>{TITLE}</title>"
    return _FONTS.sub("", svg).replace("<style>", f"{name}<style>", 1)


def said(svg: str) -> list[str]:
    """The text of a picture; … in place of times, which differ."""
    found = re.findall(r"<text [^>]*>([^<]*)</text>", svg)
    return [_TIME.sub("…", unescape(one).replace("\xa0", " ")) for one in found]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as work:
        SVG.write_text(draw(record(Path(work))), encoding="utf-8")
    print(f"{SVG}: {SVG.stat().st_size} bytes")
