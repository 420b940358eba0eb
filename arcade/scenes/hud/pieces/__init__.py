"""The pieces of the HUD; a new one is a class and an entry of PIECES."""

from arcade.scenes.hud.piece import HudPiece
from arcade.scenes.hud.pieces.insight import InsightPanel
from arcade.scenes.hud.pieces.state import ClockPiece, LineupPiece, NetworkPiece, RatePiece, ScorePiece, TurnPiece

# In the order of the settings page; those of one place are drawn in this order too.
PIECES: list[type[HudPiece]] = [
    ScorePiece, LineupPiece, ClockPiece, TurnPiece, RatePiece, NetworkPiece, InsightPanel
]  # fmt: skip
