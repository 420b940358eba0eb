"""The commands ``arcade`` and ``pettingzoo-arcade``: checks that the packages they run are ours, then runs them.

Other distributions install packages of the same names: arcade (a game library), openai-agents (agents), coqui_trainer
(trainer).  Whichever is installed last overwrites the others' files.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

OWN = "pettingzoo-arcade"
PACKAGES = ("arcade", "agents", "trainer")
MARK = f'__project__ = "{OWN}"'.encode()
"""A line of the ``__init__.py`` of each of our packages."""

NOT_INSTALLED = 4
"""Exit status."""


def foreign() -> list[str]:
    """Those of our packages that are missing or somebody else's; none of them is imported."""
    return [name for name in PACKAGES if not _is_ours(name)]


def explain(names: list[str]) -> str:
    """Who installed them, and how to mend it; reads the metadata of all installed distributions."""
    from importlib.metadata import packages_distributions  # slow to import, and read in this case alone

    owners = packages_distributions()
    others = sorted({one for name in names for one in owners.get(name, ()) if one != OWN})
    what = f"the Python package {names[0]!r}" if len(names) == 1 else f"the Python packages {', '.join(names)}"
    if not others:
        return f"arcade: {what} is not that of {OWN}; install it again: pip install --force-reinstall --no-deps {OWN}"
    return (
        f"arcade: {what} here comes from {', '.join(others)}, which uses the same name.\n"
        f"Run PettingZoo Arcade in an environment of its own: pipx run {OWN}, or uvx {OWN}.\n"
        f"Or mend this one: pip uninstall {' '.join(others)}, "
        f"then pip install --force-reinstall --no-deps {OWN}"
    )


def main() -> None:
    """Run the command, or say whose packages are in its place."""
    if names := foreign():
        print(explain(names), file=sys.stderr)
        sys.exit(NOT_INSTALLED)
    # NumPy reads it once, when it is imported.  Matrices here are small: several threads only wait for each other.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from agents.interrupts import silent_interrupts

    with silent_interrupts():
        from arcade.__main__ import main as run
    run()


def _is_ours(name: str) -> bool:
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        return False
    try:
        return MARK in Path(spec.origin).read_bytes()
    except OSError:
        return False


if __name__ == "__main__":
    main()
