"""Jobs and tournaments in the window: begun, followed, cancelled, resumed."""

from __future__ import annotations

from arcade.engine.ui.texts import Paragraph
from arcade.games import find_game
from arcade.scenes import routes
from arcade.scenes.training.jobs_scene import JobsScene
from arcade.scenes.training.tournament_scene import TournamentScene


def texts(scene) -> str:
    return "\n".join(widget.label for widget in scene.tree.walk() if isinstance(widget, Paragraph))


def labels(scene) -> list[str]:
    return [widget.label for widget in scene.focus.widgets]


def test_a_tournament_is_played_from_the_window_and_listed_with_the_jobs(sit, keyboard) -> None:
    sitting = sit()
    hand = keyboard(sitting)
    scene = TournamentScene(sitting.services, routes.Tournament(sitting.library.featured))
    sitting.engine.push(scene)
    sitting.frame(2)
    for word in [*scene.chosen]:
        scene._turn(word)
    assert "Start tournament" not in labels(scene), "one player is no tournament"
    hand.choose("Scripted bot")
    hand.choose("Random bot")
    assert scene.chosen == {"scripted", "random"}
    scene.games = 100_000  # more than there is time for
    hand.choose("Start tournament")
    sitting.until(lambda: scene.job.played > 0, "the first match")
    sitting.frame(2)
    hand.choose("Cancel")
    assert sitting.on == "ConfirmScene"
    hand.choose("Cancel it")
    sitting.until(lambda: scene.job.done, "its end")
    sitting.frame(2)
    assert texts(scene).startswith("Cancelled.")
    hand.choose("Resume")
    sitting.until(lambda: scene.job.played > 0, "the rest")
    sitting.engine.push(routes.Jobs())
    jobs = sitting.engine.scene
    sitting.frame(2)
    assert "Tournament in Volley" in [getattr(widget, "label", "") for widget in jobs.tree.walk()]
    hand.choose("Cancel")
    hand.choose("Cancel it")
    sitting.until(lambda: not sitting.services.jobs.running, "the end of the job")
    sitting.frame(2)
    hand.choose("Open")
    assert sitting.on == "TournamentScene"


def test_the_game_of_a_tournament_is_chosen_and_has_the_levels_of_its_ai(sit, keyboard) -> None:
    sitting = sit()
    hand = keyboard(sitting)
    scene = TournamentScene(sitting.services, routes.Tournament(find_game("classic/chess_v6")))
    sitting.engine.push(scene)
    hand.choose("Game:")
    assert (sitting.on, sitting.engine.scene.heading) == ("SelectScene", "Game of the tournament")
    assert not sitting.library.featured.has_levels, "its AI are snapshots"
    hand.type("volley")
    hand.press("accept")
    assert scene.game == sitting.library.featured
    sitting.until(lambda: "Volley AI, easy" in labels(scene), "the levels")
    assert [name for name in labels(scene) if name.startswith("Volley AI, ")][:3] == [
        "Volley AI, easy", "Volley AI, normal", "Volley AI, hard",
    ]  # fmt: skip


def test_ended_jobs_are_listed_until_they_are_cleared(sit, keyboard) -> None:
    sitting = sit()
    hand = keyboard(sitting)
    sitting.services.jobs.submit("Export", lambda job: job.report(0.5, "Writing"))
    scene = JobsScene(sitting.services, routes.Jobs())
    sitting.engine.push(scene)
    sitting.until(lambda: sitting.services.jobs.ended, "the end of the job")
    sitting.frame(2)
    assert "Done" in texts(scene)
    hand.choose("Clear the list")
    sitting.frame(2)
    assert "Nothing is under way" in texts(scene)
