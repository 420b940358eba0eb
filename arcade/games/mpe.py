"""The Multi-Particle Environments, from the mpe2 package: https://mpe2.farama.org/"""

from __future__ import annotations

from collections.abc import Mapping

from agents.seats.controller import AgentID
from arcade.games.actions import MPE_MOVES, spoken, spoken_moves
from arcade.games.control_kinds import stick
from arcade.games.controls import SeatControls
from arcade.games.naming import message_rows
from arcade.games.spec import GameSpec

_TAGGERS = ("adversary_0", "adversary_1", "adversary_2")
_CHASERS = ("leadadversary_0", *_TAGGERS)
_RUNNERS = ("agent_0", "agent_1")
_COLLECTORS = (*(f"collector_{i}" for i in range(6)), "deposit_0", "deposit_1")

Teams = tuple[tuple[str, ...], ...]

_GAMES: tuple[tuple[str, str, Teams, str], ...] = (
    ("collect_treasure_v1", "Collect Treasure", (_COLLECTORS,), "Pick up treasures and bring each to its depot."),
    ("simple_v3", "Simple", (("agent_0",),), "Steer your dot onto the landmark."),
    (
        "simple_adversary_v3",
        "Simple Adversary",
        (("adversary_0",), ("agent_0", "agent_1")),
        "Blue: cover the secret landmark without giving it away.  Red: find out which one it is.",
    ),
    (
        "simple_crypto_v3",
        "Simple Crypto",
        (("eve_0",), ("bob_0", "alice_0")),
        "Alice sends Bob a secret in the open; Eve listens in.",
    ),
    (
        "simple_formation_v1",
        "Simple Formation",
        (tuple(f"agent_{i}" for i in range(4)),),
        "Form a circle around the landmark, evenly spaced.",
    ),
    (
        "simple_line_v1",
        "Simple Line",
        (tuple(f"agent_{i}" for i in range(4)),),
        "Line up between the two landmarks, evenly spaced.",
    ),
    (
        "simple_push_v3",
        "Simple Push",
        (("adversary_0",), ("agent_0",)),
        "One goes to the landmark of its own colour, red pushes it away from there.",
    ),
    (
        "simple_reference_v3",
        "Simple Reference",
        (_RUNNERS,),
        "Tell the other where to go, and go where you are told.",
    ),
    (
        "simple_speaker_listener_v4",
        "Simple Speaker Listener",
        (("speaker_0", "listener_0"),),
        "One of you knows the landmark and can only speak, the other can only move.",
    ),
    (
        "simple_spread_v3",
        "Simple Spread",
        (tuple(f"agent_{i}" for i in range(3)),),
        "Cover all landmarks between you without bumping into each other.",
    ),
    (
        "simple_tag_v3",
        "Simple Tag",
        (_TAGGERS, ("agent_0",)),
        "Red hunts green around the rocks; green is faster, red are three.",
    ),
    (
        "simple_world_comm_v3",
        "Simple World Comm",
        (_CHASERS, _RUNNERS),
        "Green eats and hides in the woods; red hunts, led by one who sees everything.",
    ),
)  # name, title, teams in seat order, summary

_ACTIONS: Mapping[str, tuple[str, ...]] = {
    "simple_crypto_v3": spoken(4),
    "simple_reference_v3": spoken_moves(10),
}
_SEAT_ACTIONS: Mapping[str, Mapping[AgentID, tuple[str, ...]]] = {
    "simple_speaker_listener_v4": {"speaker_0": spoken(3)},
    "simple_world_comm_v3": {"leadadversary_0": spoken_moves(4)},
}
_MOVE = stick("Move")
_SAY = SeatControls(rows=message_rows(alone=True), style="moves")
_MOVE_AND_SAY = stick("Move", rows=message_rows(alone=False))
_CONTROLS: Mapping[str, Mapping[AgentID, SeatControls]] = {
    "simple_crypto_v3": {"*": _SAY},
    "simple_reference_v3": {"*": _MOVE_AND_SAY},
    "simple_speaker_listener_v4": {"*": _MOVE, "speaker_0": _SAY},
    "simple_world_comm_v3": {"*": _MOVE, "leadadversary_0": _MOVE_AND_SAY},
}
_NOTES: Mapping[str, Mapping[AgentID, str]] = {
    "collect_treasure_v1": {
        **dict.fromkeys(_COLLECTORS[:6], "one of the small dots"),
        "deposit_0": "large dark blue dot",
        "deposit_1": "large dark brown dot",
    },
    "simple_adversary_v3": {"adversary_0": "red dot", **dict.fromkeys(_RUNNERS, "one of the blue dots")},
    "simple_crypto_v3": {"eve_0": "dark red dot", "alice_0": "grey dot"},
    "simple_push_v3": {"adversary_0": "red dot", "agent_0": "dark green or blue"},
    "simple_speaker_listener_v4": {"speaker_0": "large dark grey dot", "listener_0": "large pale dot"},
    "simple_tag_v3": {**dict.fromkeys(_TAGGERS, "one of the red dots"), "agent_0": "green dot"},
    "simple_world_comm_v3": {
        "leadadversary_0": "dark red dot",
        **dict.fromkeys(_TAGGERS, "one of the light red dots"),
        **dict.fromkeys(_RUNNERS, "one of the green dots"),
    },
}
"""Nothing where all look alike, or take the colour of what is to be found."""

PEOPLE_TICKS = 300
"""Half a minute; the 25 ticks of an episode are over before hands have found the keys."""

_MATCHED = ("simple_formation_v1", "simple_line_v1")  # they pair agents and places with scipy


def mpe_games() -> tuple[GameSpec, ...]:
    """Every game of mpe2."""
    return tuple(_game(*row) for row in _GAMES)


def _roles(teams: Teams) -> Mapping[AgentID, str]:
    """What an agent is called without its number; {} where all are called the same."""
    roles: dict[AgentID, str] = {agent: agent.rpartition("_")[0] for team in teams for agent in team}
    return roles if len(set(roles.values())) > 1 else {}


def _game(name: str, title: str, teams: Teams, summary: str) -> GameSpec:
    return GameSpec(
        id=f"mpe/{name}",
        title=title,
        entry=f"mpe2.{name}:parallel_env",
        agents=tuple(agent for team in teams for agent in team),
        teams=teams,
        turn_based=False,
        fps=10,
        outcome="versus" if len(teams) > 1 else "cooperative",
        roles=_roles(teams),
        summary=summary,
        requires=("mpe2", "pettingzoo", "pygame", *(("scipy",) if name in _MATCHED else ())),
        pip="mpe2",
        action_names=_ACTIONS.get(name, MPE_MOVES),
        seat_action_names=_SEAT_ACTIONS.get(name, {}),
        seat_notes=_NOTES.get(name, {}),
        controls=_CONTROLS.get(name, {"*": _MOVE}),
        people_kwargs={"max_cycles": PEOPLE_TICKS},
    )
