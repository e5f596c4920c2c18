"""Lines of code by folder: without docstrings, comments and blank lines.

python -m scripts.size                       the folders of racing/
python -m scripts.size tests benchmarks      other folders
python -m scripts.size --before v0.1.0       beside an earlier commit
"""

from __future__ import annotations

import argparse
import ast
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath

DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def code_lines(code: str) -> int:
    """The lines of Python code that are no docstring, no comment and not blank."""
    lines = map(str.strip, code.splitlines())
    left = {n for n, line in enumerate(lines, 1) if line and not line.startswith("#")}
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            first = node.body[0]
            left -= set(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return len(left)


def sizes(folders: list[str], commit: str) -> Counter[str]:
    """The lines of code of each folder: of `racing`, of each folder in it."""
    found: Counter[str] = Counter()
    for path in _git("ls-tree", "-r", "--name-only", commit, *folders).splitlines():
        if path.endswith(".py"):
            parts = PurePosixPath(path).parts
            found["/".join(parts[: 2 if len(parts) > 2 else 1])] += code_lines(
                _git("show", f"{commit}:{path}")
            )
    return found


def rows(now: Counter[str], before: Counter[str] | None) -> Iterator[str]:
    """A line for each folder, the largest first, and for all."""
    total = Counter({"all": now.total()})
    earlier = None if before is None else before | Counter({"all": before.total()})
    names = sorted({*now, *(before or ())}, key=lambda name: -now[name])
    for name in (*names, "all"):
        size = (now | total)[name]
        if earlier is None:
            yield f"{name:24}{size:8,}"
        else:
            yield f"{name:24}{earlier[name]:8,}{size:8,}{size - earlier[name]:+8,}"


def _git(*arguments: str) -> str:
    return subprocess.run(("git", *arguments), capture_output=True, text=True, check=True).stdout


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Lines of code by folder.")
    parser.add_argument("folders", nargs="*", default=["racing"])
    parser.add_argument("--before", metavar="COMMIT", help="an earlier commit to print beside it")
    args = parser.parse_args()
    before = None if args.before is None else sizes(args.folders, args.before)
    print(*rows(sizes(args.folders, "HEAD"), before), sep="\n")


if __name__ == "__main__":
    main()
