"""The Multi-Particle Environments, from the mpe2 package: https://mpe2.farama.org/"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agents.seats.controller import AgentID
from arcade.games.controls import SeatControls, stick
from arcade.games.naming import LETTERS, NOOP, message_rows
from arcade.games.scores import Entry, Score
from arcade.games.spec import GameSpec, pettingzoo_game

MOVES = (NOOP, "left", "right", "down", "up")
"""In the order of ``SimpleEnv._set_action``."""

PEOPLE_TICKS = 300
"""Half a minute; the 25 ticks of an episode are over before a person has found the keys."""

_MOVE = stick("Move")
_SAY = SeatControls(rows=message_rows(alone=True), style="moves")
_MOVE_AND_SAY = stick("Move", rows=message_rows(alone=False))

_AGENTS = tuple(f"agent_{i}" for i in range(4))
_TAGGERS = ("adversary_0", "adversary_1", "adversary_2")
_COLLECTORS = tuple(f"collector_{i}" for i in range(6))
_LIGHT_RED = dict.fromkeys(_TAGGERS, "light dot; F1 marks it")


def _counted(reader: str, one: str, many: str) -> Score:
    return Score(source=Entry(f"arcade.games.scores.readings:{reader}"), one=one, many=many, decides=False)


def _distance(reader: str) -> Score:
    """Distances are in the worlds' own unit: one is half the side of the area in which the agents start."""
    words = "mean distance {}"
    source = Entry(f"arcade.games.scores.readings:{reader}")
    return Score(source=source, one=words, many=words, digits=2, lower_wins=True, decides=False)


_CATCHES = _counted("catches", "{} catch", "{} catches")


def _say(words: int) -> tuple[str, ...]:
    """The messages as MPE draws them: "say A", "say B", …"""
    return tuple(f"say {letter}" for letter in LETTERS[:words])


def _say_and_move(words: int) -> tuple[str, ...]:
    """A message and a move in one action: the move is ``action % 5``, the message ``action // 5``."""
    return tuple(f"{message}, {move}" if move != NOOP else message for message in _say(words) for move in MOVES)


def _numbered(title: str, agents: Sequence[AgentID]) -> dict[AgentID, str]:
    """The titles of seats that look alike: "Hunter 1", "Hunter 2" …"""
    return {agent: f"{title} {number}" for number, agent in enumerate(agents, 1)}


def mpe_games() -> tuple[GameSpec, ...]:
    """Return every game of mpe2; seats without a note look alike, or have the colour of their goal."""
    return (
        _game("collect_treasure_v1", "Collect Treasure", "Pick up treasures and bring each to its depot.",
              (*_COLLECTORS, "deposit_0", "deposit_1"),
              seat_titles={**_numbered("Collector", _COLLECTORS),
                           "deposit_0": "Blue depot", "deposit_1": "Brown depot"},
              seat_notes={**dict.fromkeys(_COLLECTORS, "grey dot; F1 marks it"),
                          "deposit_0": "large dark dot", "deposit_1": "large dark dot"},
              score=_counted("treasures", "{} treasure", "{} treasures"), **_playing("treasure:Player")),
        _game("simple_v3", "Simple", "Steer your dot onto the landmark.", ("agent_0",),
              score=_distance("landmark_distance")),
        _game("simple_adversary_v3", "Simple Adversary",
              "Blue: cover the secret landmark without giving it away.  Red: find out which one it is.",
              ("adversary_0",), _AGENTS[:2],
              seat_titles={"adversary_0": "Red", **_numbered("Blue", _AGENTS[:2])},
              seat_notes=dict.fromkeys(_AGENTS[:2], "F1 marks it"),
              score=_distance("goal_distances")),
        _game("simple_crypto_v3", "Simple Crypto", "Alice sends Bob a secret in the open; Eve listens in.",
              ("eve_0",), ("bob_0", "alice_0"), action_names=_say(4), controls={"*": _SAY},
              seat_titles={"eve_0": "Eve", "bob_0": "Bob", "alice_0": "Alice"},
              seat_notes={"eve_0": "dark red dot", "alice_0": "grey dot"},
              score=_counted("words_understood", "{} secret read", "{} secrets read"), **_playing("crypto:Player")),
        _game("simple_formation_v1", "Simple Formation", "Form a circle around the landmark, evenly spaced.",
              _AGENTS, requires=_SCIPY,
              score=_distance("place_distance")),
        _game("simple_line_v1", "Simple Line", "Line up between the two landmarks, evenly spaced.",
              _AGENTS, requires=_SCIPY,
              score=_distance("place_distance")),
        _game("simple_push_v3", "Simple Push",
              "One goes to the landmark of its own colour, red pushes it away from there.",
              ("adversary_0",), ("agent_0",),
              seat_titles={"adversary_0": "Red defender", "agent_0": "Runner"},
              seat_notes={"agent_0": "dark green or blue"},
              score=_distance("goal_distances")),
        _game("simple_reference_v3", "Simple Reference", "Tell the other where to go, and go where you are told.",
              _AGENTS[:2], action_names=_say_and_move(10), controls={"*": _MOVE_AND_SAY},
              score=_distance("told_distance"), **_playing("reference:Player")),
        _game("simple_speaker_listener_v4", "Simple Speaker Listener",
              "One of you knows the landmark and can only speak, the other can only move.",
              ("speaker_0", "listener_0"), seat_action_names={"speaker_0": _say(3)},
              controls={"*": _MOVE, "speaker_0": _SAY},
              seat_titles={"speaker_0": "Speaker", "listener_0": "Listener"},
              seat_notes={"speaker_0": "large dark grey dot", "listener_0": "large pale dot"},
              score=_distance("told_distance")),
        _game("simple_spread_v3", "Simple Spread", "Cover all landmarks between you without bumping into each other.",
              _AGENTS[:3],
              score=_counted("landmarks_covered", "{} landmark covered", "{} landmarks covered")),
        _game("simple_tag_v3", "Simple Tag", "Red hunts green around the rocks; green is faster, red are three.",
              _TAGGERS, ("agent_0",),
              seat_titles={**_numbered("Red chaser", _TAGGERS), "agent_0": "Green runner"},
              seat_notes=dict.fromkeys(_TAGGERS, "F1 marks it"),
              score=_CATCHES, **_playing("chase:TagPlayer")),
        _game("simple_world_comm_v3", "Simple World Comm",
              "Green eats and hides in the woods; red hunts, led by one who sees everything.",
              ("leadadversary_0", *_TAGGERS), _AGENTS[:2], seat_action_names={"leadadversary_0": _say_and_move(4)},
              controls={"*": _MOVE, "leadadversary_0": _MOVE_AND_SAY},
              seat_titles={"leadadversary_0": "Red leader", **_numbered("Red chaser", _TAGGERS),
                           **_numbered("Green runner", _AGENTS[:2])},
              seat_notes={"leadadversary_0": "dark dot", **_LIGHT_RED,
                          **dict.fromkeys(_AGENTS[:2], "F1 marks it")},
              score=_CATCHES, **_playing("chase:WorldPlayer")),
    )  # fmt: skip


