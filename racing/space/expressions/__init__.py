"""Conditions, forbidden clauses and bounds: text, tree, and their values over columns.

text ── parse ──▶ Node ── condition | quantity ──▶ Node ── holds | number ──▶ columns
     ◀─ render ──      names looked up, types checked      compiled, vectorised

parse, nodes            text → tree, and the functions of expressions
render                  tree → text
resolve                 looks up names, checks types
evaluate                tree → a vectorised function of columns
ranges                  the lowest and highest values of a tree

Another front end can pass nodes in place of text.
"""

from racing.space.expressions.evaluate import Columns, Compiled, holds, number
from racing.space.expressions.nodes import (
    FUNCTIONS,
    LOGICAL,
    OPPOSITE,
    SWAPPED,
    Active,
    And,
    Arithmetic,
    Call,
    Compare,
    Comparison,
    Member,
    Name,
    Negative,
    Node,
    Not,
    Number,
    Or,
    Text,
    Truth,
    constant,
    names,
)  # fmt: skip
from racing.space.expressions.parse import Dialect, parse
from racing.space.expressions.render import Writer, is_bare, number_text, render
from racing.space.expressions.resolve import condition, is_numeric, quantity

__all__ = [
    "FUNCTIONS", "LOGICAL", "OPPOSITE", "SWAPPED", "Active", "And", "Arithmetic", "Call", "Columns",
    "Compare", "Comparison", "Compiled", "Dialect", "Member", "Name", "Negative", "Node", "Not",
    "Number", "Or", "Text", "Truth", "Writer", "condition", "constant", "holds", "is_bare",
    "is_numeric", "names", "number", "number_text", "parse", "quantity", "render",
]  # fmt: skip
