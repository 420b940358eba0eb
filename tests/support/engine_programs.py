"""Scripted engines, run as programs."""

from __future__ import annotations

from pathlib import Path

PROGRAM = Path(__file__).with_name("scripted_program.py")

UCI = """> uci
< id name Fake
< option name Threads type spin default 4 min 1 max 8
< option name Skill Level type spin default 20 min 0 max 20
< option name UCI_LimitStrength type check default false
< option name UCI_Elo type spin default 1350 min 1350 max 2850
< uciok
"""

BEGUN = UCI + "> setoption name Threads value 1\n> ucinewgame\n> isready\n< readyok\n"
