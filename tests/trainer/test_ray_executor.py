"""Many matches over Ray come out as in this process."""

import json

from agents.seats.kinds import parse_seat
from agents.snapshots.store import open_store
from arcade.games import find_game
from arcade.match.batch.plan import Fixture, MatchPlan
from arcade.match.batch.processes import Processes
from trainer.cluster.ray_executor import RayExecutor

PLAYERS = ("snapshot:volley-1", "snapshot:volley-7", "random?noise=0.5")


def test_matches_are_the_same_on_a_cluster(arcade_home, ray_cluster, monkeypatch):
    monkeypatch.setattr("trainer.cluster.ray_executor.join_ray", lambda *_, **__: None)  # it is there
    monkeypatch.setattr("trainer.cluster.ray_executor.stop_ray", lambda: None)
    store = open_store()
    players = tuple(map(parse_seat, PLAYERS))
    sent = {one.argument: store.get(one.argument) for one in players if one.argument}
    plan = MatchPlan(spec=find_game("house/volley"), players=players, sent=sent, max_ticks=60, vectorise=True)
    pairs = [(0, 1), (1, 0), (0, 1), (1, 0), (0, 2)]
    fixtures = [Fixture(number=n, seed=n // 2, players=pair) for n, pair in enumerate(pairs)]
    with RayExecutor(plan, count=2) as cluster, Processes(plan, 1) as here:
        assert outcomes(cluster.play(fixtures)) == outcomes(here.play(fixtures))


def outcomes(played):
    rows = [(one.fixture.number, one.result.returns, one.result.ticks, one.result.lineup) for one in played]
    assert len(rows) == 5
    return sorted(map(json.dumps, rows))
