"""Searches over targets whose truth is known: what they find, beside irace 4.4.

dimensions.py   what the spaces of the targets are made of
families.py     the eight families of targets: their spaces and what is drawn for a landscape
spaces.py       the same spaces as this package knows them
landscapes.py   a member of a family, drawn from its number: its costs, its default, the truth
native.py       the compiled cost functions in native/, built with gcc when first used
figures.py      the figures to compare with, in data/
best.py         the best of a landscape, sought with the truth in sight
measure.py      one search on one landscape, and what it came to
planned.py      how far what `racing plan` says is off
page.py         the tables of docs/evidence/search.md
tables.py       regret by family and budget, and paired differences
"""
