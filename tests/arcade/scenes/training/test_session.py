"""A line to a trainer over real sockets: what is told is known, what is ordered arrives, silence is noticed."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator

import pytest

from agents.wire.keys import Keys
from arcade.session.training.client import AGAINST, ASK_AGAIN, PATIENCE
from arcade.session.training.run_link import RunLink
from arcade.session.training.runs import find_runs
from arcade.session.worker import Worker
from tests.support.fake_trainer import FakeTrainer

DEADLINE = 300.0
NOBODY = "tcp://127.0.0.1:9"


class Desk:
    """A worker and a clock, and links that are turned as a screen turns them."""

    def __init__(self) -> None:
        self.worker, self.now = Worker(), 100.0
        self.links: list[RunLink] = []

    def link(self, **where: object) -> RunLink:
        self.links.append(RunLink(worker=self.worker, **where))  # type: ignore[arg-type]
        return self.links[-1]

    def turn(self) -> None:
        self.worker.poll()
        for link in self.links:
            link.update(self.now)

    def until(self, condition: Callable[[], object], what: str) -> None:
        deadline = time.monotonic() + DEADLINE
        while not condition():
            assert time.monotonic() < deadline, f"expected {what}: {[(link.state, link.status) for link in self.links]}"
            self.turn()
            self.now += 0.01
            time.sleep(0.002)


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    for link in desk.links:
        link.close()
    desk.worker.close()


def heard(desk: Desk, trainer: FakeTrainer, link: RunLink) -> None:
    """Until the subscription stands: what is published before that is for nobody."""

    def told() -> bool:
        trainer.publish("metrics", {"step": 1, "heard": 1.0})
        return bool(link.curves.of("heard"))

    desk.until(told, "events to arrive")


def test_an_address_alone_is_enough(desk) -> None:
    with FakeTrainer(step=700, snapshots=3) as trainer:
        link = desk.link(address=trainer.control)
        assert link.state == "connecting"
        desk.until(lambda: link.live, "an answer")
        assert (link.name, link.state, link.status.step, link.status.snapshots) == ("far-away", "running", 700, 3)
        assert link.status.matchmaking.ratios == (("play_against_latest_model_ratio", 0.5), ("newest_ratio", 0.5))
        heard(desk, trainer, link)
        trainer.publish("metrics", {"step": 900, "win_rate": 0.6, "entropy": 1.2})
        desk.until(lambda: link.status.step == 900, "the step")
        assert link.curves.of("win_rate") == {"": [(900, 0.6)]}


def test_orders_arrive_and_what_is_refused_is_told(desk) -> None:
    with FakeTrainer() as trainer:
        trainer.refuse = {"freeze": "no policy yet"}
        link = desk.link(address=trainer.control)
        desk.until(lambda: link.live, "an answer")
        link.client.request("pause")
        link.client.request("freeze")
        link.client.request("matchmaking", {"newest_ratio": 0.9})
        desk.until(lambda: link.state == "paused" and link.client.notices, "the orders to be taken")
        assert [name for name, _ in trainer.orders] == ["pause", "freeze", "matchmaking"]
        desk.until(lambda: ("newest_ratio", 0.9) in link.status.matchmaking.ratios, "the new matchmaking")
        [notice] = link.client.notices
        assert "freeze" in notice
        assert "no policy yet" in notice


def test_who_never_answers_is_called_silent_and_the_window_goes_on(desk) -> None:
    link = desk.link(address=NOBODY)
    desk.turn()
    desk.now += ASK_AGAIN + 2
    desk.turn()
    assert link.state == "silent"
    assert not link.live
    assert NOBODY in link.trouble
    link.client.request("pause")
    for _ in range(3000):  # asked for hours
        desk.now += ASK_AGAIN
        desk.turn()
    assert len(link.client._pending) <= 65


def test_a_trainer_that_hangs_is_silent_and_back_when_it_answers(desk) -> None:
    with FakeTrainer() as trainer:
        link = desk.link(address=trainer.control)
        desk.until(lambda: link.live, "an answer")
        trainer.deaf = True
        desk.now += PATIENCE * 2
        desk.until(lambda: link.state == "silent", "silence to be noticed")
        assert "No answer for" in link.trouble
        trainer.deaf = False
        desk.until(lambda: link.live, "it to answer again")


def test_a_trainer_that_does_not_know_our_key_is_named_with_the_remedy(desk, tmp_path, monkeypatch) -> None:
    with FakeTrainer() as trainer:
        host = Keys()
        monkeypatch.setenv("ARCADE_HOME", str(tmp_path / "elsewhere"))
        link = desk.link(address=str(trainer.address))
        desk.until(lambda: link.trouble, "the refusal")
        own = Keys().own().public
        assert f"does not know our key; there: arcade keys allow {own.hex()} --name NAME" in link.trouble
        assert not link.client.notices, "it is said once"
        host.allow(own, name="here")
        desk.until(lambda: link.live, "the trainer")
        assert link.trouble == ""


def test_watching_is_renewed_while_it_lasts_and_ended_by_word(desk) -> None:
    with FakeTrainer() as trainer:
        link = desk.link(address=trainer.control)
        desk.until(lambda: link.live, "an answer")
        assert not trainer.named("watch"), "nothing streams for nobody"
        link.client.watch(True)
        desk.until(lambda: len(trainer.named("watch")) == 3, "the request to be renewed")
        link.client.watch(False)
        desk.until(lambda: trainer.named("watch")[-1] == {"on": False}, "the end of it")


def test_a_run_of_this_machine_lives_ends_and_is_taken_up_again(desk, tmp_path) -> None:
    folder = tmp_path / "run-1"
    link = desk.link(folder=folder)
    assert link.state == "looking"
    desk.until(lambda: link.state == "ended", "a look")
    for _ in range(2):
        with FakeTrainer(folder) as trainer:
            assert [(run.run, run.reached is not None) for run in find_runs(tmp_path)] == [("run-1", True)]
            desk.until(lambda: link.live, "the trainer")
            trainer.publish("status", {"state": "running", "step": 5})
        desk.until(lambda: link.state == "ended", "its end")
        assert link.status.game == "house/volley", "what it told is still known"


def test_a_run_whose_trainer_was_killed_is_found_dead(tmp_path) -> None:
    with FakeTrainer(tmp_path / "run-1"):
        (tmp_path / "run-1" / "endpoints.json").write_text(
            '{"control": "tcp://127.0.0.1:5", "events": "tcp://127.0.0.1:6", "pid": 4194305}'
        )
        [run] = find_runs(tmp_path)
        assert run.reached is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"control": 5, "pid": "x"}', '{"control": "ipc://x", "pid": 1}'])
def test_endpoints_that_are_odd_are_nobody(tmp_path, text) -> None:
    (tmp_path / "run-1").mkdir()
    (tmp_path / "run-1" / "endpoints.json").write_text(text)
    (tmp_path / "run-1" / "manifest.json").write_text(text)
    (tmp_path / "no-run").mkdir()
    assert [(run.run, run.reached is not None, run.game) for run in find_runs(tmp_path)] == [("run-1", False, "")]


def test_events_that_are_odd_hurt_nothing(desk) -> None:
    """Whatever a trainer says, the next sensible word is understood."""
    with FakeTrainer(state=5, policies={"a": 1}, matchmaking=[1], events="tcp://nowhere") as trainer:
        link = desk.link(address=trainer.control)
        desk.until(lambda: link.live, "an answer")
        desk.until(lambda: link.client.refused, "the odd status to be refused")
        trainer.status |= {"state": "running", "policies": [], "matchmaking": {}, "events": trainer._events.endpoint}
        heard(desk, trainer, link)
        for odd in (math.nan, math.inf, -1e308, 2**63, "text" * 5000, [1] * 4000, {"a": {"b": None}}, None, True, b"x"):
            for name in ("metrics", "status", "pool", "snapshot_frozen", "watch", "never heard of"):
                keys = ("step", "state", "game", "win_rate", "policies", "episode", "seed", "first", "ticks", "lineup")
                trainer.publish(name, dict.fromkeys(keys, odd) | {"name": odd})
        trainer.publish("pool", {"step": 9, "policies": {"p": [{"name": "a", "games": 2, "win_rate": 0.5}]}})
        trainer.publish("metrics", {"step": 9, "score": 2.0})
        trainer.publish("metrics", {"step": 10, "score": 3.0})
        desk.until(lambda: link.curves.of("score").get("", [(0, 0)])[-1] == (10, 3.0), "the sensible ones")
        assert link.pools.of["p"][0].win_rate == 0.5
        assert link.curves.of(AGAINST)["a"] == [(9, 0.5)]
        assert link.client.refused > 40
        assert all(len(notice) < 200 for notice in link.client.notices)


def test_what_is_no_folder_of_a_run_is_not_listed(tmp_path) -> None:
    (tmp_path / "file.log").write_text("x")
    (tmp_path / ".hidden").mkdir()
    assert find_runs(tmp_path) == ()
    assert find_runs(tmp_path / "none") == ()
