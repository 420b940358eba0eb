"""A ladder as files to hand on: one page that holds all of it, and every picture and table of it by itself."""

from arcade.reports.report import Chapter, chapter_of, check_libraries, write_report

__all__ = ["Chapter", "chapter_of", "check_libraries", "write_report"]
