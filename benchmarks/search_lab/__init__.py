"""Searches over targets whose truth is known: what they find, beside irace 4.4.

dimensions.py   what the spaces of the targets are made of
families.py     the eight families of targets: their spaces and what is drawn for a landscape
landscapes.py   a member of a family, drawn from its number: its costs, its default, the truth
native.py       the compiled cost functions in native/, built with gcc when first used
figures.py      the figures to compare with, in data/
measure.py      searches over landscapes and seeds, and their regret
tables.py       regret by family and budget, and paired differences
"""
