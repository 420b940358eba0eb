"""Speech programs that write down what they read, in heard.txt beside them."""

from __future__ import annotations

import sys
from pathlib import Path

_VOICE = """\
#!{python}
import sys, time
heard = {heard!r}
def note(line):
    with open(heard, "a") as file:
        file.write(line + "\\n")
if {fails!r}:
    sys.exit({fails!r})
if {deaf}:
    time.sleep({seconds})
if "--pipe-mode" in sys.argv:
    for line in sys.stdin:
        note(line.rstrip("\\n"))
else:
    text = sys.stdin.read()
    note("begins: " + text)
    time.sleep({seconds})
    note("ends: " + text)
"""


def install(name: str, folder: Path, *, seconds: float = 0.0, fails: str = "", deaf: bool = False) -> None:
    """Put a program into `folder` that takes `seconds` for a text, or ends with the error `fails`."""
    program = folder / name
    heard = str(folder / "heard.txt")
    program.write_text(_VOICE.format(python=sys.executable, heard=heard, seconds=seconds, fails=fails, deaf=deaf))
    program.chmod(0o755)
