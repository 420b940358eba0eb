"""Stands in for an engine: ``scripted_program.py SCRIPT`` takes the script's ``> lines`` and says its ``< lines``.

``hang`` says nothing more until the input closes, ``exit`` ends it.  What became of it is written behind SCRIPT, in
SCRIPT.log: the process, every line that came otherwise, and how many lines were left over.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path


def main(script: Path) -> None:
    lines = script.read_text().splitlines()
    with script.with_suffix(".log").open("w") as log:
        print("process", os.getpid(), file=log, flush=True)
        while lines:
            line = lines.pop(0)
            if line.startswith("< "):
                print(line[2:], flush=True)
            elif line == "<":
                print(flush=True)
            elif line == "hang":
                sys.stdin.read()
            elif line == "exit":
                break
            elif (came := sys.stdin.readline().rstrip("\n")) != line[2:]:
                print(f"expected {line[2:]!r}, got: {came!r}", file=log)
                lines.insert(0, line)
                break
        print("left", len(lines), file=log)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
