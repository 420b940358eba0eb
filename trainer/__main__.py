"""``python -m trainer GAME``, which ``arcade train`` runs."""

import sys

from agents.interrupts import silent_interrupts

if __name__ == "__main__":
    with silent_interrupts():
        from trainer.command import main
    sys.exit(main())
