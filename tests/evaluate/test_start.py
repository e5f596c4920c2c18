"""Programs are found as they would be started, or the message says how to fix it."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from racing.base.errors import TargetError
from racing.evaluate.start import explain, find_program


def test_a_program_on_the_path_and_one_in_the_folder(tmp_path: Path) -> None:
    assert Path(find_program("sh", tmp_path)).name == "sh"
    solver = tmp_path / "solver"
    solver.write_text("#!/bin/sh\n")
    solver.chmod(0o755)
    assert find_program("./solver", tmp_path) == str(tmp_path / "./solver")


def test_what_cannot_be_started_is_refused(tmp_path: Path) -> None:
    """See also docs/bad-input.md."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "crlf").write_bytes(b"#!/bin/sh\r\n")
    (tmp_path / "crlf").chmod(0o755)
    for program, said in (("./folder", "is a folder"), ("./crlf", r"be run: '#!/bin/sh\\r'")):
        with pytest.raises(TargetError, match=said):
            find_program(program, tmp_path)


def test_errors_of_the_system_are_explained(tmp_path: Path) -> None:
    solver = tmp_path / "solver"
    solver.write_text("#!/no/such/interpreter\n")
    solver.chmod(0o755)

    def said(error: OSError | ValueError, cwd: Path = tmp_path) -> str:
        return explain(error, ["./solver"], str(cwd))

    assert "'#!/no/such/interpreter'" in said(OSError(errno.ENOENT, "no file"))
    solver.write_text("\x7fELF")
    assert "is being written" in said(OSError(errno.ETXTBSY, "busy"))
    assert "names its interpreter" in said(OSError(errno.ENOEXEC, "exec format"))
    assert "longer than the system allows" in said(OSError(errno.E2BIG, "too long"))
    assert said(OSError(errno.EMFILE, "too many open files")) == "too many open files"
    assert "in an argument" in said(ValueError("embedded null byte"))
    assert "does not exist" in said(OSError(errno.ENOENT, "no file"), tmp_path / "none")
