"""The keys in ARCADE_HOME: made once, private, with the names of those who are let in."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import zmq
from zmq.utils import z85

from agents.errors import UserError
from agents.files.private import PrivateFileError
from agents.wire.addresses import Address, parse_address, without_key
from agents.wire.keys import Keys, KeysError, read_key

THEIRS = bytes(range(32))
ASK = "import sys; sys.stdin.readline(); from agents.wire.keys import Keys; print(Keys().own().public.hex())"


@pytest.fixture
def keys(tmp_path):
    return Keys(tmp_path / "keys")


def mode(path):
    return path.stat().st_mode & 0o777


def test_a_pair_is_made_once_and_only_its_owner_can_read_it(keys):
    own = keys.own()
    assert z85.encode(own.public) == zmq.curve_public(z85.encode(own.secret))
    assert keys.own() == Keys(keys.folder).own() == own
    assert own.secret.hex() not in repr(own)
    assert (mode(keys.folder), mode(keys.folder / "secret.key")) == (0o700, 0o600)
    assert [path.name for path in keys.folder.iterdir()] == ["secret.key"]


def test_no_umask_opens_the_keys(tmp_path):
    before = os.umask(0)
    try:
        keys = Keys(tmp_path / "keys")
        keys.allow(THEIRS, name="Ada")
    finally:
        os.umask(before)
    assert (mode(keys.folder), mode(keys.folder / "secret.key")) == (0o700, 0o600)


def test_processes_that_ask_for_the_first_time_together_get_the_same_pair(tmp_path):
    environment = os.environ | {"ARCADE_HOME": str(tmp_path)}
    command = [sys.executable, "-c", ASK]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    processes = [subprocess.Popen(command, env=environment, **pipes) for _ in range(4)]
    for process in processes:
        process.stdin.write("now\n")
        process.stdin.flush()
    keys = {process.communicate(timeout=60)[0].strip() for process in processes}
    assert keys == {Keys(tmp_path / "keys").own().public.hex()}


def test_a_pair_that_another_process_has_just_made_is_kept(keys, monkeypatch):
    other = Keys(keys.folder)
    make, made = zmq.curve_keypair, []

    def make_later():
        monkeypatch.setattr(zmq, "curve_keypair", make)
        made.append(other.own())
        return make()

    monkeypatch.setattr(zmq, "curve_keypair", make_later)
    assert [keys.own()] == made


def test_a_secret_key_that_others_can_read_is_refused_with_the_remedy(keys):
    keys.own()
    path = keys.folder / "secret.key"
    path.chmod(0o644)
    with pytest.raises(PrivateFileError, match=f"mode 644; delete .* or keep it: chmod 600 {path}"):
        keys.own()
    path.chmod(0o600)
    keys.own()


@pytest.mark.parametrize("content", ["", "no key", "ab" * 31, "\xff"])
def test_a_spoilt_secret_key_is_named(keys, content):
    keys.own()
    (keys.folder / "secret.key").write_text(content, "latin-1")
    with pytest.raises(PrivateFileError, match=r"secret\.key.*delete"):
        keys.own()


def test_peers_are_allowed_and_revoked_by_name(keys):
    keys.allow(THEIRS, name=" Ada ")
    keys.allow(b"\xff" * 32, name="Laptop upstairs")
    assert keys.allowed() == {THEIRS: "Ada", b"\xff" * 32: "Laptop upstairs"}
    assert keys.admits(THEIRS)
    assert keys.admits(keys.own().public)
    assert not keys.admits(b"\x01" * 32)
    assert not keys.admits(b"")
    keys.allow(THEIRS, name="Ada L.")
    keys.revoke("Ada L.")
    assert keys.allowed() == {b"\xff" * 32: "Laptop upstairs"}
    assert not keys.admits(THEIRS)


def test_names_and_keys_that_cannot_be_used_are_refused(keys):
    keys.allow(THEIRS, name="Ada")
    for name in ("", " ", "a\nb", "x" * 65):
        with pytest.raises(KeysError, match="expected a name"):
            keys.allow(b"\x02" * 32, name=name)
    with pytest.raises(KeysError, match="keys revoke 'Ada'"):
        keys.allow(b"\x02" * 32, name="Ada")
    with pytest.raises(KeysError, match="our own"):
        keys.allow(keys.own().public, name="me")
    with pytest.raises(KeysError, match=r"\(Ada\), got: 'Bob'"):
        keys.revoke("Bob")


def test_files_that_are_no_keys_let_nobody_in(keys):
    keys.allow(THEIRS, name="Ada")
    (keys.folder / "allowed" / ".DS_Store").write_bytes(b"\xff")
    (keys.folder / "allowed" / "x").mkdir()
    (keys.folder / "allowed" / ("cd" * 32)).mkdir()
    assert keys.allowed() == {THEIRS: "Ada"}
    assert not keys.admits(b"\xcd" * 32)


def test_keys_are_written_in_two_ways():
    assert read_key(THEIRS.hex()) == read_key(THEIRS.hex().upper()) == read_key(z85.encode(THEIRS).decode()) == THEIRS
    for text in ("", "ab", "g" * 64, '"' * 40, "é" * 40, "a" * 43):
        with pytest.raises(UserError, match="expected a key"):
            read_key(text)


def test_addresses_carry_keys():
    key = THEIRS.hex()
    assert parse_address("tcp://h:1") == Address("tcp://h:1")
    assert parse_address(f"tcp://{key}@[::1]:1") == Address("tcp://[::1]:1", THEIRS)
    assert parse_address("tcp://insecure@h:1") == Address("tcp://h:1", insecure=True)
    assert parse_address("ipc:///tmp/a@b") == Address("ipc:///tmp/a@b")
    for text in ("tcp://h:1", f"tcp://{key}@h:1", "tcp://insecure@h:1"):
        assert str(parse_address(text)) == text
        assert without_key(text) == "tcp://h:1"
    assert without_key(f"{parse_address(f'tcp://{key}@h:1')}/latest") == "tcp://h:1/latest"
    for text in ("", "h:1", "tcp://", "tcp://short@h:1", f"tcp://{key}x@h:1"):
        with pytest.raises(UserError, match="expected"):
            parse_address(text)
