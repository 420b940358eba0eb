"""How each screen comes about: the same on every machine, down to its digits."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

from agents.files import folder
from agents.ladder.ladder import Ladder
from agents.seats.controller import SeatChoice
from arcade.engine.window.engine import Engine
from arcade.engine.window.scene import Route
from arcade.games.spec import GameSpec
from arcade.match.play.result import MatchResult
from arcade.scenes import routes
from arcade.session.match.outcome import MatchOutcome
from arcade.session.services import Services
from arcade.session.tournaments import TournamentJob
from arcade.session.training.speed import Source, Speed
from arcade.session.training.training import Forecast
from arcade.together.ways.nearby import NearbyMatch
from tests.shots.jobs import TOURNAMENT, Underway
from tests.shots.ladder import ALIKE, add_duels
from tests.shots.training import BATCH, LINES, made_up_metrics
from tests.support.clocks import FairClock
from tests.support.recorded import Fingers, record

DEADLINE = 300.0
SCRIPTED, RANDOM, PERSON = SeatChoice("scripted"), SeatChoice("random"), SeatChoice("keyboard")
RUN = "volley-20260102-120000"


class Studio:
    """An arcade whose clock is turned by hand."""

    def __init__(self, engine: Engine, services: Services, clock: FairClock, home: Path) -> None:
        self.engine, self.services, self.clock, self.home = engine, services, clock, home
        self.open(routes.Title())
        self.until(lambda: services.ready, "the games")

    def open(self, route: Route) -> None:
        """Only this screen."""
        self.clock.match = None
        self.engine.toasts.forget()
        self.engine.reset_to(route)
        self.frame()

    def frame(self, count: int = 1) -> None:
        for _ in range(count):
            self.engine.rest()
            self.engine.frame(self.clock.now)

    def until(self, condition: Callable[[], object], what: str) -> None:
        end = time.monotonic() + DEADLINE
        while not condition():
            assert time.monotonic() < end, f"expected {what}, got: {self.engine.scene}"
            self.frame()

    def game(self, name: str) -> GameSpec:
        return next(spec for spec in self.services.library.games if spec.id == name)


def show(studio: Studio, *, route: Callable[[Studio], Route]) -> None:
    studio.open(route(studio))
    studio.until(lambda: not studio.services.worker.busy, "the page")
    studio.frame(3)


def play(studio: Studio, *, game: str, seats: Sequence[SeatChoice], ticks: int) -> None:
    """A match of AI players, stopped at one of its ticks."""
    _begin(studio, game, seats)
    scene = studio.engine.scene
    studio.until(lambda: scene.match is not None, "a match")
    studio.clock.match = scene.match
    studio.until(lambda: scene.match.tick is not None and scene.match.tick.index >= ticks, f"tick {ticks}")


def ask(studio: Studio, *, game: str) -> None:
    """The first move of a person in the first match that chance does not end before."""
    for seed in range(7, 100):
        _begin(studio, game, [PERSON, RANDOM], seed=seed)
        if _asked(studio):
            break
    studio.frame(3)


def _asked(studio: Studio) -> bool:
    scene = studio.engine.scene

    def asked() -> bool:
        return scene.match and any(scene.session.lineup[agent].is_human for agent in scene.match.waiting_for)

    studio.until(lambda: asked() or studio.engine.scene is not scene, "a move to make")
    return studio.engine.scene is scene


def pause(studio: Studio) -> None:
    play(studio, game="house/volley", seats=[SCRIPTED, RANDOM], ticks=40)
    studio.clock.match = None  # a tick that is on its way is not waited for any more
    studio.engine.scene.pause()
    studio.frame(3)


def results(studio: Studio) -> None:
    spec = studio.game("house/volley")
    left, right = (str(agent) for agent in spec.agents)
    result = MatchResult(
        game=spec.id, seed=7, ticks=2041, seconds=34.2, ended="finished", lineup={left: "Player", right: "volley-7"},
        returns={left: 2.0, right: -2.0}, teams=[[left], [right]], placements={left: 1, right: 2},
        late={left: 0, right: 3},
    )  # fmt: skip
    lineup = dict(zip(spec.agents, (PERSON, SCRIPTED), strict=True))
    show(studio, route=lambda studio: routes.Results(MatchOutcome(studio.services, spec, lineup, result)))


def online(studio: Studio) -> None:
    studio.open(routes.Online())
    studio.engine.scene._finder.close()
    studio.engine.scene._finder = Announced()  # whatever else is hosted on this network
    studio.frame(3)


class Announced:
    """Two matches that are hosted on this network."""

    trouble = ""
    found = (NearbyMatch("one", "house/volley", "Ann"), NearbyMatch("two", "classic/chess_v6", "Bo"))

    def close(self) -> None:
        """Nothing to end."""


def recordings(studio: Studio) -> None:
    _recorded(studio)
    show(studio, route=lambda studio: routes.Recordings())
    studio.until(lambda: studio.engine.scene.recordings.all, "the recordings")
    studio.until(lambda: list(folder("replays").glob("*.png")), "the picture, which is made meanwhile")
    studio.until(lambda: not studio.engine.scene._thumbnails.missing, "the page to have found it")
    studio.until(lambda: not studio.services.worker.busy, "its pictures")
    studio.frame(3)


def replay(studio: Studio) -> None:
    studio.open(routes.Replay(_recorded(studio)))
    scene = studio.engine.scene
    studio.until(lambda: scene.ready and scene.playback.goal >= 60, "a second of the recording")
    scene.playback.pause()
    scene.playback.seek(60)  # a slow machine may be past it
    studio.until(lambda: scene.playback.index == 60, "the picture")
    studio.frame(3)


def ladder(studio: Studio) -> None:
    _fill_ladder(studio)
    show(studio, route=lambda studio: routes.Ladder(ALIKE))
    studio.until(lambda: studio.engine.scene.book.read, "the ladder")
    studio.frame(3)


def curves(studio: Studio) -> None:
    folder = studio.home / "runs" / RUN
    folder.mkdir(parents=True, exist_ok=True)
    lines = [line | {"step": BATCH * place} for place, line in enumerate(made_up_metrics(random.Random(7)))]
    (folder / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines[:LINES]))
    show(studio, route=lambda studio: routes.Runs())
    studio.until(lambda: studio.engine.scene.runs, "the run")
    studio.engine.scene.show_run(studio.engine.scene.runs[0])
    studio.until(lambda: studio.engine.scene.link.curves.of("kl"), "the curves")
    studio.frame(20)  # a chart a frame


def save_slots(studio: Studio) -> None:
    """A match with one moment in a slot."""
    play(studio, game="house/volley", seats=[SCRIPTED, RANDOM], ticks=60)
    studio.clock.match, match = None, studio.engine.scene
    match._open(match._slots)
    slots = match.session.slots
    studio.until(lambda: slots.save(1, match.session.lineup, match._thumbnail()), "a tick to save")
    studio.until(lambda: slots.slots, "the slot")
    slots.slots[1] = replace(slots.slots[1], saved=datetime(2026, 1, 2, 12, 0))
    slots.changed()
    studio.until(lambda: not studio.services.worker.busy, "the picture")
    studio.frame(3)


def train_opponent(studio: Studio) -> None:
    studio.until(lambda: studio.services.trainings is not None, "the trainings")
    spec = studio.game("house/volley")
    studio.open(routes.TrainOpponent(spec))
    scene = studio.engine.scene
    studio.until(lambda: scene.forecast is not None, "the forecast")
    scene.forecast = Forecast(spec, Speed(9_000.0, Source.OTHERS), ())  # that of another machine
    studio.frame(20)  # texts change by themselves


def jobs(studio: Studio) -> None:
    listed, spec = studio.services.jobs, studio.game("house/volley")
    listed.running[:] = [Underway(spec, 0.4, "Checking the players"), Underway(studio.game("classic/chess_v6"), None)]
    listed.ended.clear()
    listed.ended.append(Underway(spec, 1.0, "Done", done=True))
    studio.open(routes.Jobs())
    studio.frame(3)
    listed.running.clear()
    listed.forget_ended()


def tournament(studio: Studio) -> None:
    spec = studio.game("house/volley")
    names = studio.services.library.player_names(spec)
    job = TournamentJob(spec, ["scripted", "random"], settings=TOURNAMENT, shown=names.of_label)
    assert job.wait(DEADLINE), "expected the end of the tournament, got none"
    studio.open(routes.Tournament(spec, job))
    studio.frame(3)


def profile(studio: Studio) -> None:
    _fill_ladder(studio)
    studio.open(routes.Profile("Ann"))
    studio.until(lambda: studio.engine.scene.sheet is not None, "the matches")
    studio.frame(3)


def _fill_ladder(studio: Studio) -> None:
    path = studio.home / "ladder.sqlite"
    path.unlink(missing_ok=True)
    with Ladder(path) as store:
        add_duels(store)


def _begin(studio: Studio, game: str, seats: Sequence[SeatChoice], *, seed: int = 7) -> None:
    studio.services.setup._seed = seed  # else of the match before it and one more
    spec = studio.game(game)
    filled = [*seats, *[seats[-1]] * len(spec.agents)]
    studio.open(routes.Match(spec, dict(zip(spec.agents, filled, strict=False))))


def _recorded(studio: Studio) -> Path:
    folder = studio.home / "replays"
    folder.mkdir(exist_ok=True)
    path = folder / "house-volley-20260102-120000-000001-7.replay"
    return path if path.exists() else record(path, {"left_0": Fingers("Ann")}, ticks=120)


SCREENS: dict[str, Callable[[Studio], None]] = {
    "title": partial(show, route=lambda studio: routes.Title()),
    "first-run": partial(show, route=lambda studio: routes.FirstRun()),
    "games": partial(show, route=lambda studio: routes.Games()),
    "seats": partial(show, route=lambda studio: routes.Seats(studio.game("house/volley"))),
    "seats-many": partial(show, route=lambda studio: routes.Seats(studio.game("butterfly/pistonball_v6"))),
    "settings": partial(show, route=lambda studio: routes.Settings("Display")),
    "controls": partial(show, route=lambda studio: routes.KeyBindings(studio.game("house/volley"))),
    "people": partial(show, route=lambda studio: routes.People()),
    "match-volley": partial(play, game="house/volley", seats=[SCRIPTED, RANDOM], ticks=60),
    "match-warlords": partial(play, game="atari/warlords_v3", seats=[RANDOM], ticks=60),
    "match-knights": partial(play, game="butterfly/knights_archers_zombies_v11", seats=[RANDOM], ticks=30),
    "match-tag": partial(play, game="mpe/simple_tag_v3", seats=[RANDOM], ticks=12),
    "match-pursuit": partial(play, game="sisl/pursuit_v5", seats=[RANDOM], ticks=5),
    "match-connect-four": partial(ask, game="classic/connect_four_v3"),
    "match-chess": partial(ask, game="classic/chess_v6"),
    "match-go": partial(ask, game="classic/go_v5"),
    "match-tictactoe": partial(ask, game="classic/tictactoe_v3"),
    "match-rps": partial(ask, game="classic/rps_v2"),
    "match-texas-holdem": partial(ask, game="classic/texas_holdem_v4"),
    "match-leduc-holdem": partial(ask, game="classic/leduc_holdem_v4"),
    "match-hanabi": partial(ask, game="classic/hanabi_v5"),
    "pause": pause,
    "save-slots": save_slots,
    "results": results,
    "online": online,
    "recordings": recordings,
    "replay": replay,
    "ladder": ladder,
    "training": curves,
    "train-opponent": train_opponent,
    "jobs": jobs,
    "tournament": tournament,
    "profile": profile,
}
