"""Ways of writing that are wrong on purpose: the crash tests must find each."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from tests.support.write_paths.path import WritePath


class InPlacePath(WritePath):
    """Wrong on purpose: writes over the file that is there."""

    name = "in place"

    def prepare(self, home: Path) -> None:
        (home / "a.json").write_text(json.dumps("old"))

    def write(self, home: Path) -> None:
        (home / "a.json").write_text(json.dumps("new"))

    def found(self, home: Path) -> Any:
        return json.loads((home / "a.json").read_text())


class UnflushedPath(InPlacePath):
    """Wrong on purpose: renames what may not be on the disk."""

    name = "unflushed"

    def write(self, home: Path) -> None:
        (home / "a.json.part").write_text(json.dumps("new"))
        os.replace(home / "a.json.part", home / "a.json")


class LitteringPath(InPlacePath):
    """Wrong on purpose: nobody removes what a killed writer leaves."""

    name = "littering"

    def write(self, home: Path) -> None:
        from agents.files import flush

        aside = home / f"a.{os.getpid()}.part"
        aside.write_text(json.dumps("new"))
        flush(aside)
        os.replace(aside, home / "a.json")
        flush(home)


class ForgetfulPath(InPlacePath):
    """Wrong on purpose: says nothing of a disk that is full."""

    name = "forgetful"

    def write(self, home: Path) -> None:
        from contextlib import suppress

        from agents.files import replace_file

        with suppress(OSError):
            replace_file(home / "a.json", json.dumps("new"))
