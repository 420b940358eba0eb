"""Everything that differs between operating systems: locks, processes, priorities, signals and inherited handles.

No other module uses a call that only some systems have; ``python -m tests.checks.portability`` finds those that do::

    from agents.platform import system

    if not system.is_alive(process_id):
        ...
"""

from __future__ import annotations

import os

from agents.platform.base import NotRegularError, System
from agents.platform.posix import Posix
from agents.platform.windows import Windows

__all__ = ["NotRegularError", "Posix", "System", "Windows", "system"]

system: System = Windows() if os.name == "nt" else Posix()
"""The system that this process runs on."""
