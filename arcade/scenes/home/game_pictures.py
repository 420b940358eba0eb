"""GamePictures: the pictures on the tiles of games; those of other people's games are made once, and cached."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pygame

from agents.files import cache
from arcade.assets import asset
from arcade.engine.ui.theme import Size, Theme
from arcade.games.spec import GameSpec
from arcade.scenes.match.picture import GamePicture
from arcade.scenes.recordings.thumbnails import Thumbnails, save_thumbnail
from arcade.session.preview import Preview
from arcade.session.services import Services

SIZE = (800, 450)
"""Pixels in which a picture is drawn."""
TICKS, MOVES = 90, 8
"""Ticks of a real-time game and moves of a turn-based one before its picture."""
MOVE_RATE = 10.0
"""Moves a second until then."""
SHIPPED = asset("games")
"""Folder of the pictures that come with the arcade: one PNG file for each built-in game."""
IDLE = 1.0
"""Seconds without input before pictures are made, so that they never slow the page."""


class GamePictures:
    """Reads the pictures in the worker, and makes the missing ones in a child process, one after the other.

    `shipped` is the folder of the pictures that come with the arcade, `made` that of the others (the cache).  `update`
    is called once a frame, `touch` on input, `close` when the page is left.
    """

    def __init__(self, services: Services, *, shipped: Path = SHIPPED, made: Path | None = None) -> None:
        self._services, self._thumbnails = services, Thumbnails(services.worker)
        self._shipped = {path.name: path for path in shipped.glob("*.png")}
        self._folder = made or cache("games")
        self._maker: Preview | None = None
        self._view: GamePicture | None = None
        self._tried: set[str] = set()  # games with a picture, or without hope of one
        self._touched_at: float | None = None

    def get(self, spec: GameSpec, size: Size) -> pygame.Surface | None:
        """Return the picture of a game in pixels of that size; None until there is one."""
        return self._thumbnails.get(self._path(spec), size)

    def view(self, spec: GameSpec) -> GamePicture:
        """Return what draws the frames of a game as on its tile."""
        return GamePicture(spec, whole=False)

    def touch(self) -> None:
        """Wait again until there is no input."""
        self._touched_at = None

    def update(self, now: float, wanted: Sequence[GameSpec], theme: Theme) -> None:
        """Make the next missing picture of `wanted`."""
        self._touched_at = now if self._touched_at is None else self._touched_at
        maker = self._maker
        if maker is not None and maker.spec is not None:
            self._follow(maker, maker.spec, now, theme)
        elif now - self._touched_at > IDLE and (spec := self._next(wanted)) is not None:
            self._maker, self._view = (
                Preview(self._services.stages, move_rate=MOVE_RATE),
                self.view(spec),
            )
            self._maker.show(spec, now=now)

    def close(self) -> None:
        """End the child; can be called twice."""
        if self._maker is not None:
            self._maker.close()
            self._maker = None

    def _next(self, wanted: Sequence[GameSpec]) -> GameSpec | None:
        for spec in wanted:
            if spec.id not in self._tried:
                self._tried.add(spec.id)
                if not self._path(spec).exists():
                    return spec
        return None

    def _follow(self, maker: Preview, spec: GameSpec, now: float, theme: Theme) -> None:
        maker.update(now)
        match = maker.match
        is_due = match is not None and (maker.ticks >= (MOVES if spec.turn_based else TICKS) or match.over)
        if is_due and match is not None:
            picture = pygame.Surface(SIZE)
            assert self._view is not None
            where = self._view.draw(picture, theme, picture.get_rect(), match.tick, match.frame)
            if where.w:
                self._save(spec, framed(picture, where))
        if is_due or maker.failure:
            self.close()

    def _save(self, spec: GameSpec, picture: pygame.Surface) -> None:
        path = self._path(spec)
        self._services.worker.submit(
            lambda: save_thumbnail(picture, path), done=lambda saved: self._thumbnails.forget(),
            failed=lambda error: None, errors=OSError,
        )  # fmt: skip

    def _path(self, spec: GameSpec) -> Path:
        name = file_name(spec)
        return self._shipped.get(name) or self._folder / name


def file_name(spec: GameSpec) -> str:
    """Return the name of the file with a game's picture."""
    return re.sub(r"[^\w.-]+", "-", spec.id) + ".png"


def framed(picture: pygame.Surface, where: pygame.Rect) -> pygame.Surface:
    """Return the part `where` of a picture, on a dark blurred copy of itself that fills the whole."""
    size, part = picture.get_size(), picture.subsurface(where.clip(picture.get_rect())).copy()
    behind = pygame.transform.smoothscale(pygame.transform.smoothscale(part, (8, 6)), size)
    behind.fill((70, 70, 70), special_flags=pygame.BLEND_MULT)
    behind.blit(part, part.get_rect(center=behind.get_rect().center))
    return behind
