"""Checks of the source that `make check` runs beside ruff, mypy and import-linter."""
