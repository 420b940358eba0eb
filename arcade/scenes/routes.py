"""Routes: how scenes reach each other without importing each other.  Every scene has one entry here::

engine.push(routes.Seats(spec))                 # a scene over this one
engine.replace(routes.Match(spec, lineup))      # in its place
engine.return_to(routes.Games())                # the scene below if it shows games, else a new one
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.seats.choice import SeatChoice
from agents.seats.controller import AgentID
from arcade.engine.window.route import Route

if TYPE_CHECKING:  # the title is on screen before these are imported
    from arcade.engine.input.events import Device
    from arcade.engine.window.scene import Scene
    from arcade.games.spec import GameSpec
    from arcade.match.play.match import Match as PlayedMatch
    from arcade.match.playback.branch import Branch
    from arcade.match.stage.hosted import HostedStage
    from arcade.scenes.match.picture import GamePicture
    from arcade.session.match.outcome import MatchOutcome
    from arcade.session.match.series import Series
    from arcade.session.match.session import MatchSession
    from arcade.session.recordings.recording_list import RecordingList
    from arcade.session.seating import Seating
    from arcade.session.services import Services
    from arcade.session.training.run_link import RunLink

# Home


@dataclass(frozen=True)
class Title(Route):
    """The title; with a `lineup` its match begins by itself, once."""

    lineup: Mapping[AgentID, SeatChoice] | None = None


@dataclass(frozen=True)
class Attract(Route):
    """AI plays one game after another."""


@dataclass(frozen=True)
class Games(Route):
    """All games; `choose` gets the chosen one instead of its seats being shown."""

    choose: Callable[[GameSpec], None] | None = None


@dataclass(frozen=True)
class Failed(Route):
    """An error and its traceback as text."""

    error: BaseException
    words: str = ""


# Matches


@dataclass(frozen=True)
class Seats(Route):
    """Who plays `spec`; the device `by` led here and takes the first seat unless people have one."""

    spec: GameSpec
    by: Device | None = None


@dataclass(frozen=True)
class FairPlay(Route):
    """Limits and rules of the match that is set up."""

    seating: Seating


@dataclass(frozen=True)
class Match(Route):
    """A match, on `stage` if one is handed on; `series` None begins a new one, as long as was chosen last.

    With a `branch` it continues a recording, and stays paused until a player is ready.
    """

    spec: GameSpec
    lineup: Mapping[AgentID, SeatChoice]
    stage: HostedStage | None = None
    series: Series | None = None
    branch: Branch | None = None


@dataclass(frozen=True)
class Pause(Route):
    """Over a match; `missing` is the word of a gamepad that has a seat and is disconnected."""

    session: MatchSession
    why: str = ""
    missing: str = ""


@dataclass(frozen=True)
class Pace(Route):
    """Tick by tick through a paused match."""

    session: MatchSession


@dataclass(frozen=True)
class Players(Route):
    """Who plays in a running match."""

    session: MatchSession


@dataclass(frozen=True)
class Controls(Route):
    """What every person's keys and buttons do."""

    spec: GameSpec
    lineup: Mapping[AgentID, SeatChoice]
    match: PlayedMatch | None = None


@dataclass(frozen=True)
class HudPieces(Route):
    """Which pieces of the HUD are shown."""


@dataclass(frozen=True)
class Results(Route):
    """The result of a match; `picture` shows what `viewer` saw last."""

    outcome: MatchOutcome
    stage: HostedStage | None = None  # for a rematch; the scene owns it
    picture: GamePicture | None = None
    viewer: AgentID | None = None


# Recordings


@dataclass(frozen=True)
class Recordings(Route):
    """All recordings."""


@dataclass(frozen=True)
class Totals(Route):
    """How much is recorded, of the recordings that pass the filters."""

    recordings: RecordingList


@dataclass(frozen=True)
class Replay(Route):
    """One recording, from the first tick of `span`, the ticks that count."""

    path: Path
    speed: float = 1.0
    span: tuple[int, int | None] = (0, None)


@dataclass(frozen=True)
class ChooseInsight(Route):
    """Which snapshot to ask at a recording, and for which seats: `choose(seats, name)`, "" for none.

    `names` are newest first, `now` the present one.
    """

    agents: Sequence[AgentID]
    names: Sequence[str]
    now: str
    choose: Callable[[Sequence[AgentID], str], None]


