"""The picture of a replay, its heading, and the AI insight beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

import pygame

from agents.seats.controller import AgentID
from arcade import language
from arcade.engine.input.events import PointerInput
from arcade.engine.ui import theme as themes
from arcade.engine.ui.layout import Row
from arcade.engine.ui.texts import Label, Paragraph
from arcade.engine.ui.theme import Colour, Size, Theme
from arcade.engine.ui.widget import Widget
from arcade.games.scores import Points
from arcade.language import _, percent
from arcade.match.play.result import RecordingSource
from arcade.match.playback.playback import Playback
from arcade.scenes.hud.insight_panel import InsightPanel
from arcade.scenes.match.picture import GamePicture
from arcade.scenes.screen import LOW
from arcade.session.match.moment_texts import moment_text
from arcade.session.player_names import PlayerNames
from arcade.session.recordings import recording_texts
from arcade.session.recordings.insights import Insights
from arcade.session.recordings.replay_loading import LoadedReplay
from arcade.session.score_texts import score_line, score_words
from arcade.session.settings import Settings

MARK_SHOWN = 1.2
"""Seconds for which the text of a mark is shown; in turn-based games its own tick."""

PATIENCE = 0.25
"""Seconds of seeking after which a message is shown."""

NEAR = 0.5
"""Seconds of the game, or moves, that count as no seeking: play is always a bit behind."""

AROUND_LOW = 160
"""Units of a low page that the picture leaves for title, time and buttons."""


class ReplayState:
    """What the parts of the page show; `viewer` is a seat, None a spectator, who sees no hidden information."""

    def __init__(self, loaded: LoadedReplay, playback: Playback, names: PlayerNames) -> None:
        self.loaded, self.playback, self.names = loaded, playback, names
        self.viewer: AgentID | None = None
        self._players: tuple[tuple[list[RecordingSource], int], str] = ([], 0), ""  # of these sources in that language
        self._seeking_since: float | None = None

    def moment(self, tick: int) -> str:
        """Return the moment of a tick: minutes and seconds of the game's own time, or moves."""
        return moment_text(self.loaded.spec, tick)

    def seated(self, tick: int) -> dict[AgentID, str]:
        """Return the names of the players in their seats at that tick, except of people unknown on this machine."""
        sources = {agent: self.loaded.replay.source_at(agent, tick) for agent in self.loaded.spec.agents}
        named = {agent: self.names.of_source(source) for agent, source in sources.items()}
        unknown = [
            agent for agent, one in sources.items() if one.human and not one.person and named[agent] == one.label
        ]
        return self.names.of_table({agent: name for agent, name in named.items() if agent not in unknown})

    def players(self) -> str:
        """Return the players of the moment on show, who change where a seat is taken over."""
        replay, tick = self.loaded.replay, self.playback.index
        sources = [replay.source_at(agent, tick) for agent in self.loaded.spec.agents]
        if (shown := (sources, language.version)) != self._players[0]:
            names = list(dict.fromkeys(map(self.names.of_source, sources)))
            who = recording_texts.against(names) if len(names) == 2 else ", ".join(names[:4]) + " …" * (len(names) > 4)
            self._players = shown, who
        return self._players[1]

    def points(self) -> Points:
        """Return each team's score at this moment; () without one."""
        tick = self.playback.tick
        return self.loaded.timeline.score(tick) if tick is not None else ()

    def score(self) -> str:
        """Return the score at this moment in a line; "" without one."""
        return score_line(self.loaded.spec, self.points())

    def time(self) -> str:
        """Return the moment on show, and the whole length."""
        playback, spec = self.playback, self.loaded.spec
        end = str(spec.moves_at(playback.length)) if spec.turn_based else self.moment(playback.length)
        return f"{self.moment(playback.goal)} / {end}"

    def is_seeking(self, now: float) -> bool:
        """Whether the picture has been far from the wanted moment for a while."""
        playback, near = self.playback, NEAR * (1 if self.loaded.spec.turn_based else self.loaded.spec.fps)
        if abs(playback.goal - playback.index) <= near * max(1.0, playback.speed):
            self._seeking_since = None
            return False
        self._seeking_since = now if self._seeking_since is None else self._seeking_since
        return now - self._seeking_since > PATIENCE

    def marks(self) -> list[str]:
        """Return the texts of the marks at this moment, or just before it."""
        spec, here, timeline = self.loaded.spec, self.playback.index, self.loaded.timeline
        span = 0 if spec.turn_based else round(MARK_SHOWN * spec.fps)
        mark = timeline.previous(here + 1)
        if mark is None or here - mark.tick > span:
            return []
        return [one.text or score_words(spec, self.points()) for one in timeline.at(mark.tick)][:2]

    def warnings(self) -> list[str]:
        """Return what is wrong with the recording at this moment."""
        playback, replay = self.playback, self.loaded.replay
        words = []
        if playback.problem:
            text = _("Nothing can be shown after {moment}: {reason}")
            words.append(text.format(moment=self.moment(playback.length), reason=playback.problem))
        elif playback.differs_at is not None and playback.index >= playback.differs_at:
            text = _("Differs from the recorded match after {moment}")
            words.append(text.format(moment=self.moment(playback.differs_at)))
        if replay.damage and playback.goal >= playback.length:
            words.append(_("The recording ends here: {reason}").format(reason=replay.damage))
        return words


