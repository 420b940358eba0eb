"""Jobs and tournaments in the window: begun, followed, cancelled, resumed."""

from __future__ import annotations

from arcade.engine.ui.tables import DataTable
from arcade.engine.ui.texts import Paragraph
from arcade.games import find_game
from arcade.scenes import routes
from arcade.scenes.training.jobs_scene import JobsScene
from arcade.scenes.training.tournament_scene import TournamentScene
from arcade.tournaments.standings import Place
from tests.support.made_up_job import MadeUpJob


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
    assert "Choose at least 2 players to start" in texts(scene)
    hand.choose("Scripted bot")
    hand.choose("Random bot")
    assert scene.chosen == {"scripted", "random"}
    assert "Choose at least" not in texts(scene)
    matches = next(widget for widget in scene.focus.widgets if widget.label == "Matches of each pair")
    assert matches.value_text == "4 on each side"
    assert "8 matches in all" in texts(scene)
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
    sitting.until(lambda: sitting.services.jobs.running, "it to be listed")
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
    job = MadeUpJob("Export")
    sitting.services.jobs.add(job)
    scene = JobsScene(sitting.services, routes.Jobs())
    sitting.engine.push(scene)
    sitting.until(lambda: sitting.services.jobs.running, "it to be listed")
    job.end()
    sitting.until(lambda: sitting.services.jobs.ended, "the end of the job")
    sitting.frame(2)
    assert "Done" in texts(scene)
    hand.choose("Clear the list")
    sitting.frame(2)
    assert "Nothing is under way" in texts(scene)


def test_the_standings_are_those_of_points_with_the_rating_after_them(sit) -> None:
    sitting = sit()
    job = FinishedTournament(find_game("house/volley"))
    scene = TournamentScene(sitting.services, routes.Tournament(job.spec, job))
    sitting.engine.push(scene)
    sitting.frame(2)
    table = next(widget for widget in scene.tree.walk() if isinstance(widget, DataTable))
    assert [column.title for column in table.columns][1:4] == ["Player", "Points", "Rating here"]
    assert [row[2] for row in table.rows] == ["3.5", "0.5"]


class FinishedTournament:
    """One with standings, and without a process."""

    done, text, progress, id, result = True, "", 1.0, "t", {"table": []}

    def __init__(self, spec) -> None:
        self.spec = spec
        counts = {"word": "", "low": None, "high": None, "score": None, "matches": 4, "draws": 1, "forfeits": 0}
        self.table = (
            Place(label="scripted", elo=1600.0, points=3.5, wins=3, losses=0, **counts),
            Place(label="random", elo=1400.0, points=0.5, wins=0, losses=3, **counts),
        )
