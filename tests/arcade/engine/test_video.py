"""Pictures arrive sharp, whole and in the right place."""

from __future__ import annotations

import os
from contextlib import closing

os.environ["SDL_VIDEODRIVER"] = "dummy"

import numpy as np
import pygame
import pytest

from arcade.engine.ui.game_views import FrameView
from arcade.engine.window.video import Display, fit_rect


@pytest.fixture
def canvas():
    return pygame.Surface((400, 300))


def pattern(rows: int, columns: int) -> np.ndarray:
    return np.random.default_rng(1).integers(0, 256, (rows, columns, 3), dtype=np.uint8)


def pixels(surface: pygame.Surface, where: pygame.Rect) -> np.ndarray:
    return pygame.surfarray.array3d(surface.subsurface(where)).swapaxes(0, 1)


def test_a_small_frame_is_repeated_by_a_whole_number(canvas):
    frame = pattern(70, 90)
    where = FrameView().draw(canvas, frame, canvas.get_rect())
    assert where.size == (360, 280)
    assert where.center == (200, 150)
    assert np.array_equal(pixels(canvas, where), frame.repeat(4, axis=0).repeat(4, axis=1))


def test_a_whole_number_that_left_the_room_half_empty_is_not_taken(canvas):
    frame = pattern(105, 80)  # 2 of the 2.86 that fit
    where = FrameView().draw(canvas, frame, canvas.get_rect())
    assert where.h == 300
    seen = pixels(canvas, where)
    middles = [
        (round((row + 0.5) * 300 / 105), round((column + 0.5) * where.w / 80))
        for row in range(3, 99, 7)
        for column in (5, 40, 70)
    ]
    known = [frame[int(row * 105 / 300), int(column * 80 / where.w)] for row, column in middles]
    near = [np.abs(seen[place].astype(int) - colour).max() < 40 for place, colour in zip(middles, known, strict=True)]
    assert np.mean(near) > 0.9, "the middles of its pixels are not blurred"


def test_a_frame_of_the_right_size_is_copied(canvas):
    frame = pattern(300, 400)
    FrameView().draw(canvas, frame, canvas.get_rect())
    assert np.array_equal(pixels(canvas, canvas.get_rect()), frame)


@pytest.mark.parametrize(("whole", "rows", "size"), [(True, 600, (400, 300)), (False, 200, (400, 300))])
def test_a_large_frame_shrinks_and_a_smoothed_one_fills(canvas, whole, rows, size):
    frame = np.full((rows, rows * 4 // 3, 3), (200, 100, 50), np.uint8)
    where = FrameView(whole=whole).draw(canvas, frame, canvas.get_rect())
    assert abs(where.w - size[0]) <= 1
    assert where.h == size[1]
    assert canvas.get_at(where.center)[:3] == (200, 100, 50)


def test_the_last_frame_is_drawn_again_and_is_our_own_copy(canvas):
    view, frame = FrameView(), np.full((30, 40, 3), 90, np.uint8)
    view.draw(canvas, frame, canvas.get_rect())
    frame[:] = 0
    canvas.fill((0, 0, 0))
    view.draw(canvas, None, canvas.get_rect())
    assert canvas.get_at((200, 150))[:3] == (90, 90, 90)


def test_frames_of_one_shape_share_their_surfaces(canvas):
    view = FrameView()
    view.draw(canvas, pattern(30, 40), canvas.get_rect())
    source, kept = view._source, dict(view._kept)
    view.draw(canvas, pattern(30, 40)[:, ::-1], canvas.get_rect())
    assert view._source is source
    assert view._kept == kept
    view.draw(canvas, pattern(40, 30), canvas.get_rect())
    assert view._source is not source


def test_no_frame_yet_draws_nothing(canvas):
    assert FrameView().draw(canvas, None, canvas.get_rect()).size == (0, 0)


@pytest.mark.parametrize("frame", [np.zeros((3, 4), np.uint8), np.zeros((3, 4, 3)), np.zeros((0, 4, 3), np.uint8)])
def test_what_is_no_frame_is_refused(canvas, frame):
    with pytest.raises(ValueError, match="expected a uint8 frame"):
        FrameView().draw(canvas, frame, canvas.get_rect())


def test_a_resized_window_is_drawn_at_its_own_size():
    with closing(Display()) as video:
        assert video.size == (1280, 720)
        pygame.display.set_mode((900, 300), pygame.RESIZABLE)
        video.resized()
        assert video.size == (900, 300)
        video.canvas.fill((100, 150, 200))
        video.present()
        assert pygame.display.get_surface().get_at((899, 299))[:3] == (100, 150, 200)


def test_fit_rect_never_leaves_its_rectangle():
    rng = np.random.default_rng(3)
    for _ in range(300):
        width, height, x, y, w, h = (int(n) for n in rng.integers(1, 900, 6))
        into = pygame.Rect(x, y, w, h)
        assert into.contains(fit_rect((width, height), into))
        assert into.contains(fit_rect((width, height), into, whole=True))


def test_whole_pixels_never_leave_more_than_a_quarter_of_the_reach_of_a_picture_unused():
    for high in range(105, 2200, 7):
        where = fit_rect((80, 105), pygame.Rect(0, 0, 4 * high, high), whole=True)
        assert where.h >= 0.75 * high - 1, f"in a room {high} pixels high"


def test_a_window_is_not_larger_than_the_desktop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pygame.display, "get_desktop_sizes", lambda: [(1024, 600)])
    monkeypatch.setattr(pygame.display, "get_driver", lambda: "x11")
    with closing(Display((1280, 720))) as display:
        assert display.size == (1024, 520)
        display.set_window_size((800, 500))
        assert display.size == (800, 500)
