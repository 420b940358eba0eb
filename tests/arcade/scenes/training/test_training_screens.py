"""Training in the window, by each kind of hand alone; every step is a real input event, every trainer a real socket."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from arcade.engine.input.events import MOUSE, MenuInput, PointerInput
from arcade.engine.ui.charts import LineChart
from arcade.engine.ui.tables import DataTable
from arcade.scenes import routes
from tests.support.fake_trainer import FakeTrainer
from tests.support.training_pages import open_run


def member(name: str, **told: object) -> dict[str, object]:
    return {"name": name, "kind": "snapshot", "games": 20, "win_rate": 0.5, "low": 0.3, "high": 0.7, **told}


@pytest.fixture
def trainer(tmp_path):
    with FakeTrainer(tmp_path / "runs" / "run-1", step=5000) as trainer:
        yield trainer


def heard(sitting, trainer, scene) -> None:
    def told() -> bool:
        trainer.publish("metrics", {"step": 5001, "heard": 1.0})
        return bool(scene.link.curves.of("heard"))

    sitting.until(told, "events to arrive")


def test_from_the_title_to_a_run_and_its_orders(sit, make_hand, trainer) -> None:
    sitting = sit()
    hand = make_hand(sitting)
    scene = open_run(sitting, hand)
    sitting.until(lambda: scene.link.live, "the trainer")
    assert scene.state_text().startswith("Training Volley")
    hand.choose("Pause")
    sitting.until(lambda: "paused" in scene.state_text(), "the run to pause")
    sitting.frame()
    assert sitting.widget("Resume").enabled
    hand.choose("Save this version")
    sitting.until(lambda: trainer.named("freeze"), "the order to freeze")
    hand.choose("Stop")
    assert sitting.on == "ConfirmScene"
    hand.choose("No")
    hand.choose("Stop")
    assert not trainer.named("stop"), "it asks first"
    hand.choose("Stop it")
    sitting.until(lambda: trainer.named("stop"), "the order to stop")
    trainer.close()
    sitting.until(lambda: scene.link.state == "ended", "its end")
    assert "Save this version" not in [widget.label for widget in scene.focus.widgets], "nobody could do it"
    hand.choose("Back")
    hand.choose("Back")
    assert sitting.on == "TitleScene"


@pytest.mark.parametrize("scale", [1.0, 3.0])
def test_without_runs_the_page_begins_at_a_new_training(sit, scale) -> None:
    sitting = sit()
    sitting.engine.apply(sitting.engine.settings.changed(ui_scale=scale), save=False)
    sitting.engine.push(routes.Runs())
    sitting.until(lambda: "New training" in [widget.label for widget in sitting.engine.scene.focus.widgets], "the page")
    assert sitting.engine.scene.focus.focused.label == "New training"


def test_curves_begin_with_the_run_file_and_go_on_live(sit, keyboard, trainer, tmp_path) -> None:
    lines = [{"step": step, "win_rate": 0.2, "score": -1.0, "entropy": 1.0, "kl": 0.01} for step in range(0, 5000, 100)]
    (tmp_path / "runs" / "run-1" / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    sitting = sit()
    scene = open_run(sitting, keyboard(sitting))
    sitting.until(lambda: scene.link.curves.of("entropy"), "the history")
    heard(sitting, trainer, scene)
    trainer.publish("metrics", {"step": 6000, "win_rate": 0.7, "score": 2.0, "entropy": 0.5})
    pool = [member("volley-91", rating=24.0), member("volley-92", rating=26.0, win_rate=0.4)]
    trainer.publish("pool", {"step": 6000, "policies": {"default_policy": pool}})
    chart = sitting.widget("Wins against earlier versions")
    sitting.until(lambda: len(chart.lines) == 3, "the pool's curves")
    assert [line.name for line in chart.lines] == ["all", "Volley, no. 92", "Volley, no. 91"]
    assert chart.lines[0].points[0] == (0, 0.2)
    assert chart.lines[0].points[-1] == (6000, 0.7)
    assert chart.lines[1].points == [(6000, 0.4)]
    sitting.until(lambda: not scene.page._stale, "the charts to be told")
    assert sitting.widget("Score").lines[0].points[-1] == (6000, 2.0)
    sitting.frame(2)
    painted = [chart.painted for chart in scene.page.charts]
    sitting.frame(20)
    assert [chart.painted for chart in scene.page.charts] == painted, "nothing new, nothing painted"
    keyboard(sitting).choose("Wins against earlier versions")
    sitting.frame(2)
    assert [widget for widget in scene.focus.widgets if isinstance(widget, LineChart)] == [chart]
    keyboard(sitting).choose("Wins against earlier versions")
    sitting.frame(2)
    assert len([widget for widget in scene.focus.widgets if isinstance(widget, LineChart)]) == 7


def test_the_pool_is_a_table_that_keeps_its_place_and_is_sorted(sit, make_hand, trainer) -> None:
    sitting = sit()
    hand = make_hand(sitting)
    scene = open_run(sitting, hand)
    heard(sitting, trainer, scene)
    pool = [member(f"volley-9{k:02}", rating=float(k), win_rate=0.9 - k / 100, frozen_at=k) for k in range(60)]
    two = {"left": [*pool, {"name": "scripted"}], "right": pool[:1]}
    trainer.publish("pool", {"step": 5002, "policies": two})
    hand.choose("Opponents")
    table = next(widget for widget in scene.focus.widgets if isinstance(widget, DataTable))
    sitting.until(lambda: table.rows, "the rows of the table")
    assert len(table.rows) == 61
    assert table.rows[0][0] == "Volley, no. 959"
    assert table.rows[-1][:2] == ("Scripted bot", "Not played yet")
    table.select(40)
    trainer.publish("pool", {"step": 5003, "policies": two})
    sitting.frame(10)
    assert table.index == 40
    assert table in scene.focus.widgets
    order = sitting.widget("Order")
    if type(hand).__name__ == "MouseHand":
        hand.click((order.rect.right - 20, order.rect.centery))
    else:
        hand.reach(order)
        hand.press("right")
    assert order.value == "Hardest"
    assert table.rows[0][0] == "Volley, no. 959"
    order.step(2)
    sitting.widget("Opponents of").step(1)
    assert len(table.rows) == 1


def test_matchmaking_is_sent_once_the_hand_rests_and_comes_back_where_refused(sit, keyboard, trainer) -> None:
    sitting = sit()
    hand = keyboard(sitting)
    scene = open_run(sitting, hand)
    sitting.until(lambda: scene.link.live, "the trainer")
    hand.choose("Matchmaking")
    sitting.frame(2)
    hand.reach(sitting.widget("Against the newest"))
    for _ in range(4):
        hand.press("right")
    sitting.until(lambda: trainer.named("matchmaking"), "the order")
    assert trainer.named("matchmaking") == [{"newest_ratio": 0.7}]
    trainer.refuse = {"matchmaking": "not while it is paused"}
    hand.choose("Older versions")
    sitting.until(lambda: len(trainer.named("matchmaking")) == 2, "the second order")
    assert trainer.named("matchmaking")[1] == {"weighting": "variance"}
    sitting.until(lambda: any("not while" in words for words in sitting.engine.toasts.messages), "the refusal")
    sitting.until(lambda: sitting.widget("Older versions").value == "all alike", "what is in force")


def test_watching_shows_the_moves_and_ends_with_the_page(sit, keyboard, trainer) -> None:
    sitting = sit()
    hand = keyboard(sitting)
    scene = open_run(sitting, hand)
    heard(sitting, trainer, scene)
    assert not trainer.named("watch")
    hand.choose("Watch")
    page = scene.page
    sitting.until(lambda: {"on": True} in trainer.named("watch"), "the request")
    ticks = [{"left_0": 2, "right_0": 1}] * 300
    told = {"episode": 7, "seed": 3, "ticks": ticks, "over": False, "lineup": {"left_0": "main", "right_0": "old"}}
    trainer.publish("watch", {**told, "first": True})
    sitting.until(lambda: page.spectator is not None and page.spectator.tick > 10, "the game to be played again")
    assert page.spectator.frame is not None
    assert "The AI in training" in [widget.label for widget in scene.tree.walk()], "no id of the trainer"
    child = page.spectator._stage.pid
    hand.choose("Progress")
    sitting.until(lambda: {"on": False} in trainer.named("watch"), "the end of the stream")
    sitting.until(lambda: not Path(f"/proc/{child}").exists(), "the child to end")


def test_an_address_is_typed_by_every_hand(sit, make_hand, tmp_path) -> None:
    with FakeTrainer() as trainer:
        sitting = sit()
        hand = make_hand(sitting)
        hand.choose("Training")
        hand.choose("Other machine")
        assert sitting.on == "TextEntryScene"
        hand.choose("Clear")
        sitting.engine.scene.value = trainer.control[:-2]
        for letter in trainer.control[-2:]:
            hand.type(letter) if hasattr(hand, "type") else hand.choose(letter)
        hand.choose("Done")
        scene = sitting.engine.scene
        assert sitting.on == "RunScene", sitting.engine.toasts.messages
        sitting.until(lambda: scene.link.live, "the trainer")
        assert scene.link.name == "far-away"
        hand.choose("Back")
        sitting.engine.scene.connect("ipc:///tmp/somewhere")
        assert sitting.on == "RunsScene"
        assert "tcp://" in sitting.engine.toasts.messages[-1]


def test_nobody_there_leaves_every_page_usable(sit, keyboard) -> None:
    sitting = sit()
    keyboard(sitting).choose("Training")
    sitting.engine.scene.connect("tcp://127.0.0.1:9")
    scene = sitting.engine.scene
    for page in scene.pages:
        scene.turn_to(page)
        sitting.frame(5)
        assert scene.link.state in ("connecting", "silent")
        assert "Pause" not in [widget.label for widget in scene.focus.widgets], "nobody could do it"
    keyboard(sitting).press("back")
    assert sitting.on == "RunsScene"


def test_a_trainer_that_is_killed_while_it_is_watched(sit, keyboard, trainer_program, tmp_path) -> None:
    import sys

    (tmp_path / "runs" / "run-9").mkdir(parents=True)
    child = subprocess.Popen([sys.executable, "-m", "trainer", "--resume", "run-9"])
    try:
        sitting = sit()
        sitting.until((tmp_path / "runs" / "run-9" / "endpoints.json").exists, "the trainer")
        scene = open_run(sitting, keyboard(sitting))
        sitting.until(lambda: scene.link.live, "an answer")
        os.kill(child.pid, signal.SIGKILL)
        child.wait(30)
        sitting.until(lambda: scene.link.state == "ended", "its end to be noticed")
        assert sitting.widget("Resume").enabled
    finally:
        child.kill()
        child.wait(30)


def test_pages_turn_by_shoulder_buttons_and_nothing_of_them_is_left(sit, pad, trainer) -> None:
    sitting = sit()
    scene = open_run(sitting, pad(sitting))
    seen = []
    for _ in range(5):
        seen.append(scene.page.title)
        scene.handle(MenuInput("next", MOUSE))
        sitting.frame(2)
    assert seen == ["Progress", "Opponents", "Watch", "Matchmaking", "Progress"]
    scene.handle(PointerInput("wheel", (600, 400), wheel=1))
    sitting.engine.pop()
    assert scene.link.client is None
