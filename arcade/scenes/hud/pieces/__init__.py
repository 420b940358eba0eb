"""The pieces of the HUD; a new one is a class in a file of its own and a line in PIECES."""

from arcade.scenes.hud.piece import HudPiece
from arcade.scenes.hud.pieces.clock import ClockPiece
from arcade.scenes.hud.pieces.insight import InsightPanel
from arcade.scenes.hud.pieces.lineup import LineupPiece
from arcade.scenes.hud.pieces.network import NetworkPiece
from arcade.scenes.hud.pieces.rate import RatePiece
from arcade.scenes.hud.pieces.scores import ScorePiece
from arcade.scenes.hud.pieces.turn import TurnPiece

PIECES: list[type[HudPiece]] = [
    ScorePiece, LineupPiece, ClockPiece, TurnPiece, RatePiece, NetworkPiece, InsightPanel
]  # fmt: skip
"""In the order of the settings page; those of one place are drawn in this order too."""
