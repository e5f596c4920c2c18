"""The counter of lines of code."""

from __future__ import annotations

from collections import Counter

from scripts.size import code_lines, rows

CODE = '''"""A module.

Of three lines.
"""

import math  # counted


# not counted
def area(r: float) -> float:
    """The area."""
    text = """a value,

    # of three lines but the blank one"""
    return math.pi * r**2 + len(text)


class Empty:
    """Only a docstring."""
'''


def test_docstrings_comments_and_blank_lines_do_not_count() -> None:
    assert code_lines(CODE) == len(["import", "def", "text =", "return", "class"])


def test_folders_stand_beside_what_they_were_and_the_largest_is_first() -> None:
    now, before = Counter({"racing/a": 10, "racing/b": 1200}), Counter({"racing/c": 5})
    assert [line.split() for line in rows(now, before)] == [
        ["racing/b", "0", "1,200", "+1,200"],
        ["racing/a", "0", "10", "+10"],
        ["racing/c", "5", "0", "-5"],
        ["all", "5", "1,210", "+1,205"],
    ]
    assert [line.split()[1] for line in rows(now, None)] == ["1,200", "10", "1,210"]
