"""``python -m trainer GAME``, which ``arcade train`` runs."""

from agents.interrupts import end_process, silent_interrupts

if __name__ == "__main__":
    with silent_interrupts():
        from trainer.command import main
    end_process(main())
