"""Films of recorded matches: MP4 and GIF, drawn offscreen.

A command exports at once; a window hands it to a process of its own, so that nothing stutters::

    export_video(read_replay(path), Path("best.mp4"), FilmSettings(start=30, end=45), progress=show)

    job = FilmJob(path, Path("best.gif"), FilmSettings(hud=True))
    job.share, job.done, job.words          # once a frame
    job.cancel()                            # leaves no file
"""

from arcade.scenes.films.encoding import FilmError
from arcade.scenes.films.export import export_video
from arcade.scenes.films.job import FilmJob
from arcade.scenes.films.settings import Film, FilmSettings, parse_size

__all__ = ["Film", "FilmError", "FilmJob", "FilmSettings", "export_video", "parse_size"]
