"""The tables of a document: as LaTeX source, in booktabs style, and as CSV files."""

from __future__ import annotations

import csv
import re
from pathlib import Path

from racing.answer.document import Document, TextTable, bare, spelled
from racing.base.errors import InputError
from racing.base.plain import harmless

_GREEK_NAMES = (
    "alpha beta gamma delta varepsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau "
    "varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"
)
_GREEK = {
    letter: f"$\\{name}$"
    for letter, name in zip("αβγδεζηθκλμνξπρστφχψωΓΔΘΛΞΠΣΦΨΩ", _GREEK_NAMES.split(), strict=True)
}
_MARKS = {
    "\\": r"\textbackslash{}",
    **{mark: "\\" + mark for mark in "&%$#_{}"},
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "`": r"\textasciigrave{}",
    '"': r"\textquotedbl{}",
    "−": "$-$",
    "–": "--",
    "∞": r"$\infty$",
    "χ²": r"$\chi^2$",
    "η²": r"$\eta^2$",
    "²": "$^2$",
    "√": r"$\surd$",
    "·": r"$\cdot$",
    "≤": r"$\le$",
    "≥": r"$\ge$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "<": "$<$",
    ">": "$>$",
    "|": r"\textbar{}",
    **_GREEK,
}
_IN_NAMES = {  # what LaTeX would make another sign of, or read as an argument of \\
    "--": r"-{}-",
    ",,": r",{},",
    "''": r"'{}'",
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "–": r"\textendash{}",
}
_POWER = re.compile(r"(?<![\w.])(\d(?:\.\d+)?)e([+-])0*(\d+)(?!\w)")
_MARKED_POWER = re.compile("\x00([^\x00]*)\x00([^\x00]*)\x00")


def _any_of(marks: dict[str, str]) -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, sorted(marks, key=len, reverse=True))))


_NAME_MARKS = {**_MARKS, **_IN_NAMES}
_WORDS, _NAMES = _any_of(_MARKS), _any_of(_NAME_MARKS)


def latex(document: Document, *, longtable: bool = False) -> str:
    """The tables with captions; need the package booktabs, and longtable if that is asked for.

    Names are escaped; letters outside Latin and Greek need XeLaTeX or LuaLaTeX and a font that has
    them. The best of a column is bold.
    """
    packages = ["booktabs", *(["longtable"] if longtable else [])]
    setting = _long_table if longtable else _table
    tables = [setting(part) for part in document if isinstance(part, TextTable)]
    return "".join(f"% \\usepackage{{{name}}}\n" for name in packages) + "\n".join(tables)


def escape_latex(words: str) -> str:
    """Text as LaTeX source: special characters escaped, powers of ten and signs in math mode.

    Names between marks are escaped letter by letter: 1e5 stays a name.
    """
    return spelled(words, escape_name, _escape_words)


def escape_name(name: str) -> str:
    """A name as LaTeX source that sets exactly this name."""
    return _NAMES.sub(lambda found: _NAME_MARKS[found[0]], name)


def _escape_words(words: str) -> str:
    with_powers = _POWER.sub(_power_mark, words)
    escaped = _WORDS.sub(lambda found: _MARKS[found[0]], with_powers)
    return _MARKED_POWER.sub(lambda found: f"${found[1]}\\cdot 10^{{{found[2]}}}$", escaped)


def _power_mark(found: re.Match[str]) -> str:
    sign = "-" if found[2] == "-" else ""
    return f"\x00{found[1]}\x00{sign}{found[3]}\x00"


def _table(table: TextTable) -> str:
    return rf"""\begin{{table}}
  \centering
  \caption{{{escape_latex(table.caption)}}}
  \label{{tab:{table.key}}}
  \begin{{tabular}}{{{_form(table)}}}
    \toprule
    {_heads(table)}
    \midrule
{_rows(table, "    ")}
    \bottomrule
  \end{{tabular}}
\end{{table}}
"""


def _long_table(table: TextTable) -> str:
    head = f"  \\toprule\n  {_heads(table)}\n  \\midrule"
    return rf"""\begin{{longtable}}{{{_form(table)}}}
  \caption{{{escape_latex(table.caption)}}}\label{{tab:{table.key}}} \\
{head}
  \endfirsthead
{head}
  \endhead
  \bottomrule
  \endfoot
{_rows(table, "  ")}
\end{{longtable}}
"""


def _form(table: TextTable) -> str:
    return "".join("r" if column.startswith(">") else "l" for column in table.columns)


def _heads(table: TextTable) -> str:
    return " & ".join(escape_latex(column.removeprefix(">")) for column in table.columns) + r" \\"


def _rows(table: TextTable, margin: str) -> str:
    rows = table.spelled(escape_latex, r"\textbf{{{}}}")
    return "\n".join(margin + " & ".join(row) + r" \\" for row in rows)


# --- CSV ---------------------------------------------------------------------------------------


def write_tables(document: Document, folder: str | Path) -> list[Path]:
    """Write the tables of a document into a folder: ranks.csv, comparisons.csv and others.

    Numbers are rounded as in the report; `--json` has them unrounded. A name that begins like a
    formula gets a ' before it, so that no spreadsheet computes it.

    Raises
    ------
    InputError
        If the folder or a file cannot be written.
    """
    folder = Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tables = [part for part in document if isinstance(part, TextTable)]
        return [_write(table, folder / f"{table.key}.csv") for table in tables]
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror}") from error


def _write(table: TextTable, path: Path) -> Path:
    heads = [column.removeprefix(">") or "shown to differ" for column in table.columns]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(heads)
        writer.writerows(
            [harmless(bare(cell).replace("−", "-")) for cell in row] for row in table.rows
        )
    return path
