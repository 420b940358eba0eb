"""The documentation as a site: ``make docs``.  The pages of the reference are generated before they are read."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

from generate import write_reference  # noqa: E402

from arcade import __version__  # noqa: E402

project, author = "PettingZoo Arcade", "The PettingZoo Arcade authors"
copyright, version, release = f"2026, {author}", __version__, __version__

extensions = ["myst_parser", "sphinx_copybutton"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["README.md"]
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]
suppress_warnings = ["myst.xref_missing"]  # links to files beside docs/, which are no pages of the site

html_theme, html_title = "furo", project
html_static_path: list[str] = []
html_copy_source = False


def setup(app: object) -> None:
    """Write the generated pages into ``docs/reference``."""
    write_reference(ROOT / "docs" / "reference")
