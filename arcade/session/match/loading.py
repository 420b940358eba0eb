"""What is being loaded before a match, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from agents.seats.controller import AgentID, SeatChoice

GAME = "Starting the game …"
PICTURE = "Waiting for the first picture …"
PLAYERS = "Taking the seats …"

_ENGINE = "Starting {player} …"
_AGENT = "Loading {player} …"
_BY_KIND: Mapping[str, str] = {
    "remote": "Connecting to {player} …",
    "uci": _ENGINE, "gtp": _ENGINE,
    "snapshot": _AGENT, "level": _AGENT, "pool": _AGENT, "python": _AGENT,
}  # fmt: skip
"""Kind of a seat → what its start takes, the slowest first."""


def players_text(lineup: Mapping[AgentID, SeatChoice], describe: Callable[[SeatChoice], str]) -> str:
    """Return what the slowest player of a lineup needs: "Starting Stockfish …"; `describe` names players.

    >>> players_text({"white": SeatChoice("uci", "stockfish")}, lambda choice: "Stockfish")
    'Starting Stockfish …'
    """
    if any(choice.is_even for choice in lineup.values()):
        return "Looking for an opponent of your strength …"
    order = list(_BY_KIND)
    slow = sorted((choice for choice in lineup.values() if choice.kind in _BY_KIND), key=lambda c: order.index(c.kind))
    return _BY_KIND[slow[0].kind].format(player=describe(slow[0])) if slow else PLAYERS


def catching_up_text(share: float) -> str:
    """Return how far a recording has been stepped through, `share` in 0 … 1."""
    return f"Catching up with the recording …  {share:.0%}"
