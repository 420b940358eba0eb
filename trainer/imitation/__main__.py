"""``python -m trainer.imitation GAME``: what ``arcade imitate`` goes on as."""

from __future__ import annotations

import argparse
import os
import sys

from agents.errors import UserError
from agents.home import folder
from arcade.games.spec import GameError
from trainer.config.reading import make_config
from trainer.imitation.command_line import make_order, make_parser


def main(words: list[str] | None = None) -> int:
    """0 when there is a snapshot, 2 when there could not be one."""
    words = sys.argv[1:] if words is None else words
    options = make_parser().parse_args(words)
    try:
        from trainer.__main__ import check_packages

        check_packages()
        _imitate(options, words)
    except (UserError, GameError) as error:
        print(f"arcade: {error}", file=sys.stderr)
        return 2
    return 0


def _imitate(options: argparse.Namespace, words: list[str]) -> None:
    from arcade.match.play.lineup import open_store
    from arcade.recordings.library import RecordingLibrary

    takes = RecordingLibrary(folder("replays"))
    order = make_order(options, takes, words)
    from trainer.cluster.ray_cluster import start_ray, stop_ray
    from trainer.imitation.cloning import make_clone, prepare
    from trainer.imitation.report import Report, print_clone

    with Report(epochs=order.settings.epochs, quiet=options.json) as report:
        store = open_store(folder("snapshots"))
        prepared = prepare(order, takes.list()[0][::-1], store, report.watcher)
        try:
            start_ray(make_config({"game": order.spec.id}))
            clone = make_clone(prepared, report.watcher)
        finally:
            stop_ray()
    print_clone(clone, as_json_object=options.json)


if __name__ == "__main__":
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy", PYGAME_HIDE_SUPPORT_PROMPT="1")
    sys.exit(main())
