"""Processes that a test waits for."""

from __future__ import annotations

import os
import time

import pytest

DEADLINE = 300.0


def wait_for(condition, child=None, what="it"):
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        assert child is None or child.poll() is None, f"the trainer ended with {child.returncode}"
        time.sleep(0.05)
    pytest.fail(f"expected {what} within {DEADLINE} s")


def descendants(pid):
    found = []
    for path in (p for p in os.listdir("/proc") if p.isdecimal()):
        try:
            with open(f"/proc/{path}/stat") as file:
                parent = int(file.read().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == pid:
            found += [int(path), *descendants(int(path))]
    return found


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
