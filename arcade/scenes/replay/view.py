"""ReplayView: draws the picture, AI insight and time of a replay."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import pygame

from agents.seats.controller import AgentID
from arcade.engine.ui import theme
from arcade.engine.ui.theme import Theme
from arcade.match.playback.playback import Playback
from arcade.scenes.hud.piece import draw_at_sides
from arcade.scenes.hud.pieces import InsightPanel
from arcade.scenes.match.picture import GamePicture
from arcade.scenes.screen import FOOT
from arcade.session.match.pace import moment_text
from arcade.session.player_names import PlayerNames
from arcade.session.recordings import recording_texts
from arcade.session.recordings.insights import Insights
from arcade.session.recordings.replay_loading import LoadedReplay
from arcade.session.score_texts import score_line
from arcade.session.settings import Settings

MARK_SHOWN = 1.2
"""Seconds for which the text of a mark is shown; in turn-based games its own tick."""

PATIENCE = 0.25
"""Seconds of seeking after which a message is shown."""

NEAR = 0.5
"""Seconds of the game, or moves, that count as no seeking: play is always a bit behind."""


class ReplayView:
    """Draws one recording for the seat `viewer`; None is a spectator, who sees no hidden information."""

    def __init__(self, loaded: LoadedReplay, playback: Playback, insights: Insights, settings: Settings) -> None:
        self._loaded, self._playback = loaded, playback
        self.viewer: AgentID | None = None
        self.picture = GamePicture(loaded.spec)
        self.picture.follow(settings)
        self._panels = [(agent, InsightPanel(insights, agent)) for agent in loaded.spec.agents]
        self._shown: object = None  # the tick that was drawn last
        self._seeking_since: float | None = None
        self._title = _title(loaded)

    def moment(self, tick: int) -> str:
        """Return the moment of a tick: minutes and seconds of the game's own time, or moves."""
        return moment_text(self._loaded.spec, tick)

    def score(self) -> str:
        """Return the score at this moment; "" without one."""
        tick, spec = self._playback.tick, self._loaded.spec
        return score_line(spec, self._loaded.timeline.score(tick)) if tick is not None else ""

    def draw(self, canvas: pygame.Surface, layout: ReplayLayout, look: Theme, now: float) -> None:
        """Draw picture, AI insight, title and messages."""
        self._draw_head(canvas, layout.head)
        self._draw_picture(canvas, layout.picture)
        draw_at_sides(canvas, look, layout.picture, self._loaded.spec, self._panels)
        self._draw_captions(canvas, layout.picture, now)

    def _draw_head(self, canvas: pygame.Surface, area: pygame.Rect) -> None:
        size, small, playback = theme.scaled(theme.BODY), theme.scaled(theme.SMALL), self._playback
        end = str(playback.length) if self._loaded.spec.turn_based else self.moment(playback.length)
        words = f"{self.moment(playback.goal)} / {end}"
        at = (area.right, area.centery)
        when = theme.draw_text(canvas, words, at, size=size, bold=True, anchor="midright")
        tick = f"tick {playback.goal}"
        if theme.scale() == 1 and not self._loaded.spec.turn_based:
            at = (when.left - 16, area.centery)
            when = theme.draw_text(canvas, tick, at, size=small, colour=theme.MUTED, anchor="midright")
        score = self.score()
        middle = area.centerx
        if score:
            drawn = theme.draw_text(
                canvas, score, area.center, size=theme.scaled(theme.LARGE), bold=True, anchor="center"
            )
            middle = drawn.left
        game, who = self._title
        room = (middle if score else when.left) - area.left - 24
        at = (area.left, area.centery)
        title = theme.draw_text(canvas, game, at, size=size, bold=True, anchor="midleft", width=room)
        room -= title.w + 16
        if room > 60:
            at = (title.right + 16, area.centery)
            theme.draw_text(canvas, who, at, size=small, colour=theme.MUTED, anchor="midleft", width=room)

    def _draw_picture(self, canvas: pygame.Surface, area: pygame.Rect) -> None:
        pygame.draw.rect(canvas, theme.WELL, area)
        tick = self._playback.tick
        frame = tick.frame if tick is not None and tick is not self._shown else None
        self._shown = tick
        if self.picture.table is not None:
            self.picture.table.people = [self.viewer] if self.viewer is not None else []
        self.picture.draw(canvas, theme.page_theme(), area, tick, frame, viewer=self.viewer)

    def _draw_captions(self, canvas: pygame.Surface, area: pygame.Rect, now: float) -> None:
        """Draw at the foot of the picture: the marks of this moment, warnings, and the progress of seeking."""
        lines = [(mark, theme.INK) for mark in self._marks()] + [(words, theme.WARNING) for words in self._warnings()]
        if self._is_seeking(now):
            goal = self.moment(self._playback.goal)
            lines.append((f"Going to {goal} …  {self._playback.share:.0%}", theme.YELLOW))
        bottom = area.bottom - theme.GAP
        for words, colour in reversed(lines):
            picture = theme.fitted(words, width=area.w - 80, size=theme.scaled(theme.SMALL), colour=colour)
            plate = picture.get_rect(midbottom=(area.centerx, bottom - 6)).inflate(28, 12)
            theme.draw_panel(canvas, plate)
            canvas.blit(picture, picture.get_rect(center=plate.center))
            bottom = plate.top - 6

    def _is_seeking(self, now: float) -> bool:
        """Whether the picture has been far from the wanted moment for a while."""
        playback, near = self._playback, NEAR * (1 if self._loaded.spec.turn_based else self._loaded.spec.fps)
        if abs(playback.goal - playback.index) <= near * max(1.0, playback.speed):
            self._seeking_since = None
            return False
        self._seeking_since = now if self._seeking_since is None else self._seeking_since
        return now - self._seeking_since > PATIENCE

    def _marks(self) -> list[str]:
        """Return the texts of the marks at this moment, or just before it."""
        spec, here, timeline = self._loaded.spec, self._playback.index, self._loaded.timeline
        span = 0 if spec.turn_based else round(MARK_SHOWN * spec.fps)
        mark = timeline.previous(here + 1)
        return [one.text for one in timeline.at(mark.tick)][:2] if mark and here - mark.tick <= span else []

    def _warnings(self) -> list[str]:
        playback, replay = self._playback, self._loaded.replay
        words = []
        if playback.problem:
            words.append(f"Nothing can be shown after {self.moment(playback.length)}: {playback.problem}")
        elif playback.differs_at is not None and playback.index >= playback.differs_at:
            words.append(f"Differs from the recorded match from tick {playback.differs_at} on")
        if replay.damage and playback.goal >= playback.length:
            words.append(f"The recording ends here: {replay.damage}")
        return words


