"""What is being loaded before a match, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from agents.seats.controller import AgentID, SeatChoice
from arcade.language import N_, _, percent

GAME = N_("Starting the game …")
PICTURE = N_("Waiting for the first picture …")
PLAYERS = N_("Taking the seats …")

_ENGINE = N_("Starting {player} …")
_AGENT = N_("Loading {player} …")
_BY_KIND: Mapping[str, str] = {
    "remote": N_("Connecting to {player} …"),
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
        return _("Looking for an opponent of your strength …")
    order = list(_BY_KIND)
    slow = sorted((choice for choice in lineup.values() if choice.kind in _BY_KIND), key=lambda c: order.index(c.kind))
    return _(_BY_KIND[slow[0].kind]).format(player=describe(slow[0])) if slow else _(PLAYERS)


def catching_up_text(share: float) -> str:
    """Return how far a recording has been stepped through, `share` in 0 … 1."""
    return _("Catching up with the recording …  {share}").format(share=percent(share))
