"""``arcade keys``, and what the commands that listen say about keys."""

from __future__ import annotations

import json
import re
import sys

import pytest
from zmq.utils import z85

from agents.wire.keys import Keys
from arcade.commands.cli import app

THEIRS = "ab" * 32


@pytest.fixture
def arcade(tmp_path, monkeypatch, capsys):
    """Run a command: (exit status, output, errors)."""
    monkeypatch.setenv("ARCADE_HOME", str(tmp_path))

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["arcade", *words])
        with pytest.raises(SystemExit) as end:
            app(prog_name="arcade")
        out, err = capsys.readouterr()
        return end.value.code or 0, out, err

    return run


def test_keys_are_shown_allowed_and_revoked(arcade):
    own = Keys().own().public.hex()
    assert arcade("keys", "show")[1].startswith(f"your key: {own}\n")
    assert arcade("keys", "allow", THEIRS, "--name", "Ada")[1] == "allowed Ada\n"
    assert re.search(rf"Ada +{THEIRS}", arcade("keys", "show")[1])
    code, out, _ = arcade("keys", "revoke", "Ada")
    assert (code, out.startswith("revoked Ada; ")) == (0, True)
    assert "Ada" not in arcade("keys", "show")[1]


def test_keys_in_json(arcade):
    allowed = json.loads(arcade("keys", "allow", THEIRS.upper(), "--name", "Ada", "--json")[1])
    assert allowed == {"allowed": "Ada", "key": THEIRS}
    shown = json.loads(arcade("keys", "show", "--json")[1])
    own = Keys().own().public
    assert (shown["key"], shown["z85"]) == (own.hex(), z85.encode(own).decode())
    assert shown["allowed"] == [{"name": "Ada", "key": THEIRS}]
    assert json.loads(arcade("keys", "revoke", "Ada", "--json")[1]) == {"revoked": "Ada"}


def test_a_key_in_z85_may_begin_with_a_dash(arcade):
    key = z85.decode("-" + "a" * 39)
    assert arcade("keys", "allow", z85.encode(key).decode(), "--name", "Ada")[0] == 0
    assert Keys().admits(key)


@pytest.mark.parametrize(
    ("words", "status", "error"),
    [
        (("allow", "abc", "--name", "Ada"), 2, "expected a key of 64 hexadecimal digits, got: 'abc'"),
        (("allow", THEIRS, "--name", " "), 2, "expected a name of 1 to 64 printable characters"),
        (("revoke", "Bob"), 3, "expected a name that is allowed (none yet), got: 'Bob'"),
    ],
)
def test_what_is_no_key_or_name_is_refused(arcade, words, status, error):
    code, out, err = arcade("keys", *words)
    assert (code, out) == (status, "")
    assert error in err


@pytest.fixture
def serve(arcade, monkeypatch, capsys):
    """What ``arcade serve`` says once it listens."""

    def announce(server, *, ready):
        ready(server.endpoint)
        raise SystemExit(0)

    monkeypatch.setattr("agents.wire.server.run_until_signalled", announce)
    return lambda *words: arcade("serve", *words)[1]


def test_a_server_on_loopback_names_an_address_for_the_same_person(serve):
    out = serve("--endpoint", "tcp://127.0.0.1:*")
    assert re.search(r"AGENT=remote:tcp://127\.0\.0\.1:\d+/latest$", out.strip())


def test_a_server_for_others_names_its_key_and_whom_to_allow(serve):
    out = serve("--endpoint", "tcp://0.0.0.0:*")
    assert re.search(rf"AGENT=remote:tcp://{Keys().own().public.hex()}@(?!0\.0)[^:@]+:\d+/latest\n", out)
    assert "arcade keys allow KEY --name NAME" in out


def test_a_server_without_keys_says_so(serve):
    out = serve("--endpoint", "tcp://127.0.0.1:*", "--insecure")
    assert re.search(r"AGENT=remote:tcp://insecure@127\.0\.0\.1:\d+/latest\n", out)
    assert "without keys: anyone who reaches tcp://127.0.0.1:" in out
