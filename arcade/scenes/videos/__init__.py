"""Videos of recorded matches: MP4 and GIF, drawn offscreen.

A command exports at once; a window hands it to a process of its own, so that nothing stutters::

    export_video(read_replay(path), Path("best.mp4"), VideoSettings(start=30, end=45), progress=show)

    job = VideoJob(path, Path("best.gif"), VideoSettings(hud=True))
    job.share, job.done, job.text           # once a frame
    job.cancel()                            # leaves no file
"""

from arcade.scenes.videos.export import export_video
from arcade.session.videos.job import VideoJob
from arcade.session.videos.settings import Video, VideoSettings, parse_size
from arcade.video_formats import VideoError

__all__ = ["Video", "VideoError", "VideoJob", "VideoSettings", "export_video", "parse_size"]
