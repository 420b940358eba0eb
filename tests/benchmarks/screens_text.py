"""What a player reads: walks all screens and counts the faults of their texts.

``internal_ids``: texts with ids such as ``left_0`` or ``mpe/simple_tag_v3``; ``clipped``: texts that do not fit;
``untranslated``: English in the pseudo-language; ``low_contrast``: text below WCAG AA, 4.5:1 or 3:1 for large text;
``unreachable``: pairs of widgets of which arrows alone do not lead from one to the other; ``sharp_at_1080p``: edges of
text at 1920 x 1080 are as sharp as at 1280 x 720.  ``python -m tests.benchmarks.screens_text [--list]`` names each
fault on standard error.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import numpy as np
import pygame

from arcade.engine.input.sources import source_label
from arcade.engine.ui import theme as themes
from arcade.engine.ui.focus import Focus
from arcade.engine.ui.theme import Theme
from tests.shots.camera import LARGE, SMALL, USUAL, Look, Shots
from tests.support.focus_walk import too_far

LOOKS = (
    Look("night", 1, USUAL, "en"), Look("daylight", 2, SMALL, "pseudo"), Look("high contrast", 3, LARGE, "de"),
    Look("night", 1, USUAL, "pseudo"),
)  # fmt: skip
IDS = re.compile(r"\b[a-z]+(?:_[a-z]+)*_\d+\b|\b[a-z]+/[a-z_]+|_v\d+\b|\b(?:keyboard|gamepad|snapshot|level):\w")
PATH = re.compile(r"(?<!\S)/\S+")
"""An absolute path, such as that of the temporary folder that the example is in."""
WORDS = re.compile(r"[A-Za-z]{3,}")
PSEUDO = re.compile(r"\[[^\[\]]*~*\]")
NAMES = re.compile(r"\b[a-z]+-\d+(?:…|\b)|\b[a-z]+-night\b|^(?:[a-z2-7]{4} ){3,}[a-z2-7]{1,4}$")
"""Stored names of snapshots and runs, which people give, and the code of a match."""
GIVEN = re.compile(r"^(?:about|confirm|entry|error|select-search)|^settings-about")
"""Screens whose texts are handed in by the example, or are names of packages and licences."""
LARGE_TEXT = 24.0  # units; bold from 18.7


@dataclass(frozen=True)
class Written:
    """A text as it was drawn."""

    text: str
    size: float
    bold: bool
    colour: themes.Colour


class Ledger:
    """Every text of the screens, by the picture of it."""

    def __init__(self) -> None:
        self.written: dict[int, Written] = {}
        self._kept: list[pygame.Surface] = []  # so that no id is used twice
        for name in ("_text", "_paragraph"):
            setattr(Theme, name, self._noted(getattr(Theme, name)))

    def _noted(self, draw: Any) -> Any:
        def note(theme: Theme, text: str, **look: Any) -> pygame.Surface:
            picture = draw(theme, text, **look)
            colour = look.get("colour") or theme.colours.ink
            size = look.get("size", themes.BODY)
            self.written[id(picture)] = Written(text, size, look.get("bold", False), colour)
            self._kept.append(picture)
            return picture

        return note

    def clear(self) -> None:
        self.written.clear()
        self._kept.clear()
        themes.clipped_texts.clear()


class Sheet(pygame.Surface):
    """A canvas that measures the contrast of every text drawn on it."""

    ledger: Ledger
    faint: list[str]

    def blit(self, source: Any, dest: Any, *rest: Any, **more: Any) -> pygame.Rect:
        written = self.ledger.written.get(id(source))
        if written is not None and written.text.strip():
            area = pygame.Rect(getattr(dest, "topleft", dest), source.get_size()).clip(self.get_clip())
            if area.w and area.h:
                ground = pygame.transform.average_color(self, area)[:3]
                contrast = _contrast(written.colour, ground)
                is_large = written.size >= LARGE_TEXT or (written.bold and written.size >= 18.7)
                if contrast < (3.0 if is_large else 4.5):
                    self.faint.append(f"{written.text!r}: {contrast:.1f}")
        return super().blit(source, dest, *rest, **more)


class Auditor(Shots):
    """Looks at each screen in each look instead of taking its picture."""

    def __init__(self, *args: Any, ledger: Ledger) -> None:
        super().__init__(*args)
        self.faults: dict[str, dict[str, list[str]]] = defaultdict(dict)
        self.screens: set[str] = set()
        self._ledger = ledger

    def take(self, name: str) -> None:
        self.screens.add(name)
        for look in (*LOOKS[1:], LOOKS[0]):
            self._ledger.clear()
            self.engine.toasts.forget()  # said in another language
            self.wear(look)
            self._audit(name, look)

    def _audit(self, name: str, look: Look) -> None:
        texts = {written.text for written in self._ledger.written.values()}
        where = f"{name} ({look.folder})"
        self._add("clipped", where, list(dict.fromkeys(themes.clipped_texts)))
        if not GIVEN.search(name):
            self._add("internal_ids", where, [text for text in texts if has_id(text)])
        if look.language == "pseudo" and not GIVEN.search(name):
            known = self._names()
            self._add("untranslated", where, [text for text in texts if _is_english(text, known)])
        self._add("low_contrast", where, self._faint())
        self._add("unreachable", where, list(self._unreachable()))

    def _add(self, kind: str, where: str, found: list[str]) -> None:
        if found:
            self.faults[kind][where] = sorted(set(found))

    def _faint(self) -> list[str]:
        sheet = Sheet(self.engine.canvas.get_size())
        sheet.ledger, sheet.faint = self._ledger, []
        scenes = self.engine.visible("transparent")
        for scene in scenes:
            scene.draw(sheet)
        return sheet.faint

    def _unreachable(self) -> Iterator[str]:
        focus = getattr(self.engine.scene, "focus", None)
        return too_far(focus) if isinstance(focus, Focus) else iter(())

    def _names(self) -> set[str]:
        """Names that are the same in every language."""
        people = {"Ann", "Ben", "Cleo", "Player", "person 1", "pong"}
        keys = {source_label("keyboard", key) for key in ("return", "space", "escape", "tab", "left", "up")}
        return (
            keys | people | {"PettingZoo", "Arcade", "English", "Deutsch", "Pseudo", "Xbox", "PlayStation", "Nintendo"}
        )


def has_id(text: str) -> bool:
    """Whether the text has an id in it, apart from absolute paths."""
    return IDS.search(PATH.sub(" ", text)) is not None


def _is_english(text: str, known: set[str]) -> bool:
    left = NAMES.sub(" ", PSEUDO.sub(" ", text))
    for name in known:
        left = left.replace(name, " ")
    return bool(WORDS.search(left)) and not text.startswith(("[", "/"))


def _contrast(one: themes.Colour, other: tuple[int, ...]) -> float:
    """Return the contrast ratio (WCAG 2.2)."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: tuple[int, ...]) -> float:
    parts = [part / 255 for part in colour[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _edge(engine: Any, size: tuple[int, int]) -> float:
    """Return the width in pixels of the edges of the heading on the screen: 90% of the largest steps in brightness."""
    settings = engine.settings.changed(
        window_width=size[0], window_height=size[1], ui_scale=1.0, palette="night", language="en"
    )
    engine.apply(settings, save=False)
    for _ in range(3):
        engine.frame(engine.clock())
    theme, rect = engine.theme, engine.scene.tree.rect
    area = pygame.Rect(rect.left, rect.top, rect.w // 2, theme.px(90)).clip(engine.canvas.get_rect())
    light = pygame.surfarray.array3d(engine.canvas.subsurface(area)).mean(axis=2)
    steps = np.abs(np.diff(light, axis=0))
    strongest = np.sort(steps[steps > 20])[-200:]
    return float((light.max() - light.min()) / np.median(strongest))


def main() -> int:
    """Print the figures as one JSON object."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["ARCADE_HOME"] = folder
        from arcade.scenes import routes
        from arcade.scenes.app import open_window
        from arcade.session.match.setup import WindowOptions
        from arcade.session.settings import Settings
        from tests.shots.__main__ import tell_all
        from tests.shots.camera import SEED

        ledger = Ledger()
        with open_window(WindowOptions(seed=SEED), settings=Settings(reduce_motion=True), error_route=None) as (
            engine,
            services,
        ):
            auditor = Auditor(engine, services, Path(folder), LOOKS, ledger=ledger)
            tell_all(auditor)
            engine.reset_to(routes.Settings())
            sharp = _edge(engine, (1920, 1080)) <= 1.15 * _edge(engine, USUAL)
    kinds = ("internal_ids", "clipped", "untranslated", "low_contrast", "unreachable")
    if "--list" in sys.argv:
        print(json.dumps(auditor.faults, indent=1, ensure_ascii=False), file=sys.stderr)
    counts: dict[str, Any] = {
        kind: len({text for found in auditor.faults[kind].values() for text in found}) for kind in kinds
    }
    print(json.dumps({**counts, "sharp_at_1080p": sharp, "screens": len(auditor.screens)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
