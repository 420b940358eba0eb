"""Where a take leads: seen again, or made a video of."""

from __future__ import annotations

from arcade.recordings.library import Recording
from arcade.scenes.lobby import Lobby


def watch(lobby: Lobby, take: Recording) -> None:
    """Show it again, from the first tick that counts."""
    from arcade.scenes.replay.scene import ReplayScene  # on demand, as all that few people ask for

    lobby.engine.push(ReplayScene(lobby, take.path, span=take.card.span))


def make_video(lobby: Lobby, take: Recording) -> None:
    """Ask how the video shall be; of a game that is not here none can be made."""
    spec = next((spec for spec in lobby.games if spec.id == take.card.game), None)
    if spec is None:
        lobby.toasts.say(f"expected a game that is installed here, got: {take.card.game}")
        return
    from arcade.scenes.videos.page import VideoScene

    start, end = take.card.ticks_that_count
    page = VideoScene(
        lobby, take.path, seconds=take.card.ticks / spec.fps, start=start / spec.fps, end=end / spec.fps
    )  # fmt: skip
    lobby.engine.push(page)
