"""Pictures → one HTML file that needs nothing else."""

from racing.report.page.comparison import comparison_data
from racing.report.page.data import page_data
from racing.report.page.html import html

__all__ = ["comparison_data", "html", "page_data"]
