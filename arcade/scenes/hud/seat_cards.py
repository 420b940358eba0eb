"""SeatCard: the seats, device and controls of one person, and the drawn keys or buttons of a control."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pygame

from agents.seats.controller import KEYBOARD_HALVES, AgentID, SeatChoice
from agents.seats.keyboard import deal_halves
from arcade.controls.device_controllers import seat_controls
from arcade.engine.input.key_bindings import DeviceBindings, KeyBindings
from arcade.engine.input.sources import source_label
from arcade.engine.ui.theme import SMALLEST, Theme
from arcade.games.controls import ControlRow, SeatControls
from arcade.games.spec import GameSpec
from arcade.language import _
from arcade.match.play.match import Match
from arcade.scenes.hud.piece import beside
from arcade.scenes.pictograms import button_cap, cross_cap, key_cap, part_of, stick_cap


@dataclass(frozen=True)
class SeatCard:
    """One page of the controls: seats that one person plays alike."""

    agents: tuple[AgentID, ...]
    choice: SeatChoice
    controls: SeatControls
    keyboard: DeviceBindings  # the person's own, or the usual one
    pad: DeviceBindings

    @property
    def own(self) -> DeviceBindings:
        """The bindings of the device that plays the seats."""
        return self.pad if self.choice.kind == "gamepad" else self.keyboard

    @property
    def is_half(self) -> bool:
        """Whether it is half a keyboard, with one key a control; a whole one has two, a gamepad its cross and stick."""
        return self.choice.kind == "keyboard" and self.choice.argument in KEYBOARD_HALVES

    def groups(self) -> dict[str, tuple[ControlRow, ...]]:
        """Return the rows by their group, or by their own words."""
        groups: dict[str, tuple[ControlRow, ...]] = {}
        for row in self.controls.rows:
            name = row.group or row.words
            groups[name] = (*groups.get(name, ()), row)
        return groups


def whose(spec: GameSpec, card: SeatCard, *, most: int) -> tuple[str, str]:
    """Return the first `most` seats of the card and the notes on them: ``("Left", "left, blue")``."""
    agents, more = card.agents[:most], " …" if len(card.agents) > most else ""
    notes = dict.fromkeys(_(spec.seat_notes[agent]) for agent in agents if agent in spec.seat_notes)
    return ", ".join(_(spec.seat_title(agent)) for agent in agents) + more, "; ".join(notes) + (more if notes else "")


def seat_cards(
    spec: GameSpec, lineup: Mapping[AgentID, SeatChoice], bindings: KeyBindings, match: Match | None = None
) -> list[SeatCard]:
    """Make a card for each person; without people, one for the first seat with a whole keyboard.

    `match` provides the spaces of the seats, for games that declare no controls.
    """
    people = {agent: choice for agent, choice in lineup.items() if choice.is_human}
    people = people or {spec.agents[0]: SeatChoice("keyboard")}
    dealt = iter(deal_halves([str(choice) for choice in people.values()]))
    cards: list[SeatCard] = []
    for agent, choice in people.items():
        halves = next(dealt) if str(choice) == "keyboard" else None
        card = _card(spec, agent, choice, bindings, match, halves)
        shown = (card.choice, card.controls, card.own)
        same = next((place for place, one in enumerate(cards) if (one.choice, one.controls, one.own) == shown), None)
        if same is None:
            cards.append(card)
        else:
            cards[same] = replace(card, agents=(*cards[same].agents, agent))
    return cards


def _card(
    spec: GameSpec, agent: AgentID, choice: SeatChoice, bindings: KeyBindings, match: Match | None,
    halves: Sequence[str] | None,
) -> SeatCard:  # fmt: skip
    """`halves`: those of a person with the whole keyboard; None for other people."""
    seat: dict[str, Any] = {"game": spec.id, "agent": agent}
    keyboard, pad = (str(choice), "gamepad") if choice.kind == "keyboard" else ("keyboard", str(choice))
    keys = bindings.of(keyboard, **seat) if halves is None else bindings.together(halves, **seat)
    if match is None:
        controls = spec.controls_of(agent)
    else:
        controls = seat_controls(match.stage.seat(agent), spec, table=keys.actions)
    return SeatCard((agent,), choice, controls, keys, bindings.of(pad, **seat))


Alternative = tuple[str, ...]  # sources that belong together, such as W, A, S and D

DIRECTIONS = ("up", "left", "down", "right")


def presses(rows: Sequence[ControlRow], bindings: DeviceBindings, *, most: int = 2) -> tuple[Alternative, ...]:
    """Return the alternatives for one row, or for the rows of one group.

    At most `most` for each control, as the halves of a whole keyboard, or a pad's cross and stick.
    """
    ways = [control for control in DIRECTIONS if control in rows[0].controls]
    if len(rows) > 1:
        firsts = [row.controls[0] for row in rows if row.controls]
        firsts.sort(key=lambda control: DIRECTIONS.index(control) if control in DIRECTIONS else len(DIRECTIONS))
    elif len(ways) == len(DIRECTIONS) or 1 < len(ways) == len(rows[0].controls):
        firsts = ways  # both directions of each set of keys
    else:
        sources = [source for control in rows[0].controls for source in bindings.sources.get(control, ())[:most]]
        return tuple((source,) for source in dict.fromkeys(sources))
    return tuple(zip(*(bindings.sources.get(control, ())[:most] for control in firsts), strict=False))


def draw_presses(theme: Theme, kind: str, alternatives: Sequence[Alternative], *, size: int) -> pygame.Surface:
    """Draw the caps of all alternatives, `size` pixels high, with "or" between them; `kind` is that of the bindings."""
    pictures: list[pygame.Surface] = []
    for alternative in alternatives:
        if pictures:
            small = max(SMALLEST, size / 2 / theme.unit)
            pictures.append(theme.text(_("or"), size=small, colour=theme.colours.faint))
        pictures.append(_draw(theme, kind, alternative, size))
    return beside(pictures, gap=max(4, size // 6))


def _draw(theme: Theme, kind: str, sources: Alternative, size: int) -> pygame.Surface:
    if kind == "keyboard" and set(sources) == set(DIRECTIONS):
        return key_cap(theme, _("Arrows"), size=size)  # one cap instead of four leaves room for the alternative W A S D
    if kind == "keyboard":
        return beside([key_cap(theme, source_label(kind, source), size=size) for source in sources], gap=2)
    parts = dict.fromkeys(_part(source) for source in sources)
    return beside([_draw_part(theme, part, sources, size) for part in parts], gap=2)


def _part(source: str) -> str:
    return "cross" if source in DIRECTIONS else part_of(source)


def _draw_part(theme: Theme, part: str, sources: Alternative, size: int) -> pygame.Surface:
    ways = "".join(_WAYS[source] for source in sources if _part(source) == part and part in _MOVING)
    match part:
        case "cross":
            return cross_cap(theme, ways, size=size)
        case "stick":
            return stick_cap(theme, ways, size=size)
        case "rstick":
            return stick_cap(theme, ways, letter="R", size=size)
        case "a" | "b" | "x" | "y":
            return button_cap(theme, part.upper(), size=size)
    return key_cap(theme, part.removeprefix("button ").upper(), size=size)


_MOVING = ("cross", "stick", "rstick")
_WAYS = {way: way[0] for way in DIRECTIONS} | {
    f"{stick}{half}": way for stick in ("", "r") for half, way in (("x-", "l"), ("x+", "r"), ("y-", "u"), ("y+", "d"))
}
"""Source → the first letter of its direction."""
