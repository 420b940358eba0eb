"""``python -m arcade`` is the ``arcade`` command."""

from arcade.cli import app

app(prog_name="arcade")
