"""ReplayView: draws the picture, AI insight and time of a replay."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

import pygame

from agents.seats.controller import AgentID
from arcade.engine.ui import theme
from arcade.match.playback.playback import Playback
from arcade.scenes.hud.piece import Look
from arcade.scenes.hud.pieces.insight import InsightPanel
from arcade.scenes.match.picture import GamePicture
from arcade.scenes.screen import FOOT
from arcade.session.recordings import recording_texts
from arcade.session.recordings.insights import Insights
from arcade.session.recordings.replay_loading import LoadedReplay

TOLD = 1.2
"""Seconds (turn-based: ticks) for which the text of a mark is shown."""

ON_THE_WAY = 0.25
"""Seconds of seeking after which a message is shown."""

MIND_SCALE = 1.3
"""Largest scale of the insight panel: the picture is smaller than in a match."""

NEAR = 0.5
"""Seconds of the game, or moves, that count as no search: play is always a bit behind."""


class ReplayView:
    """Draws one recording.  `viewer` is the seat that looks, None for somebody who watches and sees no secrets."""

    def __init__(self, reel: LoadedReplay, playback: Playback, minds: Insights, *, whole: bool) -> None:
        self.reel, self._playback = reel, playback
        self.viewer: AgentID | None = None
        self.picture = GamePicture(reel.spec, whole=whole)
        self._panels = [InsightPanel(minds, agent) for agent in reel.spec.agents]
        self._shown: object = None  # the tick that was drawn last
        self._searching_since: float | None = None
        self._title = _title(reel)

    def moment(self, tick: int) -> str:
        """When a tick is: minutes and seconds of the game's own time, or moves."""
        if self.reel.spec.turn_based:
            return f"move {tick}"
        seconds = tick / self.reel.spec.fps
        return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"

    def score(self) -> str:
        """The game's own score at this moment, "" where it tells none."""
        tick = self._playback.tick
        info = next(iter(tick.infos.values()), {}) if tick is not None else {}
        score = info.get("score")
        return " : ".join(str(part) for part in score) if isinstance(score, tuple | list) else ""

    def draw(self, canvas: pygame.Surface, layout: ReplayLayout, look: Look, now: float) -> None:
        """All of it."""
        self._draw_head(canvas, layout.head)
        self._draw_picture(canvas, layout.picture)
        self._draw_minds(canvas, layout.picture, look)
        self._draw_captions(canvas, layout.picture, now)

    def _draw_head(self, canvas: pygame.Surface, area: pygame.Rect) -> None:
        size, small, playback = theme.scaled(theme.BODY), theme.scaled(theme.SMALL), self._playback
        end = str(playback.length) if self.reel.spec.turn_based else self.moment(playback.length)
        words = f"{self.moment(playback.goal)} / {end}"
        at = (area.right, area.centery)
        when = theme.draw_text(canvas, words, at, size=size, bold=True, anchor="midright")
        tick = f"tick {playback.goal}"
        if theme.scale() == 1 and not self.reel.spec.turn_based:
            at = (when.left - 16, area.centery)
            when = theme.draw_text(canvas, tick, at, size=small, colour=theme.MUTED, anchor="midright")
        score = self.score()
        middle = area.centerx
        if score:
            told = theme.draw_text(
                canvas, score, area.center, size=theme.scaled(theme.LARGE), bold=True, anchor="center"
            )
            middle = told.left
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
        self.picture.draw(canvas, area, tick, frame, viewer=self.viewer)

    def _draw_minds(self, canvas: pygame.Surface, area: pygame.Rect, look: Look) -> None:
        """Each team's on its own side, as many as there is room for."""
        inner, look = area.inflate(-2 * theme.GAP, -2 * theme.GAP), replace(look, scale=min(look.scale, MIND_SCALE))
        free = dict.fromkeys((0, 1), inner.top)
        for panel in self._panels:
            picture = panel.picture(look, inner.w // 2 - theme.GAP)
            if picture is None:
                continue
            side = min(self.reel.spec.team_of(panel.agent), 1)
            side = side if len(self.reel.spec.teams) > 1 else min(free, key=free.__getitem__)
            if free[side] + picture.get_height() <= inner.bottom:
                left = inner.left if side == 0 else inner.right - picture.get_width()
                canvas.blit(picture, (left, free[side]))
                free[side] += picture.get_height() + theme.GAP

    def _draw_captions(self, canvas: pygame.Surface, area: pygame.Rect, now: float) -> None:
        """At the picture's foot: what happened here, what is not as it was, and how far a search is."""
        lines = [(mark, theme.INK) for mark in self._marks()] + [(words, theme.WARNING) for words in self._warnings()]
        if self._is_searching(now):
            goal = self.moment(self._playback.goal)
            lines.append((f"Going to {goal} …  {self._playback.share:.0%}", theme.YELLOW))
        bottom = area.bottom - theme.GAP
        for words, colour in reversed(lines):
            picture = theme.fitted(words, width=area.w - 80, size=theme.scaled(theme.SMALL), colour=colour)
            plate = picture.get_rect(midbottom=(area.centerx, bottom - 6)).inflate(28, 12)
            theme.draw_panel(canvas, plate)
            canvas.blit(picture, picture.get_rect(center=plate.center))
            bottom = plate.top - 6

    def _is_searching(self, now: float) -> bool:
        """Whether what is shown has been another moment than the wanted one for a while, and not just a bit behind."""
        playback, near = self._playback, NEAR * (1 if self.reel.spec.turn_based else self.reel.spec.fps)
        if abs(playback.goal - playback.index) <= near * max(1.0, playback.speed):
            self._searching_since = None
            return False
        self._searching_since = now if self._searching_since is None else self._searching_since
        return now - self._searching_since > ON_THE_WAY

    def _marks(self) -> list[str]:
        """The words of what happened at this moment, or just before it."""
        spec, here, timeline = self.reel.spec, self._playback.index, self.reel.timeline
        span = 0 if spec.turn_based else round(TOLD * spec.fps)
        mark = timeline.previous(here + 1)
        return [one.words for one in timeline.at(mark.tick)][:2] if mark and here - mark.tick <= span else []

    def _warnings(self) -> list[str]:
        playback, replay = self._playback, self.reel.replay
        words = []
        if playback.problem:
            words.append(f"Nothing can be shown behind {self.moment(playback.length)}: {playback.problem}")
        elif playback.differs_at is not None and playback.index >= playback.differs_at:
            words.append(f"Not as it was, from tick {playback.differs_at} on")
        if replay.damage and playback.goal >= playback.length:
            words.append(f"The recording ends here: {replay.damage}")
        return words


def _title(reel: LoadedReplay) -> tuple[str, str]:
    """The game, and behind it who played it and when."""
    names = list(dict.fromkeys(reel.replay.lineup.values()))
    who = " against ".join(names) if len(names) == 2 else ", ".join(names[:4]) + (" …" if len(names) > 4 else "")
    try:
        created = datetime.fromisoformat(str(reel.replay.head.get("created", "")))
        when = recording_texts.when(created, datetime.now().astimezone())
    except ValueError:
        when = ""
    return reel.spec.title, "   ·   ".join(part for part in (who, when) if part)


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
    def of(size: tuple[int, int], *, seats: bool = True) -> ReplayLayout:
        """For a canvas of that size; without `seats` the picture has their room too."""
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
        side = min(theme.scaled(300), 420) if seats else 0
        return ReplayLayout(
            head,
            pygame.Rect(0, body.top, width - side - (2 * gap if side else 0), body.h),
            pygame.Rect(width - side - gap, body.top, side, body.h),
            scrub,
            tuple(pygame.Rect(theme.MARGIN, top, inner, button) for top in tops),
        )
