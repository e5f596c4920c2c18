"""Pictures → one HTML file that needs nothing else.

data          the data of any page, and of a run's
several       several runs as the data of one page
comparison    a finished table of results as the data of a page
runs          a comparison of runs as the data of a page
metrics       a comparison by several metrics as the data of a page
portfolio     a team as the data of a page
html          the file from a page's data
"""

from racing.report.page.comparison import comparison_data
from racing.report.page.data import page_data, read_page_data
from racing.report.page.html import html, write_page
from racing.report.page.metrics import metric_comparison_data
from racing.report.page.runs import run_comparison_data

__all__ = [
    "comparison_data",
    "html",
    "metric_comparison_data",
    "page_data",
    "read_page_data",
    "run_comparison_data",
    "write_page",
]
