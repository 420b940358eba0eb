"""The ``arcade`` command, also ``python -m arcade``."""

from __future__ import annotations

import sys

from agents.errors import UserError
from agents.interrupts import silent_interrupts
from agents.plain_text import plain
from arcade.commands.completion import command_name, is_completing
from arcade.exit import end_within


def main() -> None:
    """Run the command; the process ends soon after it, whatever is stuck, so only programs call it."""
    try:
        _run()
    finally:
        end_within()


def _run() -> None:
    """Open the title, or run a command: typer and the commands are a quarter of the time to the first frame."""
    if sys.argv[1:] in ([], ["play"]) and not is_completing():
        with silent_interrupts():
            from arcade.window import NoDisplayError, open_window

        try:
            return open_window()
        except NoDisplayError:
            pass  # the command plays without a window
        except UserError as error:
            print(f"arcade: {plain(str(error))}", file=sys.stderr)
            sys.exit(2)
        except KeyboardInterrupt:
            sys.exit(130)
    with silent_interrupts():
        from arcade.commands.cli import app
    app(prog_name=command_name())


if __name__ == "__main__":
    main()
