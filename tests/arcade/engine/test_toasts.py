"""Messages disappear by themselves, can be read until then, and cover nothing that the next press acts on."""

from __future__ import annotations

import pygame

from arcade.engine.ui.theme import SMALL, Theme
from arcade.engine.ui.toasts import Toasts


def test_toasts_go_by_themselves_newest_last():
    toasts = Toasts(seconds=2, most=2)
    for words in ("one", "two", "three", "two", "three"):
        toasts.say(words)
    toasts.update(10.0)
    assert toasts.messages == ("two", "three")
    toasts.draw(pygame.Surface((400, 300)), look=Theme())
    assert toasts.draw_clear(pygame.Surface((400, 300)), [], foot=300, look=Theme())
    toasts.update(12.5)
    assert toasts.messages == ()


def test_a_long_message_has_two_lines_and_stays_until_it_can_be_read():
    canvas, toasts = pygame.Surface((1280, 720)), Toasts(seconds=2)
    for words in ("Saved", "what was expected and what came instead of it " * 4):
        toasts.say(words)
    toasts.update(10.0)
    long, short = toasts.draw_clear(canvas, [], foot=676, look=Theme())
    assert short.h < long.h < 2 * short.h
    assert not long.colliderect(short)
    toasts.update(15.0)
    assert [words[:4] for words in toasts.messages] == ["what"]
    toasts.update(40.0)
    assert toasts.messages == ()


def test_messages_over_a_page_cover_nothing_that_is_taken_and_keep_the_ends_of_paths():
    canvas, toasts = pygame.Surface((1280, 720)), Toasts()
    heading, back, row = pygame.Rect(40, 28, 300, 52), pygame.Rect(1120, 28, 120, 48), pygame.Rect(40, 90, 1200, 400)
    for words in ("Saved: /home/" + "folder/" * 40 + "clip.mp4", "Saved"):
        toasts.say(words)
    plates = toasts.draw_clear(canvas, [heading, back, row], foot=676, look=Theme())
    assert [plate.collidelist([heading, back, row, *plates[:place]]) for place, plate in enumerate(plates)] == [-1, -1]
    assert heading.right < plates[0].left < plates[0].right < back.left, "the newest between the heading and Back"
    assert plates[0].centerx == 640
    assert plates[1].top > row.bottom, "all of the width is free there"
    assert plates[1].w > 1000
    assert plates[1].bottom < 676
    page = pygame.Rect(0, 0, 1280, 720)
    assert not toasts.draw_clear(canvas, [page], foot=676, look=Theme()), "never over what the next press acts on"
    assert len(toasts.draw_clear(canvas, [page, row], foot=676, look=Theme())) == 1


def test_a_message_without_room_is_told_without_its_last_sentence():
    heading, buttons, page = pygame.Rect(40, 28, 330, 52), pygame.Rect(940, 28, 300, 48), pygame.Rect(0, 84, 1280, 636)

    def drawn(words: str) -> bytes:
        canvas, toasts = pygame.Surface((1280, 720)), Toasts()
        toasts.say(words)
        assert toasts.draw_clear(canvas, [heading, buttons, page], foot=676, look=Theme())
        return pygame.image.tobytes(canvas, "RGB")

    first = "Your first opponent in Connect Four is ready."
    assert drawn(f"{first} Play against it from the game's page.") == drawn(first)
    assert drawn(first) != drawn("Your first opponent in Volley is ready.")


LONG = (
    "Your first opponent in Volley is ready. Play against it from the game's page. It goes on learning until you stop."
)


def test_a_long_message_on_a_large_scale_is_whole_and_leaves_the_status_free_where_it_can():
    look, canvas, toasts = Theme(scale=2), pygame.Surface((1280, 720)), Toasts()
    heading, status, tabs = pygame.Rect(20, 20, 260, 90), pygame.Rect(20, 120, 1200, 60), pygame.Rect(20, 200, 1240, 90)
    toasts.say(LONG)
    [plate] = toasts.draw_clear(canvas, [heading, tabs], texts=[status], foot=640, look=look)
    assert not plate.collidelistall([heading, status, tabs])
    line = look.line_height(SMALL)
    assert plate.bottom < 640, "not over the foot while the page has room"
    assert look.font(SMALL).size(LONG)[0] < plate.w * (plate.h // line), "all of its words have room"
    [covering] = toasts.draw_clear(canvas, [heading, tabs], texts=[status, canvas.get_rect()], foot=640, look=look)
    assert covering.h // line == plate.h // line, "whole over texts too"
    assert not covering.collidelistall([heading, tabs])


def test_a_message_is_over_the_foot_rather_than_over_the_texts_of_a_full_page():
    canvas, toasts, page = pygame.Surface((1280, 720)), Toasts(), pygame.Rect(0, 0, 1280, 560)
    toasts.say("Picture saved")
    [plate] = toasts.draw_clear(canvas, [pygame.Rect(40, 28, 300, 52)], texts=[page], foot=580, look=Theme(scale=2))
    assert page.bottom < plate.top
    assert plate.bottom <= 720


def test_a_long_message_over_a_match_on_a_large_scale_has_more_lines_instead_of_fewer_sentences():
    def drawn(words: str) -> bytes:
        canvas, toasts = pygame.Surface((1280, 720)), Toasts()
        toasts.say(words)
        toasts.draw(canvas, look=Theme(scale=2))
        return pygame.image.tobytes(canvas, "RGB")

    assert drawn(LONG) != drawn(LONG.removesuffix(" It goes on learning until you stop."))
