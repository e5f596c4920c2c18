"""Versions, for reports of errors: `racing --version --verbose`."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version

from racing.base.version import __version__
from racing.evaluate.engines import ENGINES

_REQUIREMENT = re.compile(r"([\w.-]+)[^;]*(?:;.*extra == ['\"](\w+)['\"])?")
_OF_DEVELOPERS = {"dev", "docs", "peers", "examples"}


def text() -> str:
    """The version, the interpreter, the platform, libraries and engines."""
    lines = [
        f"racing {__version__}",
        f"Python {platform.python_version()} ({platform.python_implementation()})",
        f"{platform.platform()}, {os.cpu_count()} cores",
        *(f"{name} {_installed(name)}{needed}" for name, needed in _libraries()),
        f"engines: {', '.join(ENGINES)}",
    ]
    return "\n".join(lines)


def _libraries() -> Iterator[tuple[str, str]]:
    """Each library once, with what needs it: nothing, as racing always does, or an extra."""
    seen = set(_OF_DEVELOPERS)
    for requirement in requires("racing") or ():
        match = _REQUIREMENT.match(requirement)
        assert match is not None
        name, extra = match.groups()
        if name not in seen and extra not in _OF_DEVELOPERS:
            seen.add(name)
            yield name, f" (extra {extra})" if extra else ""


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
