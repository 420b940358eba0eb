"""What tells the seats of Atari's games apart on the screen; seen by moving one at a time."""

from __future__ import annotations

from collections.abc import Mapping

from agents.seats.controller import AgentID

_NOTES: Mapping[str, tuple[str, ...]] = {
    "basketball_pong_v3": ("right, green", "left, yellow"),
    "boxing_v2": ("white boxer", "black boxer"),
    "combat_plane_v2": ("yellow plane", "green plane"),
    "combat_tank_v2": ("green tank, left", "pink tank, right"),
    "double_dunk_v3": ("green team", "white team"),
    "entombed_competitive_v3": ("purple figure", "yellow figure"),
    "entombed_cooperative_v3": ("purple figure", "yellow figure"),
    "flag_capture_v2": ("green, starts top left", "red, starts bottom right"),
    "foozpong_v3": ("purple, solid", "yellow, solid", "purple, striped", "yellow, striped"),
    "ice_hockey_v2": ("blue, upper goal", "yellow, lower goal"),
    "joust_v3": ("yellow rider", "pink rider"),
    "mario_bros_v3": ("blue, starts left", "green, starts right"),
    "maze_craze_v3": ("red figure", "blue figure"),
    "othello_v3": ("white discs", "black discs"),
    "pong_v3": ("right, green", "left, orange"),
    "quadrapong_v4": ("bottom, purple", "top, yellow", "right, purple", "left, yellow"),
    "space_invaders_v2": ("green cannon", "yellow cannon"),
    "space_war_v2": ("green ship", "blue ship"),
    "surround_v2": ("blue, starts right", "green, starts left"),
    "tennis_v3": ("pink player", "blue player"),
    "video_checkers_v4": ("orange pieces, below", "white pieces, above"),
    "volleyball_pong_v3": ("right, lower blue", "left, lower yellow", "right, upper blue", "left, upper yellow"),
    "warlords_v3": ("top left, orange", "top right, blue", "bottom left, green", "bottom right, purple"),
    "wizard_of_wor_v3": ("yellow, starts right", "blue, starts left"),
}  # module: a note a seat, in seat order


def seat_notes(name: str, agents: tuple[AgentID, ...]) -> Mapping[AgentID, str]:
    """The notes of the seats of the game whose module is `name`."""
    return dict(zip(agents, _NOTES[name], strict=True))
