"""Pictures → one HTML file that needs nothing else.

data          the data of any page: of a run, of several, of a team
compared      finished results as the data of a page
html          the file from a page's data
"""

from racing.report.page.compared import compared_data
from racing.report.page.data import page_data, read_page_data
from racing.report.page.html import html, write_page

__all__ = [
    "compared_data",
    "html",
    "page_data",
    "read_page_data",
    "write_page",
]
