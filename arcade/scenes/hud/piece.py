"""HudPiece: one part of the HUD, repainted only when it changes; Facts: the state of a match in words, for it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, ClassVar

import pygame

from agents.seats.controller import AgentID, Controller, Insight, SeatChoice
from arcade.engine.ui import theme as themes
from arcade.engine.ui.theme import Colour, Theme
from arcade.games.spec import GameSpec
from arcade.language import _
from arcade.session.player_names import PlayerNames
from arcade.session.settings import Settings

if TYPE_CHECKING:
    from arcade.match.play.match import Match
    from arcade.match.stage.tick import View
    from arcade.session.match.monitor import Monitored
    from arcade.session.training.words import TrainerStrip


LOW = 420
"""Height of a page in units below which the HUD keeps to one narrow bar, so that the picture has the room."""


def is_low(theme: Theme) -> bool:
    """Whether the window is low for its scale."""
    return theme.page[1] < LOW


class Place(Enum):
    """Where a piece is drawn, and how many there are of it."""

    TEAM_OUTER = auto()  # top bar, at the edge of the window; one a team
    TEAM_INNER = auto()  # top bar, towards the clock; one a team
    MIDDLE = auto()  # top bar, one below the other
    FOOT = auto()  # bottom line, behind the title
    PICTURE = auto()  # over the picture; one a seat


class HudPiece(ABC):
    """Ask `picture` each frame; None while there is nothing to show."""

    name: ClassVar[str]  # in settings.toml, behind "hud_"
    label: ClassVar[str]  # on the settings page, with `help`
    help: ClassVar[str]
    place: ClassVar[Place]
    default: ClassVar[bool] = True  # on until the user turns it off
    is_secret: ClassVar[bool] = False  # hidden from people who play a game with hidden cards

    @classmethod
    def applies(cls, spec: GameSpec) -> bool:
        """Return whether the piece has something to show in that game."""
        return True

    @classmethod
    def is_on(cls, settings: Settings) -> bool:
        """Return whether the user wants it."""
        return settings.hud.get(cls.name, cls.default)

    @classmethod
    def turned(cls, settings: Settings, on: bool) -> Settings:
        """Return the settings with the piece turned on or off."""
        return settings.changed(hud={**settings.hud, cls.name: on})

    def __init__(self, facts: Any, owner: Any = None) -> None:
        """`facts` holds what the piece shows: Facts, or a protocol that the piece declares.

        `owner` is the team or the seat, at a place where each has its own.
        """
        self.facts, self.owner = facts, owner
        self._kept: tuple[Any, ...] = ()
        self._picture: pygame.Surface | None = None
        self.paints = 0  # how often it was painted

    def update(self, now: float) -> None:  # noqa: B027
        """Take note of the time, in seconds; called once a frame."""

    @abstractmethod
    def content(self) -> Hashable:
        """Return what it shows as plain values; None for nothing."""

    @abstractmethod
    def paint(self, content: Any, theme: Theme, room: int) -> pygame.Surface:
        """Paint the values of `content`, at most `room` pixels wide."""

    def picture(self, theme: Theme, room: int) -> pygame.Surface | None:
        """Return the present picture."""
        content = self.content()
        if content is None:
            return None
        if (content, theme, room) != self._kept:
            self._kept, self._picture = (content, theme, room), self.paint(content, theme, room)
            self.paints += 1
        return self._picture


def draw_at_sides(
    canvas: pygame.Surface, theme: Theme, area: pygame.Rect, spec: GameSpec,
    pieces: Iterable[tuple[AgentID, HudPiece]],
) -> None:  # fmt: skip
    """Draw the pieces of seats on their team's side of `area`, as many as there is room for."""
    inner = area.inflate(-theme.gap, -theme.gap)
    free = dict.fromkeys((0, 1), inner.top)
    for agent, piece in pieces:
        picture = piece.picture(theme, inner.w // 2 - theme.gap)
        if picture is None:
            continue
        side = spec.side_of(spec.team_of(agent)) if len(spec.teams) > 1 else min(free, key=free.__getitem__)
        if free[side] + picture.get_height() <= inner.bottom:
            canvas.blit(picture, (inner.left if side == 0 else inner.right - picture.get_width(), free[side]))
            free[side] += picture.get_height() + theme.gap


def wrapped(
    theme: Theme, words: str, room: int, *, size: float = themes.SMALLEST, colour: Colour | None = None
) -> pygame.Surface | None:
    """Draw bold words in one or two lines; None where they are wider than `room` pixels."""
    face = theme.font(size, bold=True)
    if max((face.size(word)[0] for word in words.split()), default=0) > room:
        return None
    picture = theme.paragraph(words, width=room, size=size, bold=True, colour=colour)
    return picture if picture.get_height() <= 2 * face.get_linesize() else None


def beside(pictures: Sequence[pygame.Surface], *, gap: int, room: int | None = None) -> pygame.Surface:
    """Join pictures in a row, centred vertically; those that do not fit into `room` are left out."""
    width = 0
    fitting: list[pygame.Surface] = []
    for picture in pictures:
        wider = width + picture.get_width() + (gap if fitting else 0)
        if room is not None and fitting and wider > room:
            break
        fitting.append(picture)
        width = wider
    row = pygame.Surface((max(1, width), max((one.get_height() for one in fitting), default=1)), pygame.SRCALPHA)
    left = 0
    for picture in fitting:
        row.blit(picture, (left, (row.get_height() - picture.get_height()) // 2))
        left += picture.get_width() + gap
    return row


def below(pictures: Sequence[pygame.Surface], *, gap: int = 0, side: str = "left") -> pygame.Surface:
    """Join pictures in a column, aligned at their `side` (left, right, centerx)."""
    width = max(picture.get_width() for picture in pictures)
    height = sum(picture.get_height() for picture in pictures) + gap * (len(pictures) - 1)
    column = pygame.Surface((width, height), pygame.SRCALPHA)
    top = 0
    for picture in pictures:
        rect = picture.get_rect(top=top)
        setattr(rect, side, getattr(column.get_rect(), side))
        column.blit(picture, rect)
        top += picture.get_height() + gap
    return column


class Facts:
    """Reads a launched match; `lineup` is the scene's own and changes with the seats."""

    def __init__(
        self, spec: GameSpec, lineup: Mapping[AgentID, SeatChoice], launched: Monitored,
        names: PlayerNames | None = None,
    ) -> None:  # fmt: skip
        self.spec, self.lineup, self._launched = spec, lineup, launched
        self.names = names or PlayerNames(spec)
        self.trainer: TrainerStrip | None = None  # the training on this machine, of any game
        self.shown: View | None = None  # the view on the table, where that is not the newest
        self.pace_words = ""  # how fast it is played; "" at the game's own pace
        self.online_words = ""  # what the network does; "" for a match of this machine alone

    @property
    def match(self) -> Match:
        return self._launched.match

    @property
    def late_serves(self) -> tuple[int, Sequence[AgentID]]:
        """The penalties since the last point, and whose they are."""
        return self._launched.watch.penalties, self._launched.watch.penalised

    def label(self, agent: AgentID) -> str:
        """Return the name of the seat's player."""
        player = self.match.mapping[agent]
        return self.names.of_label(player.label, player.kind)

    def insight(self, agent: AgentID) -> Insight | None:
        """Return the AI insight of the seat; None without one."""
        return self.match.mapping[agent].insight()

    def notation(self) -> Mapping[str, str]:
        """Return the legal moves as the game writes them, by their names; {} for games without notation."""
        tick = self.match.tick
        view = tick.views.get(None) if tick is not None else None
        names: Mapping[str, str] = (view or {}).get("names", {})
        return names

    def action_space(self, agent: AgentID) -> Any:
        """Return the action space of the seat."""
        return self.match.stage.spaces[agent][1]

    def players(self, team: int) -> tuple[tuple[SeatChoice, str], ...]:
        """Return device and name of each player of the team; ``name × 3`` for a player with three seats."""
        counted = Counter((self.lineup[agent], self.label(agent)) for agent in self.spec.teams[team])
        return tuple((choice, f"{label} × {n}" if n > 1 else label) for (choice, label), n in counted.items())

    def score(self, team: int) -> str:
        """Return the score of the team, "" where it has none."""
        score = self.match.score
        return self.spec.score.number(score[team]) if score else ""

    def network(self) -> str:
        """Return the round-trip times of remote seats, and the late ticks."""
        away = [(agent, _round_trip(controller)) for agent, controller in self.match.mapping.items()]
        far = _("{seat} {ms} ms away")
        words = [far.format(seat=self._seat(agent), ms=round(ms)) for agent, ms in away if ms is not None][:4]
        late = [f"{self._seat(agent)} {count}" for agent, count in self.match.late.items() if count][:4]
        all_late = [_("late ticks: {seats}").format(seats=", ".join(late))] if late else []
        return "  ·  ".join(filter(None, [self.online_words, *words, *all_late]))

    def _seat(self, agent: AgentID) -> str:
        return _(self.spec.seat_title(agent))


def _round_trip(controller: Controller) -> float | None:
    """Return the newest round-trip time of a remote seat in milliseconds; None for others and while silent."""
    remote: Any = getattr(controller, "inner", controller)
    ms = getattr(remote, "rtt_ms", None)
    return None if ms is None or remote.silent else float(ms)
