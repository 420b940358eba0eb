"""``python -m trainer.imitation GAME``, which ``arcade imitate`` runs."""

import sys

from agents.interrupts import silent_interrupts

if __name__ == "__main__":
    with silent_interrupts():
        from arcade.commands.options import hide_windows
        from trainer.imitation.command import main
    hide_windows()
    sys.exit(main())
