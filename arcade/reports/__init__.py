"""Reports of a ladder: one HTML page, with every picture and table also as a file."""

from arcade.reports.report import check_libraries, write_report

__all__ = ["check_libraries", "write_report"]
