"""How commands are run in tests: in this process, with what they say on either side."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from racing.cli import main


@dataclass
class Said:
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """Its result as JSON."""
        return json.loads(self.out)


@pytest.fixture
def racing(capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """Run a command; `SystemExit`, by which argparse leaves, counts too."""

    def run(*arguments: object) -> Said:
        capsys.readouterr()
        before = signal.getsignal(signal.SIGINT)
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as end:
            code = int(end.code or 0)
        assert signal.getsignal(signal.SIGINT) is before, "a handler was left behind"
        captured = capsys.readouterr()
        return Said(code, captured.out, captured.err)

    return run