def _title(loaded: LoadedReplay) -> tuple[str, str]:
    """Return the game, and its players and date."""
    name, replay = PlayerNames(loaded.spec).of_label, loaded.replay
    sources = [replay.source_at(agent, 0) for agent in loaded.spec.agents]
    names = list(dict.fromkeys(name(source.label, source.kind) for source in sources))
    who = " against ".join(names) if len(names) == 2 else ", ".join(names[:4]) + (" …" if len(names) > 4 else "")
    try:
        created = datetime.fromisoformat(str(loaded.replay.head.get("created", "")))
        when = recording_texts.when(created, datetime.now().astimezone())
    except ValueError:
        when = ""
    return loaded.spec.title, "   ·   ".join(part for part in (who, when) if part)


BUTTON = 50
"""Height of a button at the usual scale."""


@dataclass(frozen=True, slots=True)
class ReplayLayout:
    """The areas of the page, from top to bottom; the buttons have one row, enlarged two."""

    head: pygame.Rect
    picture: pygame.Rect
    seats: pygame.Rect
    scrub: pygame.Rect
    rows: tuple[pygame.Rect, ...]

    @staticmethod
    def of(size: tuple[int, int]) -> ReplayLayout:
        """Lay out a canvas of that size."""
        width, height = size
        large = theme.scale() > 1
        foot = 2 * theme.font(theme.scaled(theme.SMALL)).get_linesize() + theme.GAP if large else FOOT
        button, gap = (min(theme.scaled(34), 60) if large else BUTTON), theme.GAP
        rows = 2 if large else 1
        inner = width - 2 * theme.MARGIN
        bottom = height - foot - 10
        tops = [bottom - (rows - place) * button - (rows - 1 - place) * gap for place in range(rows)]
        scrub = pygame.Rect(theme.MARGIN - 10, tops[0] - 54, inner + 20, 42)
        head = pygame.Rect(theme.MARGIN, 0, inner, min(theme.scaled(52), 84))
        body = pygame.Rect(0, head.bottom, width, scrub.top - head.bottom - 8)
        side = min(theme.scaled(300), 420)
        return ReplayLayout(
            head,
            pygame.Rect(0, body.top, width - side - 2 * gap, body.h),
            pygame.Rect(width - side - gap, body.top, side, body.h),
            scrub,
            tuple(pygame.Rect(theme.MARGIN, top, inner, button) for top in tops),
        )
