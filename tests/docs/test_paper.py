"""A paper's table and diagram, made by the lines of the guide, are what LaTeX sets."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT, Reader, blocks

PAPER = r"""\documentclass{article}
\usepackage{booktabs,graphicx}
\begin{document}
\input{table.tex}
\includegraphics{diagram.pdf}
\end{document}
"""


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    """The folder in which the lines of the guide were run."""
    guide = (ROOT / "docs" / "howto" / "compare.md").read_text(encoding="utf-8")
    (block,) = (one for one in blocks(guide) if "cd_diagram" in one.text)
    assert len([line for line in block.text.splitlines() if line and "import" not in line]) <= 5
    reader = Reader(tmp_path)
    (tmp_path / "guide.md").write_text(f"```python\n{block.text}```\n", encoding="utf-8")
    reader.read(tmp_path / "guide.md")
    assert not reader.failed
    return tmp_path


def test_the_files_are_there(paper: Path) -> None:
    assert (paper / "table.tex").read_text(encoding="utf-8").count(r"\begin{tabular}") == 2
    assert (paper / "diagram.pdf").read_bytes().startswith(b"%PDF")
    assert "</html>" in (paper / "page.html").read_text(encoding="utf-8")


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="there is no pdflatex on this machine")
def test_latex_sets_them(paper: Path) -> None:
    (paper / "paper.tex").write_text(PAPER, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(command, cwd=paper, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
