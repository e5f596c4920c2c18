"""Corrections of p-values for the number of comparisons, by name."""

from __future__ import annotations

from racing.analysis.compare.verdicts import Methods, method
from racing.stats.corrections import METHODS as BY
from racing.stats.corrections import bergmann_hommel, shaffer

_GARCIA = "García et al. (2010)"

CORRECTIONS: Methods = {
    "none": method("no correction", "", BY["none"]),
    "bonferroni": method(
        "Bonferroni's correction", "h·p for h comparisons", BY["bonferroni"]),
    "sidak": method(
        "Šidák's correction", "1 − (1 − p)^h for h comparisons", BY["sidak"], "independent"),
    "holm": method(
        "Holm's step-down procedure", "Holm (1979), as in García and Herrera (2008), section 3",
        BY["holm"], why="it holds under any dependence of the comparisons"),
    "hochberg": method(
        "Hochberg's step-up procedure",
        "Hochberg (1988); García and Herrera (2008) print max for min",
        BY["hochberg"], "independent"),
    "hommel": method(
        "Hommel's procedure", "Hommel (1988), as closed testing", BY["hommel"], "independent"),
    "finner": method(
        "Finner's step-down procedure", f"Finner (1993), as in {_GARCIA}", BY["finner"],
        "independent"),
    "li": method(
        "Li's two-step procedure", f"Li (2008), as in {_GARCIA}", BY["li"], "independent"),
    "rom": method(
        "Rom's step-up procedure", "Rom (1990), solved for the level", BY["rom"], "independent"),
    "benjamini-hochberg": method(
        "Benjamini and Hochberg's procedure", "Benjamini and Hochberg (1995)",
        BY["benjamini-hochberg"]),
    "shaffer": method(
        "Shaffer's static procedure",
        "Shaffer (1986), as in García and Herrera (2008), section 2.1", shaffer, "pairs logical",
        why="equality is transitive for this test, and the algorithms are too many for Bergmann "
        "and Hommel's procedure"),
    "bergmann-hommel": method(
        "Bergmann and Hommel's procedure",
        "Bergmann and Hommel (1988), all exhaustive sets, made monotone as in García and Herrera "
        "(2008), Table 5", bergmann_hommel, "pairs logical",
        why="equality is transitive for this test, which the correction uses"),
    "nemenyi": method(
        "Nemenyi's test",
        "Nemenyi (1963): studentized range with infinite degrees of freedom over √2, as in Demšar "
        "(2006), Table 5(a), but computed", BY["none"], "pairs"),
}  # fmt: skip
ALIASES = {"bh": "benjamini-hochberg", "fdr": "benjamini-hochberg", "bonferroni-dunn": "bonferroni"}
SHORTHANDS = {  # names of whole procedures: (test, correction)
    "nemenyi": ("mean-ranks", "nemenyi"),
    "bonferroni-dunn": ("mean-ranks", "bonferroni"),
}
