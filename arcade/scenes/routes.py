"""Routes: scenes open each other by these, without importing each other; every scene has one::

engine.push(routes.Seats(spec))                 # a scene over this one
engine.replace(routes.Match(spec, lineup))      # in its place
engine.return_to(routes.Games())                # the scene below if it is the list of games, else a new one
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.seats.controller import AgentID, SeatChoice
from arcade.engine.window.scene import Route

if TYPE_CHECKING:  # the title is on screen before these are imported
    from arcade.engine.input.events import Device
    from arcade.engine.ui.texts import Text
    from arcade.engine.window.scene import Scene
    from arcade.games.spec import GameSpec
    from arcade.match.play.match import Match as PlayedMatch
    from arcade.match.playback.branch import Branch
    from arcade.match.stage.hosted import HostedStage
    from arcade.scenes.match.command import Command
    from arcade.scenes.match.picture import GamePicture
    from arcade.session.match.outcome import MatchOutcome
    from arcade.session.match.series import Series
    from arcade.session.match.session import MatchSession
    from arcade.session.online.membership import Membership
    from arcade.session.online.session import OnlineSession
    from arcade.session.recordings.recording_list import RecordingList
    from arcade.session.seating import Seating
    from arcade.session.services import Services
    from arcade.session.tournaments import TournamentJob
    from arcade.session.training.run_link import RunLink
    from arcade.together.ways.codes import SessionCode

# Home


class Title(Route, scene="home.title:TitleScene"):
    """The title; with a `lineup` its match begins at once."""

    lineup: Mapping[AgentID, SeatChoice] | None = None


class FirstRun(Route, scene="home.first_run:FirstRunScene"):
    """Name, device and language of a new player, then the tutorial."""


class Profile(Route, scene="home.profile:ProfileScene"):
    """The matches, ratings and achievements of a person; "": of the owner."""

    name: str = ""


class Attract(Route, scene="home.attract:AttractScene"):
    """AI plays one game after another."""


class Games(Route, scene="home.select:SelectScene"):
    """All games; the chosen one is passed to `choose`, or its page is shown."""

    choose: Callable[[GameSpec], None] | None = None
    heading: str = ""  # what the game is chosen for


class Game(Route, scene="home.game:GameScene"):
    """The page of one game."""

    spec: GameSpec


class Strengths(Route, scene="home.strengths:StrengthsScene"):
    """The measured strength of the AI of a game that `arcade.games.strengths.measured` has."""

    spec: GameSpec


class Failed(Route, scene="dialogs.questions:ErrorScene"):
    """An error, and its traceback as text."""

    error: BaseException
    details: str = ""


# Matches


class Seats(Route, scene="setup.seats:SeatsScene"):
    """The seats of `spec`; the device `by` takes the first one, unless people have seats."""

    spec: GameSpec
    by: Device | None = None


class PickPlayer(Route, scene="setup.seat_picker:SeatPickerScene"):
    """The player of one seat of `seating`; `choose` gets the one picked."""

    seating: Seating
    agent: AgentID
    choose: Callable[[SeatChoice], None]


class FairPlay(Route, scene="setup.fair_play:FairPlayScene"):
    """Limits and rules of the next match."""

    seating: Seating


class Match(Route, scene="match.match_scene:MatchScene"):
    """A match, on the `stage` of the last one if given; without a `series` it begins one of the length chosen last.

    With a `branch` it continues a recording, paused until a player is ready.
    """

    spec: GameSpec
    lineup: Mapping[AgentID, SeatChoice]
    stage: HostedStage | None = None
    series: Series | None = None
    branch: Branch | None = None


class Tutorial(Route, scene="match.tutorial:TutorialScene"):
    """The instructions over the match below, for a player with the device `by`."""

    by: SeatChoice


class Pause(Route, scene="match.pause:PauseScene"):
    """The pause menu; `missing` is the word of a disconnected gamepad that has a seat."""

    session: MatchSession
    why: Text = ""
    missing: str = ""
    commands: Sequence[Command] = ()  # of a board
    slots: SaveSlots | None = None


class Pace(Route, scene="match.pace_bar:PaceBar"):
    """The bar that moves a paused match tick by tick."""

    session: MatchSession


class SaveSlots(Route, scene="match.slots_scene:SlotsScene"):
    """The saved moments of a game; in a match also to save one, with the picture that `picture()` saves."""

    spec: GameSpec
    session: MatchSession | None = None
    picture: Callable[[], Callable[[Path], None]] | None = None


class Players(Route, scene="setup.players:PlayersScene"):
    """The seats of a running match."""

    session: MatchSession


class Controls(Route, scene="hud.pages:ControlsScene"):
    """The controls of each person."""

    spec: GameSpec
    lineup: Mapping[AgentID, SeatChoice]
    match: PlayedMatch | None = None
    online: bool = False


class HudPieces(Route, scene="hud.pieces_scene:PiecesScene"):
    """The pieces of the HUD, to be turned on and off."""


class Results(Route, scene="match.results:ResultsScene"):
    """The result of a match; `picture` shows the last frame of `viewer`.

    `again` begins the next match in place of a rematch here, for one over the network; `other_game` is the host's way
    to a match of another game.
    """

    outcome: MatchOutcome
    stage: HostedStage | None = None  # for a rematch; the scene owns it
    picture: GamePicture | None = None
    viewer: AgentID | None = None
    again: Callable[[], None] | None = None
    other_game: Games | None = None
    branch: Branch | None = None  # the moment that the match began at


# Over the network


class Online(Route, scene="online.menu:OnlineScene"):
    """Host a match over the network, or join one."""


class Lobby(Route, scene="online.lobby:LobbyScene"):
    """The seats of a match of `spec` that is hosted here, with the code of an earlier match `again`; or of the host of
    `code`, whose match this machine may have left: `back`.  `by_views`: this machine alone runs the game; `seats`: the
    first choice, if it is not the first seat for the device that was used last."""

    spec: GameSpec | None = None
    again: SessionCode | None = None
    by_views: bool = False
    seats: Mapping[AgentID, SeatChoice] | None = None
    code: str = ""
    back: Membership | None = None


class OnlineMatch(Route, scene="online.match:OnlineMatchScene"):
    """A match over the network that has begun; the scene closes `session`."""

    session: OnlineSession


class OnlineMenu(Route, scene="online.pause:OnlineMenuScene"):
    """The menu over such a match, which is not paused."""

    session: OnlineSession


# Recordings


class Recordings(Route, scene="recordings.browser_scene:BrowserScene"):
    """The recordings of `game`; "": of all games."""

    game: str = ""


class Totals(Route, scene="recordings.totals_scene:TotalsScene"):
    """Totals of the recordings that pass the filters."""

    recordings: RecordingList


class Replay(Route, scene="replay.scene:ReplayScene"):
    """The replay of one recording, from the first tick of `span`.

    With `given` a match begins there at once, with these players; without any of them a person takes a seat.
    """

    path: Path
    speed: float = 1.0
    span: tuple[int, int | None] = (0, None)
    given: Mapping[AgentID, SeatChoice] | None = None


class ChooseInsight(Route, scene="replay.pages:InsightPage"):
    """The snapshot whose AI insight a replay shows, and for which seats: `choose(seats, name)`, "" for none.

    `names` are newest first, `now` the present one.
    """

    spec: GameSpec
    names: Sequence[str]
    now: str
    choose: Callable[[Sequence[AgentID], str], None]


class TakeOver(Route, scene="replay.pages:TakeOverPage"):
    """The seat to take over, of `seats()` with their players' names; calls `take(agent, device)`."""

    spec: GameSpec
    seats: Callable[[], Sequence[tuple[AgentID, str]]]
    take: Callable[[AgentID, SeatChoice], None]