WIDE, NAMED, MEDIUM = 1000, 800, 560
"""Units of the page from which the heading has the date, the players, and the name of the game."""


def head_of(state: ReplayState, width: float) -> Widget:
    """Make the line above the picture: the game, its players, score and time; `width` of the page in units."""
    low = width < MEDIUM
    day = _day(state) if width >= WIDE else ""
    who = Paragraph(
        lambda: "   ·   ".join(filter(None, (state.players(), day))),
        size=themes.SMALL,
        colour="muted",
        grow=1,
        least=40,
        lines=2,
    )
    title = Label(_(state.loaded.spec.title), bold=True, least=100)
    left = Row([title, who if width >= NAMED else None], stacks=False, grow=1)
    score = Label(state.score, size=themes.BODY if low else themes.LARGE, bold=True)
    time = Label(state.time, bold=True, align="end", grow=1, least=100)
    return Row([None if low else left, score, time], stacks=False, gap=20)


def _day(state: ReplayState) -> str:
    """Return when it was recorded; "" where the file does not say."""
    try:
        created = datetime.fromisoformat(str(state.loaded.replay.head.get("created", "")))
    except ValueError:
        return ""
    return recording_texts.when(created, datetime.now().astimezone())


class ReplayPicture(Widget):
    """The game; a click plays or pauses.  At its foot: the marks of the moment, warnings, progress of seeking."""

    def __init__(
        self, state: ReplayState, settings: Settings, *, toggle: Callable[[], None], clock: Callable[[], float]
    ) -> None:
        super().__init__(grow=1)
        self._state, self._toggle, self._clock = state, toggle, clock
        self.picture = GamePicture(state.loaded.spec)
        self.picture.follow(settings)
        self._shown: object = None  # the tick that was drawn last

    def natural(self, theme: Theme, width: int) -> Size:
        room = theme.page[1] - AROUND_LOW
        return width, theme.px(max(90, room if theme.page[1] < LOW else 140))

    def least(self, theme: Theme) -> int:
        return theme.px(320)

    def pressed(self) -> bool:
        self._toggle()
        return True

    def pointer(self, event: PointerInput) -> bool:
        return event.is_click and self.pressed()

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        state, area = self._state, self.rect
        pygame.draw.rect(canvas, theme.colours.well, area)
        tick = state.playback.tick
        frame = tick.frame if tick is not None and tick is not self._shown else None
        self._shown = tick
        if self.picture.table is not None:
            self.picture.table.people = [state.viewer] if state.viewer is not None else []
            self.picture.table.names = state.seated(tick.index) if tick is not None else {}
        self.picture.draw(canvas, theme, area, tick, frame, viewer=state.viewer)
        self._draw_captions(canvas, theme)

    def _draw_captions(self, canvas: pygame.Surface, theme: Theme) -> None:
        bottom, px = self.rect.bottom - theme.gap, theme.px
        for text, colour in reversed(self._captions(theme)):
            width = max(1, self.rect.w - px(80))
            picture = theme.fitted(text, width=width, size=themes.SMALL, colour=colour)
            plate = picture.get_rect(midbottom=(self.rect.centerx, bottom - px(6))).inflate(px(28), px(12))
            theme.draw_panel(canvas, plate)
            canvas.blit(picture, picture.get_rect(center=plate.center))
            bottom = plate.top - px(6)

    def _captions(self, theme: Theme) -> list[tuple[str, Colour]]:
        state, colours = self._state, theme.colours
        lines = [
            *((text, colours.ink) for text in state.marks()),
            *((one, colours.warning) for one in state.warnings()),
        ]
        if state.is_seeking(self._clock()):
            text = _("Going to {moment} … {share}")
            goal, share = state.moment(state.playback.goal), percent(state.playback.share)
            lines.append((text.format(moment=goal, share=share), colours.yellow))
        return lines


class InsightColumn(Widget):
    """The AI insight of each seat, as many as there is room for; beside the picture, so that it covers nothing."""

    def __init__(self, insights: Insights, agents: Sequence[AgentID]) -> None:
        super().__init__(grow=1)
        self._panels = [InsightPanel(insights, agent) for agent in agents]

    def natural(self, theme: Theme, width: int) -> Size:
        return min(width, theme.px(300)), theme.px(200) * min(2, len(self._panels))

    def least_height(self, theme: Theme, width: int) -> int:
        return 0

    def least(self, theme: Theme) -> int:
        return theme.px(240)

    def draw(self, canvas: pygame.Surface, theme: Theme) -> None:
        top = self.rect.top
        for panel in self._panels:
            picture = panel.picture(theme, self.rect.w)
            if picture is not None and top + picture.get_height() <= self.rect.bottom:
                canvas.blit(picture, (self.rect.left, top))
                top += picture.get_height() + theme.px(6)
