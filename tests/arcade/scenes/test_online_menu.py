"""The page that hosts or joins a match over the network."""

from __future__ import annotations

from arcade.scenes import routes


def test_a_spoilt_code_is_told_in_plain_words_and_can_be_corrected(sit, keyboard) -> None:
    sitting = sit()
    sitting.engine.push(routes.Online())
    hand = keyboard(sitting)
    hand.choose("Enter a code")
    hand.type("hello")
    hand.press("accept")
    (told,) = sitting.engine.toasts.messages
    assert told == "This is not the whole code of a match. Copy it again, to its last letter."
    assert sitting.on == "TextEntryScene"
    assert sitting.engine.scene.value == "hello"
