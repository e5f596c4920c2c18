"""Pictures → one HTML file that needs nothing else."""

from racing.report.page.data import page_data
from racing.report.page.html import html

__all__ = ["html", "page_data"]
