"""``python -m arcade`` is the ``arcade`` command."""

from arcade.commands.cli import app

app(prog_name="arcade")
