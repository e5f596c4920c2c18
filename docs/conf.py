"""How Sphinx makes the site from docs/ (`make docs`)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import racing

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "racing"
author = "the racing developers"
copyright = "2026, the racing developers"
version = release = racing.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "outside_links",
    "public_api",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
]
exclude_patterns = ["_ext"]

# Every reference to a name of this package must resolve; `make docs` makes warnings errors.
# Docstrings put parameters and values in the same single quotes as names: those stay code.
nitpicky = True
nitpick_ignore_regex = [
    ("py:obj", r"(?s).*"),
    (
        "py:.*",
        r"(numpy|np|collections|typing|os|pathlib|types|enum|contextlib|sqlite3|pydantic|pandas|optuna)"
        r"\b.*",
    ),
    ("py:.*", r".*\b_\w+.*"),  # private bases and aliases
    (
        "py:.*",
        r"ArrayLike|NDArray|PoolLike|LogOf|Path|Values?|Choices|Floats|Estimates|tuple\[.*"
        r"|TypeAliasForwardRef|Count|HalfLevel|Risk|float \|.*|ModelName"
        r"|View|Field|Statements|Growth|Factor|NonNegative|racing\.search\.challenger\.Challenger",
    ),
]
suppress_warnings = ["myst.header"]  # a page may begin its sections at the third level

myst_heading_anchors = 4
myst_links_external_new_tab = True

default_role = "py:obj"
numpydoc_show_class_members = False
autodoc_member_order = "bysource"
autodoc_type_aliases = {
    **{name: name for name in ("ArrayLike", "Value", "Values")},
    "Command": "racing.evaluate.command.Command",  # an evaluator imports it only where it runs
}
python_maximum_signature_line_length = 88

copybutton_prompt_text = r"\$ |>>> "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True

html_theme = "furo"
html_title = f"racing {release}"
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["cards.css"]
html_js_files = ["moved.js"]
html_favicon = "_static/favicon.svg"
html_search_scorer = str(Path(__file__).parent / "_ext" / "scorer.js")
if repository := os.environ.get("RACING_REPOSITORY", "").rstrip("/"):  # as in setup.py
    html_theme_options = {
        "source_repository": f"{repository}/",
        "source_branch": "main",
        "source_directory": "docs/",
    }
