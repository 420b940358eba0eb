"""Pictures of recordings: the page of all recordings, one seen again, a video of it, and the people in them."""

from __future__ import annotations

from arcade.recordings.library import Recording
from arcade.scenes import routes
from arcade.scenes.recordings.browser_scene import BrowserScene
from arcade.scenes.recordings.totals_scene import TotalsScene
from arcade.scenes.replay.scene import ReplayScene
from arcade.scenes.settings.people import PeopleScene
from arcade.session.people import Person
from tests.shots.camera import PERSON, Shots

KNOWN = [Person("Ann", recorded=True), Person("Bo"), Person("Cleo", recorded=True)]


def take_recordings(shots: Shots) -> None:
    """Of the matches whose pictures were taken before, which are recorded as all are."""
    shots.services.worker.settle()
    for story in (_browser, _replay, _people):
        story(shots)


def a_recording(shots: Shots, game: str) -> Recording:
    """The newest of that game."""
    return next(recording for recording in shots.services.library.recordings().list()[0] if recording.card.game == game)


def _browser(shots: Shots) -> None:
    store, spec = shots.services.library.recordings(), shots.services.library.featured
    assert spec is not None
    store.change(a_recording(shots, spec.id), name="the long rally", tags=("rally",), rating=4)
    (store.folder / "holiday.replay").write_bytes(b"a file of somebody else's")
    shots.show(browser := BrowserScene(shots.services, routes.Recordings()))
    shots.until(lambda: browser.recordings.all, what="the recordings")
    shots.until(lambda: not shots.services.worker.busy, what="their pictures")
    shots.take("recordings")
    browser.ask("game")
    shots.take("recordings-filter")
    shots.engine.pop()
    shots.engine.push(TotalsScene(shots.services, routes.Totals(browser.recordings)))
    shots.take("recordings-totals")


def _replay(shots: Shots) -> None:
    assert shots.services.library.featured is not None
    recording = a_recording(shots, shots.services.library.featured.id)
    shots.engine.push(routes.Replay(recording.path, span=recording.card.span))
    scene = shots.engine.scene
    assert isinstance(scene, ReplayScene)
    shots.until(lambda: scene.ready and scene.playback.goal > 20, what="the recording")
    shots.take("replay")
    _look_into(shots, scene)
    shots.engine.pop()
    shots.engine.push(routes.Video(recording.path, seconds=recording.card.ticks / shots.services.library.featured.fps))
    shots.take("video")


def _look_into(shots: Shots, scene: ReplayScene) -> None:
    """What snapshots think there, and whom one may take over from."""
    scene.playback.pause()
    shots.until(lambda: shots.services.library.snapshots.get(scene.loaded.spec.id), what="names of snapshots")
    scene.show_insight(scene.loaded.spec.agents, shots.services.library.snapshots[scene.loaded.spec.id][0])
    shots.until(lambda: scene.insights.names, what="AI insight")
    shots.take("replay-insight")
    scene.choose_insight()
    shots.take("replay-insight-page")
    shots.engine.pop()
    scene.take_over(PERSON)
    shots.take("replay-takeover")
    shots.engine.pop()


def _people(shots: Shots) -> None:
    for person in KNOWN:
        shots.services.people.put(person)
    shots.show(PeopleScene(shots.services, routes.People()))
    shots.take("people")
    shots.services.people.give(PERSON, "Bo")
    scene = PeopleScene(
        shots.services, routes.People(question="Who plays with the keyboard?", selected="Bo", choose=lambda name: None)
    )
    shots.show(scene)
    shots.take("people-who")
