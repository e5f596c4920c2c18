"""Print the lowest versions that pyproject.toml allows, as requirements that pip installs.

    python -m scripts.lowest > lowest.txt

Every dependency of the package and of its extras has a lower bound: `numpy>=1.26` becomes
`numpy==1.26`. Tools that users never run with racing (linters, types, the site) are left out, and
so are the programs that benchmarks measure against.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

LEFT_OUT = ("docs", "peers")
TOOLS = ("ruff", "mypy", "import-linter", "types-", "scipy-stubs", "pre-commit")
INDIRECT = ("pyparsing==3.1.0",)
"""Not ours to bound, but the newest ones warn of what the lowest versions above do."""
_BOUND = re.compile(r"([\w.-]+)(?:\[[\w,]+\])?>=([\w.]+)(?:,<[\w.]+)?$")


def lowest(requirements: list[str]) -> list[str]:
    """Each requirement at its lower bound, once.

    Raises
    ------
    ValueError
        If one has no lower bound, or two bounds.
    """
    pins: dict[str, str] = {}
    for requirement in requirements:
        if requirement.startswith(TOOLS):
            continue
        match = _BOUND.match(requirement.replace(" ", ""))
        if match is None:
            raise ValueError(f"{requirement}: expected a lower bound such as numpy>=1.26")
        name, version = match.groups()
        if pins.setdefault(name, version) != version:
            raise ValueError(f"{name}: two lower bounds, {pins[name]} and {version}")
    return [f"{name}=={version}" for name, version in pins.items()]


def main() -> None:
    """Print one requirement per line."""
    root = Path(__file__).resolve().parent.parent
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    chosen = [extra for extra in extras if extra not in LEFT_OUT]
    wanted = [*project["dependencies"], *(r for extra in chosen for r in extras[extra])]
    try:
        print("\n".join([*lowest(wanted), *INDIRECT]))
    except ValueError as error:
        sys.exit(f"pyproject.toml: {error}")


if __name__ == "__main__":
    main()