class Video(Route, scene="videos.page:VideoScene"):
    """A video of a recording of `seconds` at the game's own rate; `start` and `end` are preset."""

    replay: Path
    seconds: float
    start: float = 0.0
    end: float | None = None
    viewer: AgentID | None = None


# Ladder and training


class Ladder(Route, scene="ladder.ladder_scene:LadderScene"):
    """The ladder of `game`; "": of the game rated last."""

    game: str = ""


class Runs(Route, scene="training.runs_scene:RunsScene"):
    """The training runs of `game`; "": of all games."""

    game: str = ""


class Run(Route, scene="training.run_scene:RunScene"):
    """One training run; the scene closes `link`."""

    link: RunLink


class TrainOpponent(Route, scene="training.opponent_scene:OpponentScene"):
    """Training an opponent in `spec`: how long, how it goes, and the way to play against it."""

    spec: GameSpec


class Jobs(Route, scene="training.jobs_scene:JobsScene"):
    """Everything under way that takes longer than two seconds, and what ended."""


class Tournament(Route, scene="training.tournament_scene:TournamentScene"):
    """A new tournament of `game`, None: of the featured one; or one that `job` plays."""

    game: GameSpec | None = None
    job: TournamentJob | None = None


class NewRun(Route, scene="training.new_run_scene:NewRunScene"):
    """The form of a new training run; None: of the featured game."""

    game: GameSpec | None = None


# Settings


class Settings(Route, scene="settings.settings_scene:SettingsScene"):
    """The settings, at the page with this title; "": the first."""

    page: str = ""


class KeyBindings(Route, scene="settings.bindings_scene:BindingsScene"):
    """The key bindings, of `spec` first, or of the match on the screen."""

    spec: GameSpec | None = None
    seats: Sequence[Any] = ()


class People(Route, scene="settings.people:PeopleScene"):
    """The people; `choose` gets the name picked, "" for the default player; the focus begins on `selected`."""

    question: str = ""
    selected: str = ""
    choose: Callable[[str], None] | None = None


# Dialogs


class Confirm(Route, scene="dialogs.questions:ConfirmScene"):
    """A question; calls `then` on the answer `yes`, which looks dangerous unless it ends or destroys nothing."""

    question: str
    detail: str
    yes: str
    then: Callable[[], None]
    danger: bool = True
    no: str = ""  # the other answer; "": "No"
    otherwise: Callable[[], None] = lambda: None  # called on it
    has_back: bool = False  # a third button, Esc and B give neither answer


class EnterText(Route, scene="dialogs.questions:TextEntryScene"):
    """A line of text; `done` gets it.  Typed text replaces `value`, or with `adds` follows it."""

    title: str
    value: str
    done: Callable[[str], None]
    limit: int = 120
    hint: str = ""
    adds: bool = False
    pastes: bool = False  # with a button for what is on the clipboard
    symbols: bool = False  # with the signs of addresses and values among the keys


class Pick(Route, scene="dialogs.questions:PickScene"):
    """One of `options`, or of those that a function returns in the present language; `done` gets its index."""

    title: str
    options: Sequence[str] | Callable[[], Sequence[str]]
    index: int
    done: Callable[[int], None]


def make_scene(services: Services, route: Route) -> Scene:
    """Make the scene that `route` leads to."""
    module, _, name = route.scene.partition(":")
    scene: Scene = getattr(import_module(f"arcade.scenes.{module}"), name)(services, route)
    return scene
