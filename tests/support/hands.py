"""Ways of playing: a keyboard, one pad, a mouse."""

from __future__ import annotations

from typing import ClassVar

import pygame

from arcade.engine.ui.lists import ListView
from arcade.engine.ui.tiles import TileGrid
from arcade.engine.ui.widget import Widget
from tests.support.open_arcade import OpenArcade
from tests.support.virtual_pad import VirtualPad


def press(sitting, key: int) -> None:
    for kind in (pygame.KEYDOWN, pygame.KEYUP):
        pygame.event.post(pygame.event.Event(kind, key=key, scancode=0, mod=0, unicode=""))
    sitting.frame(2)


class Hand:
    """What every way of playing can do."""

    def __init__(self, sitting: OpenArcade) -> None:
        self.sitting = sitting

    def press(self, action: str) -> None:
        raise NotImplementedError

    def choose(self, words: str) -> None:
        """Turn to the tab of that title, or go to the widget with these words by directions alone and press it."""
        if self.sitting.tabs(words) is not None:
            self.turn_to(words)
            return
        self.reach(self.sitting.widget(words))
        self.press("accept")

    def turn_to(self, title: str) -> None:
        """Turn to a tab."""
        while (tabs := self.sitting.tabs(title)).titles[tabs.index] != title:
            self.reach(tabs)
            self.press("right" if tabs.titles.index(title) > tabs.index else "left")

    def reach(self, target: Widget) -> None:
        """Go there; a page may make its widgets anew meanwhile, in the same places."""
        for _ in range(40):
            here = self._focused
            if here.rect == target.rect:
                return
            dx, dy = target.rect.centerx - here.rect.centerx, target.rect.centery - here.rect.centery
            upright = ("down" if dy > 0 else "up", "right" if dx > 0 else "left")
            in_column = dy and here.rect.left < target.rect.right and target.rect.left < here.rect.right
            first, second = upright if in_column or abs(dy) >= abs(dx) else upright[::-1]
            self.press(first)
            if self._focused.rect == here.rect:
                self.press(second)
        raise AssertionError(f"expected to reach {target.label!r}, stuck on {self._focused.label!r}")

    @property
    def _focused(self) -> Widget:
        return self.sitting.engine.scene.focus.focused

    def pick_row(self, index: int) -> None:
        """Take row `index` of the list on the screen."""
        menu = next(w for w in self.sitting.engine.scene.focus.widgets if isinstance(w, ListView | TileGrid))
        for _ in range(index - menu.index):
            self.press("right" if isinstance(menu, TileGrid) else "down")
        self.press("accept")

    def pick(self, words: str) -> None:
        """Take the row with these words of the list on the screen."""
        view = self._list
        rows = [row for row, item in enumerate(view.items) if item.text.startswith(words) and not item.heading]
        assert rows, f"expected {words!r} among {[item.text for item in view.items]}"
        self._go_to_row(view, rows[0])

    def _go_to_row(self, view: ListView, row: int) -> None:
        for _ in range(len(view.items)):
            if view.index != row:
                self.press("down" if view.index < row else "up")
        assert view.index == row
        self.press("accept")

    @property
    def _list(self) -> ListView:
        return next(w for w in self.sitting.engine.scene.focus.widgets if isinstance(w, ListView))

    def pause(self) -> None:
        self.press("start")


class KeyboardHand(Hand):
    KEYS: ClassVar = {
        "up": pygame.K_UP,
        "down": pygame.K_DOWN,
        "left": pygame.K_LEFT,
        "right": pygame.K_RIGHT,
        "accept": pygame.K_RETURN,
        "back": pygame.K_ESCAPE,
        "start": pygame.K_ESCAPE,
    }

    def press(self, action: str) -> None:
        self.key(self.KEYS[action])

    def key(self, key: int) -> None:
        for kind in (pygame.KEYDOWN, pygame.KEYUP):
            pygame.event.post(pygame.event.Event(kind, key=key, mod=0, unicode="", scancode=0))
            self.sitting.frame()

    def type(self, text: str) -> None:
        for letter in text:
            pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=ord(letter), mod=0, unicode=letter, scancode=0))
            pygame.event.post(pygame.event.Event(pygame.TEXTINPUT, text=letter))
            pygame.event.post(pygame.event.Event(pygame.KEYUP, key=ord(letter), mod=0, unicode=letter, scancode=0))
        self.sitting.frame()


class PadHand(Hand):
    BUTTONS: ClassVar = {"accept": "a", "back": "b"}

    def __init__(self, sitting: OpenArcade) -> None:
        super().__init__(sitting)
        self.pad = VirtualPad()
        sitting.until(lambda: sitting.engine.devices.pads, "a pad")

    def press(self, action: str) -> None:
        button = self.BUTTONS.get(action, action)
        self.pad.press(button)
        self.sitting.frame(2)
        self.pad.release(button)
        self.sitting.frame(2)


class MouseHand(Hand):
    def choose(self, words: str) -> None:
        if (tabs := self.sitting.tabs(words)) is not None:
            self.click(tabs.areas[tabs.titles.index(words)].clip(tabs.rect).center)
        else:
            self.click(self.sitting.widget(words).rect.center)

    def move(self, pos: tuple[int, int]) -> None:
        pygame.event.post(pygame.event.Event(pygame.MOUSEMOTION, pos=pos, rel=(0, 0), buttons=(0, 0, 0)))
        self.sitting.frame()

    def click(self, pos: tuple[int, int]) -> None:
        self.move(pos)
        for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            pygame.event.post(pygame.event.Event(kind, pos=pos, button=1))
            self.sitting.frame()

    def pick_row(self, index: int) -> None:
        menu = next(w for w in self.sitting.engine.scene.focus.widgets if isinstance(w, ListView | TileGrid))
        if isinstance(menu, TileGrid):
            self.click(menu.tile_rect(index).center)
            return
        self.click(menu.row_rect(index).center)

    def _go_to_row(self, view: ListView, row: int) -> None:
        view.show(row)
        self.click(view.row_rect(row).center)

    def pause(self) -> None:
        foot = self.sitting.engine.scene.hud.foot
        self.sitting.until(lambda: foot.pause_button.w, "the button in the foot")
        self.click(foot.pause_button.center)
