"""Sounds and vibration for the events of a match."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from agents.seats.controller import AgentID
from arcade.engine.audio.sound import Effect
from arcade.engine.input.gamepads import Rumble
from arcade.engine.window.scene import Host
from arcade.match.play.match import Match
from arcade.session.match.monitor import MatchEvent
from arcade.session.people import people_at

HIT = Rumble(0.0, 0.45, 0.06)
POINT = Rumble(0.25, 0.6, 0.18)
POINT_LOST = Rumble(0.8, 0.2, 0.3)


def play_events(host: Host, match: Match, events: Iterable[MatchEvent]) -> None:
    """Play the sound of each event, and let the pads of the people feel theirs."""
    people = people_at(match)
    for event in events:
        if (effect := sound_of(event, people)) is not None:
            host.sound.play(effect)
        for agent, rumble in rumbles_of(event).items():
            if agent in people:
                host.devices.rumble(getattr(match.mapping[agent], "word", ""), rumble)


def sound_of(event: MatchEvent, people: Collection[AgentID]) -> Effect | None:
    """Return the sound of an event; a point that people here only lose sounds lost."""
    if event.kind == "hit":
        return "hit"
    if event.kind != "point":
        return None
    return "point lost" if set(people) & set(event.lost) and not set(people) & set(event.gained) else "point"


def rumbles_of(event: MatchEvent) -> Mapping[AgentID, Rumble]:
    """Return the vibration for each seat that feels the event."""
    if event.kind == "hit":
        return dict.fromkeys(event.gained, HIT)
    if event.kind != "point":
        return {}
    return dict.fromkeys(event.gained, POINT) | dict.fromkeys(event.lost, POINT_LOST)