def _playing(player: str) -> dict[str, Any]:
    """The fields of a game with a scripted player; `player`: its module and class."""
    return {"scripted": f"arcade.games.players.mpe.{player}", "has_levels": True}


_RED, _GREEN, _BLUE = (170, 70, 70), (70, 170, 70), (70, 70, 170)
_COLOURS: Mapping[str, Mapping[str, tuple[int, int, int]]] = {
    "collect_treasure_v1": {"collector": (170, 170, 170)},
    "simple_adversary_v3": {"adversary": _RED, "agent": _BLUE},
    "simple_crypto_v3": {"eve": (150, 50, 50), "alice": (50, 50, 50)},
    "simple_formation_v1": {"agent": _BLUE},
    "simple_line_v1": {"agent": _BLUE},
    "simple_push_v3": {"adversary": (150, 50, 50)},
    "simple_speaker_listener_v4": {"speaker": (50, 50, 50)},
    "simple_spread_v3": {"agent": _BLUE},
    "simple_tag_v3": {"adversary": _RED, "agent": _GREEN},
    "simple_v3": {"agent": (50, 50, 50)},
    "simple_world_comm_v3": {"leadadversary": (129, 30, 30), "adversary": (190, 90, 90), "agent": (90, 190, 90)},
}
"""As drawn, by the kind of agent; others have the colour of their goal, which changes."""

_BATCHED = (
    "simple_v3", "simple_adversary_v3", "simple_push_v3", "simple_reference_v3", "simple_speaker_listener_v4",
    "simple_spread_v3", "simple_tag_v3", "simple_world_comm_v3",
)  # fmt: skip
"""Games of which many copies are stepped together."""

_REQUIRES = ("mpe2", "pettingzoo", "pygame")
_SCIPY = (*_REQUIRES, "scipy")  # to pair agents with places


def _game(name: str, title: str, summary: str, *teams: tuple[str, ...], **more: Any) -> GameSpec:
    agents: tuple[AgentID, ...] = tuple(agent for team in teams for agent in team)
    kinds = {agent: str(agent).rpartition("_")[0] for agent in agents}
    colours = {agent: _COLOURS.get(name, {}).get(kind) for agent, kind in kinds.items()}
    defaults = {"requires": _REQUIRES, "action_names": MOVES, "controls": {"*": _MOVE}}
    return pettingzoo_game(
        f"mpe/{name}", title, summary, agents,
        entry=f"mpe2.{name}:parallel_env",
        teams=teams,
        fps=10,
        roles=kinds if len(set(kinds.values())) > 1 else {},
        figures="arcade.games.figures.mpe:locate",
        seat_colours={agent: colour for agent, colour in colours.items() if colour is not None},
        pip="mpe2",
        batch=f"arcade.games.particles.batch:{name}" if name in _BATCHED else "",
        people_kwargs={"max_cycles": PEOPLE_TICKS},
        **(defaults | more),
    )  # fmt: skip
