"""Taking over: which seat a person has from a moment of a recording on, and who plays the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from agents.engines.settings import label_of, present_seats
from agents.seats.choice import LEVELS, SeatChoice
from agents.seats.controller import AgentID
from agents.seats.words import parse_seat
from arcade.engine.input.events import Device, InputEvent, MenuInput, PointerInput
from arcade.engine.ui import theme
from arcade.engine.ui.menus import Item, ListMenu
from arcade.engine.ui.widgets import Widget
from arcade.games.spec import GameSpec
from arcade.match.playback.replay import RecordingSource, Replay
from arcade.scenes.lobby import Lobby
from arcade.scenes.screen import Screen
from arcade.session.seating import Seating, describe, sentence

AHEAD = 64
"""Ticks within which everybody who still plays has a turn."""

BOX = pygame.Rect(290, 120, 700, 470)


def person(device: Device) -> SeatChoice:
    """Who sits down when `device` takes over: that pad, else the keyboard."""
    return parse_seat(device.word) if device.kind == "gamepad" else SeatChoice("keyboard")


def seats_at(replay: Replay, tick: int) -> list[tuple[AgentID, str]]:
    """The seats that still play at that tick, each with who decided there."""
    out = {agent for ended, agents in replay.ends.items() if ended <= tick for agent in agents}
    seats = dict.fromkeys(agent for agents in replay.acting[tick : tick + AHEAD] for agent in agents)
    return [(agent, replay.source_at(agent, tick).label) for agent in seats if agent not in out]


def lineup_at(
    replay: Replay, spec: GameSpec, tick: int, snapshots: Sequence[str], taken: AgentID, who: SeatChoice
) -> dict[AgentID, SeatChoice]:
    """`who` in the seat that is taken over, and in every other whoever sat there, or a machine in that one's place."""
    others = {agent: same_again(replay.source_at(agent, tick), spec, snapshots) for agent in spec.agents}
    return {**others, taken: who}


def same_again(source: RecordingSource, spec: GameSpec, snapshots: Sequence[str]) -> SeatChoice:
    """The seat of whoever decided there, as far as it can be had; else that of the usual machine."""
    return _back(source, spec, snapshots) or _usual(spec, snapshots)


def stand_ins(replay: Replay, spec: GameSpec, tick: int, snapshots: Sequence[str], taken: AgentID) -> str:
    """Who the usual machine plays for in seats but `taken`, as a sentence; "" where all others are back."""
    sources = [replay.source_at(agent, tick) for agent in spec.agents if agent != taken]
    gone = [source.label for source in sources if not _back(source, spec, snapshots)]
    if not gone:
        return ""
    names = ", ".join(f"{name:.30}" for name in gone[:3]) + (f" and {len(gone) - 3} more" if len(gone) > 3 else "")
    who = sentence(describe(_usual(spec, snapshots)))
    return f"{who} plays for {names}: a recording brings back machines of this arcade alone"


def _back(source: RecordingSource, spec: GameSpec, snapshots: Sequence[str]) -> SeatChoice | None:
    """A machine that is here, None for all others: a file has no code run and no address called."""
    level = source.label.rpartition("(")[2].rstrip(")")
    if source.kind == "level" and snapshots and level in LEVELS:
        return SeatChoice("level", level)
    name = source.snapshot or source.label
    if name in snapshots:
        return SeatChoice("snapshot", name)
    if source.kind in ("uci", "gtp"):
        return next((seat for seat in present_seats(spec.id) if label_of(seat) == source.label), None)
    if source.kind in ("random", "idle") or (source.kind == "scripted" and spec.scripted):
        return SeatChoice(source.kind)
    return None


def _usual(spec: GameSpec, snapshots: Sequence[str]) -> SeatChoice:
    return Seating(spec, devices=(), snapshots=snapshots).usual


class TakeOverPage(Screen):
    """Asks for the seat; `take(agent, who)` follows, `who` being whatever was pressed."""

    heading = "Take over which seat?"
    legend = "Up, down: choose    {enter}, {a} or click: play on from here    {esc} or {b}: back"
    transparent = True

    def __init__(
        self,
        lobby: Lobby,
        seats: Sequence[tuple[AgentID, str]],
        *,
        by: SeatChoice,
        take: Callable[[AgentID, SeatChoice], None],
    ) -> None:
        """`seats`: those that can be taken, each with who has it; `by`: who asked."""
        super().__init__(lobby)
        self._seats, self._by, self._take = tuple(seats), by, take

    def widgets(self) -> list[Widget]:
        area = (BOX.left + 30, BOX.top + 84, BOX.w - 60, BOX.h - 114)
        rows = [Item(str(agent), detail=who) for agent, who in self._seats]
        return [ListMenu(area, rows, pick=self._pick, hint="You play this seat, the others go on by themselves")]

    def handle(self, event: InputEvent) -> bool | None:
        if isinstance(event, MenuInput):
            self._by = person(event.device)
        elif isinstance(event, PointerInput) and event.kind == "press":
            self._by = SeatChoice("keyboard")
        return super().handle(event)

    def draw(self, canvas: pygame.Surface) -> None:
        theme.dim(canvas)
        theme.draw_panel(canvas, BOX, edge=theme.EDGE)
        at = (BOX.left + 30, BOX.top + 26)
        self._heading = theme.draw_text(canvas, self.heading, at, size=theme.LARGE, bold=True, width=BOX.w - 60)
        self.focus.draw(canvas)

    def _pick(self, row: int) -> None:
        self.engine.pop()
        self._take(self._seats[row][0], self._by)
