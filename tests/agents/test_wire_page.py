"""The example of docs/build/protocol.md: a peer that has nothing of this package."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from agents.wire.keys import Keys
from arcade.commands.cli import app

PAGE = (Path(__file__).parents[2] / "docs" / "build" / "protocol.md").read_text(encoding="utf-8")


def test_the_peer_of_the_page_is_let_in_by_the_command_that_it_prints(start_server, store, card, policy, monkeypatch):
    store.save(card("mine", game="house/volley"), policy())
    [program] = re.findall(r"```python\n(# my_peer.py\n.*?)```", PAGE, re.DOTALL)
    words = [sys.executable, "-c", program, start_server(store).endpoint, Keys().own().public.hex()]
    peer = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        command = peer.stdout.read(len("arcade keys allow '' --name peer") + 40)
        monkeypatch.setattr(sys, "argv", shlex.split(command))
        with pytest.raises(SystemExit) as end:
            app(prog_name="arcade")
        assert not end.value.code
        out, _ = peer.communicate("\n", timeout=60)
    finally:
        peer.kill()
        Keys().revoke("peer")
    assert out == "snapshots 1\n"
