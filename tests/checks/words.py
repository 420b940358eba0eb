"""Counts the words that the glossary rules out, in code, messages and documentation.

``python -m tests.checks.words`` fails where there are more than `ALLOWED` says, which may only shrink; a word that is
not named there is ruled out altogether.  ``--list`` shows every line.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PACKAGES = ("agents", "arcade", "trainer")

RULED_OUT = {
    # The word, or a pattern of it, and what to write instead.
    r"evenings?": "series, tournament",
    r"sittings?": "match, series",
    r"likening": "likeness",
    r"mending": "the noun of what it does",
    r"grips?": "key bindings",
    r"minds?": "AI insight",
    r"lanes?|\w*_lanes?|lane_\w+": "vectorised env, env index",
    r"lock-?step\w*": "vectorised env",
    r"answerers?": "batch policy",
    r"(?:an?|the|this|each|every|no|of|one|other|some|these|all|which) takes?|takes? (?:of|that|is|are)": "recording",
    r"demos?": "recording, demonstration",
    r"surely": "leave it out, or name the rating",
    r"who\b[^.;:]*\bsurely": "leave it out, or name the rating",
    r"broken off": "ended early",
    r"as usual": "by default, as before",
    r"whoever|whomever": "the noun: the caller, the player, the owner",
    r"somebody|someone": "the noun: a player, a person",
    r"nobody|no one": "the noun: no player, no caller",
    r"goes on|go on|went on|gone on": "continues, resumes",
    r"tells? of|told of|telling of": "reports, names",
    r"pull(?:s|ed)? toward": "KL penalty to a reference policy",
    r"taken down|taking.down": "recorded, copied",
    r"lens": "the view",
    r"calm": "reduced flashing",
    r"people and policies in any seat": "Play any game with friends or AI",
    r"changes hold at once": "Changes are saved automatically",
    r"where the match stands": "Resume",
    r"was pulled out": "disconnected",
    r"machine plays on": "Let the AI take over",
    r"slow games": "Frame rate",
    r"late answers?": "late actions",
    r"a press shows it again": "Press to watch",
    r"stands? first": "Ranked by …",
    r"equals draw": "Draws between equals",
    r"in the way of anything else": "No conflicts",
    r"better things to do than": "Non-blocking …",
    r"become somebody": "Resolves … to a concrete opponent",
    r"have no need of": "do not need",
    r"connector of one piece": "a learner pipeline with a single connector",
}

ALLOWED: dict[str, int] = {
    r"minds?": 1,
    r"(?:an?|the|this|each|every|no|of|one|other|some|these|all|which) takes?|takes? (?:of|that|is|are)": 1,
    r"demos?": 2,
    r"goes on|go on|went on|gone on": 1,
}
"""How often a word is still there; lower the number when there are fewer."""


class Hit(NamedTuple):
    word: str
    path: Path
    line: int
    text: str


def find_words(path: Path) -> Iterator[Hit]:
    """Each place where a file has a word that is ruled out."""
    for number, text in enumerate(path.read_text("utf-8").splitlines(), 1):
        for word, pattern in PATTERNS.items():
            for _ in pattern.findall(text):
                yield Hit(word, path, number, text.strip())


PATTERNS = {word: re.compile(rf"\b(?:{word})\b", re.IGNORECASE) for word in RULED_OUT}


def files() -> list[Path]:
    sources = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    return [*sources, ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def main(words: list[str]) -> int:
    hits = [hit for path in files() for hit in find_words(path)]
    wrong = False
    for word, instead in RULED_OUT.items():
        found, allowed = [hit for hit in hits if hit.word == word], ALLOWED.get(word, 0)
        if "--list" in words or len(found) > allowed:
            for hit in found:
                print(f"{hit.path.relative_to(ROOT)}:{hit.line}: {hit.text}")
        if len(found) > allowed:
            wrong = True
            print(f"expected at most {allowed} of '{word}', got {len(found)}; write instead: {instead}")
        elif len(found) < allowed:
            print(f"'{word}': {len(found)}, fewer than the {allowed} that are allowed; lower the number")
    return int(wrong)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
