"""Pictures of matches: what lies over one, one of each family, every table drawn by us, the results."""

from __future__ import annotations

from agents.seats.controller import SeatChoice
from arcade.engine.input.events import KeyInput
from arcade.language import _
from arcade.match.play.result import MatchResult
from arcade.scenes import routes
from arcade.scenes.match.match_scene import MatchScene
from arcade.session.match.outcome import MatchOutcome
from tests.shots.camera import AI, CHANCE, PERSON, SEED, Shots

REAL_TIME = (
    ("atari/warlords_v3", 60), ("butterfly/knights_archers_zombies_v11", 30), ("mpe/simple_tag_v3", 12),
    ("sisl/pursuit_v5", 5),
)  # fmt: skip
"""Games that machines play, and at which tick they are seen."""

TABLES = (
    "classic/connect_four_v3", "classic/chess_v6", "classic/go_v5", "classic/tictactoe_v3", "classic/rps_v2",
    "classic/texas_holdem_v4", "classic/leduc_holdem_v4", "classic/hanabi_v5",
)  # fmt: skip
"""Games in which a person is to move."""


def take_matches(shots: Shots) -> None:
    """The first match, all that can lie over it, and those of other games."""
    _volley(shots)
    for name, tick in REAL_TIME:
        scene = _begin(shots, name, [CHANCE])
        shots.until(lambda scene=scene, tick=tick: _ticks(scene) >= tick, what=f"a match of {name}")  # type: ignore[misc]
        shots.take(f"match-{_short(name)}")
    for name in TABLES:
        _ask(shots, name, [PERSON, CHANCE])
        shots.take(f"match-{_short(name)}")
    _ask(shots, "classic/texas_holdem_v4", [PERSON])
    shots.take("match-curtain")
    _results(shots)


def _volley(shots: Shots) -> None:
    assert shots.services.library.featured is not None
    scene = _begin(shots, shots.services.library.featured.id, [PERSON, AI])
    shots.take("match-starting")
    shots.until(lambda: _ticks(scene) > 60, what="a match")
    shots.take("match")
    shots.last_picture = scene.field.picture
    engine = shots.engine
    for name, key in (("controls", "f1"), ("shown", "f4"), ("step", "f7")):
        scene.handle(KeyInput(key, pressed=True))
        shots.take(f"match-{name}")
        engine.pop()
    scene.pause()
    shots.take("pause")
    engine.push(routes.Players(scene.session))
    shots.take("match-players")
    engine.pop()
    engine.pop()
    engine.push(routes.Tutorial(PERSON))
    shots.take("tutorial")
    engine.pop()
    scene.pause(lambda: _("{device} is disconnected").format(device="Xbox Controller"), missing="gamepad:0")
    shots.take("pause-pad")


def _results(shots: Shots) -> None:
    spec = shots.services.library.featured
    assert spec is not None
    left, right = (str(agent) for agent in spec.agents)
    result = MatchResult(
        game=spec.id,
        seed=SEED,
        ticks=2041,
        seconds=34.2,
        ended="finished",
        lineup={left: "Player", right: "volley-000120"},
        returns={left: 2.0, right: -2.0},
        teams=[[left], [right]],
        placements={left: 1, right: 2},
        late={left: 0, right: 3},
    )
    lineup = dict(zip(spec.agents, (PERSON, AI), strict=True))
    outcome = MatchOutcome(shots.services, spec, lineup, result)
    outcome.keep_result()
    shots.engine.reset_to(routes.Results(outcome, picture=shots.last_picture))
    shots.until(lambda: outcome.ratings is not None, what="the ratings")
    outcome.show_recording(shots.services.library.recordings().list()[0][0])
    shots.take("results")


def _begin(shots: Shots, name: str, players: list[SeatChoice]) -> MatchScene:
    """A match of that game; the last of `players` sits in all further seats."""
    spec = shots.game(name)
    filled = [*players, *[players[-1]] * len(spec.agents)]
    scene = MatchScene(shots.services, routes.Match(spec, dict(zip(spec.agents, filled, strict=False))))
    shots.show(scene)
    return scene


def _ask(shots: Shots, name: str, players: list[SeatChoice]) -> None:
    """The first match of that game in which a person is to move: chance may end one before."""
    while True:
        scene = _begin(shots, name, players)
        shots.until(
            lambda scene=scene: _asks(scene) or shots.engine.scene is not scene, what=f"a move to make in {name}"
        )  # type: ignore[misc]
        if shots.engine.scene is scene:
            return


def _ticks(scene: MatchScene) -> int:
    match = scene.match
    return match.tick.index if match is not None and match.tick is not None else 0


def _asks(scene: MatchScene) -> bool:
    """Whether a person is waited for."""
    match = scene.match
    return match is not None and any(scene.session.lineup[agent].is_human for agent in match.waiting_for)


def _short(name: str) -> str:
    """The game's own name without its version."""
    return name.partition("/")[2].rpartition("_v")[0]
