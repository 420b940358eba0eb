"""The pieces of the HUD that can be shown or hidden."""

from __future__ import annotations

PIECES = (
    ("show_hud", "All of it", "The bars around the picture"),
    ("hud_scores", "Scores", "Of each team"),
    ("hud_lineup", "Who plays", "Names, seats and devices of each team"),
    ("hud_clock", "Clock", "The game's own time, or its moves"),
    ("hud_turn", "Whose turn", "In games that wait for a move"),
    ("hud_rate", "Slow games", "Ticks a second where a game cannot keep its rate"),
    ("hud_network", "Late answers", "Late ticks, and how far away remote seats are"),
    ("hud_mind", "Mind of the machine", "F9: how likely a snapshot holds each action, and what it expects"),
)
"""Field of Settings, words, what it is."""
