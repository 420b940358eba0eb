"""The policy server of the chaos benchmark: ``python -m tests.benchmarks.chaos.server PORT``."""

from __future__ import annotations

import sys
from typing import Any

import agents
from agents.platform.children import end_with_parent


def act(observation: Any, mask: Any, rng: Any) -> int:
    """A random action."""
    return int(rng.integers(6))


if __name__ == "__main__":
    end_with_parent()
    endpoint = f"tcp://127.0.0.1:{sys.argv[1]}"
    agents.serve(act, endpoint=endpoint, ready=lambda where: print(where, flush=True))