@dataclass(frozen=True)
class TakeOver(Route):
    """Which of `seats` to take over, each with its player's label; `by` asked, `take(agent, who)` follows."""

    seats: Sequence[tuple[AgentID, str]]
    by: SeatChoice
    take: Callable[[AgentID, SeatChoice], None]


@dataclass(frozen=True)
class Video(Route):
    """A video of a recording of `seconds` at the game's own rate; `start` and `end` are preset."""

    replay: Path
    seconds: float
    start: float = 0.0
    end: float | None = None
    viewer: AgentID | None = None


# Ladder and training


@dataclass(frozen=True)
class Ladder(Route):
    """The ladder of `game`; "": of the game rated last."""

    game: str = ""


@dataclass(frozen=True)
class Runs(Route):
    """All training runs."""


@dataclass(frozen=True)
class Run(Route):
    """One training run; the scene closes `link`."""

    link: RunLink


@dataclass(frozen=True)
class NewRun(Route):
    """The form of a new training run; None: of the featured game."""

    game: GameSpec | None = None


# Settings


@dataclass(frozen=True)
class Settings(Route):
    """The settings page with this title; "": the first."""

    page: str = ""


@dataclass(frozen=True)
class KeyBindings(Route):
    """Keys and buttons; of `spec` first, or of the match that is being played."""

    spec: GameSpec | None = None
    seats: Sequence[Any] = ()


@dataclass(frozen=True)
class People(Route):
    """The people who play here; `choose` gets the name picked, "" for none, and `held` has the focus first."""

    question: str = ""
    held: str = ""
    choose: Callable[[str], None] | None = None


# Dialogs


@dataclass(frozen=True)
class Confirm(Route):
    """A question; `then` follows the answer `yes`."""

    question: str
    detail: str
    yes: str
    then: Callable[[], None]


@dataclass(frozen=True)
class EnterText(Route):
    """A line of text; `done` gets it."""

    title: str
    value: str
    done: Callable[[str], None]
    limit: int = 120
    hint: str = ""


@dataclass(frozen=True)
class Pick(Route):
    """One of several words; `done` gets the index picked."""

    title: str
    options: Sequence[str]
    index: int
    done: Callable[[int], None]


SCENES: Mapping[type[Route], str] = {
    Title: "home.title:TitleScene",
    Attract: "home.attract:AttractScene",
    Games: "home.select:SelectScene",
    Failed: "dialogs.error:ErrorScene",
    Seats: "setup.seats:SeatsScene",
    FairPlay: "setup.fair_play:FairPlayScene",
    Match: "match.match_scene:MatchScene",
    Pause: "match.pause:PauseScene",
    Pace: "match.pace_bar:PaceBar",
    Players: "match.players:PlayersScene",
    Controls: "hud.controls_scene:ControlsScene",
    HudPieces: "hud.shown_scene:ShownScene",
    Results: "match.results:ResultsScene",
    Recordings: "recordings.browser_scene:BrowserScene",
    Totals: "recordings.totals_scene:TotalsScene",
    Replay: "replay.scene:ReplayScene",
    ChooseInsight: "replay.insight_page:InsightPage",
    TakeOver: "replay.takeover_page:TakeOverPage",
    Video: "videos.page:VideoScene",
    Ladder: "ladder.ladder_scene:LadderScene",
    Runs: "training.runs_scene:RunsScene",
    Run: "training.run_scene:RunScene",
    NewRun: "training.new_run_scene:NewRunScene",
    Settings: "settings.settings_scene:SettingsScene",
    KeyBindings: "settings.bindings_scene:BindingsScene",
    People: "settings.people:PeopleScene",
    Confirm: "dialogs.confirm:ConfirmScene",
    EnterText: "dialogs.text_entry:TextEntryScene",
    Pick: "dialogs.pick:PickScene",
}
"""Module below arcade.scenes, and class; imported with the first visit, so that the title comes up fast."""


def make_scene(services: Services, route: Route) -> Scene:
    """The scene that `route` leads to."""
    module, _, name = SCENES[type(route)].partition(":")
    scene: Scene = getattr(import_module(f"arcade.scenes.{module}"), name)(services, route)
    return scene
