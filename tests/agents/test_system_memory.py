"""Memory of the operating system: one heap for all threads, reserved memory, and memory that is given back."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys

import pytest

from agents.platform import Windows, system

HEAPS = """
import ctypes, sys, threading
from agents.platform import system
if sys.argv[2] == "shared":
    system.share_heap()
kept, barrier = [], threading.Barrier(4)
def work():
    barrier.wait()
    kept.append(bytearray(50_000))
    barrier.wait()
threads = [threading.Thread(target=work) for _ in range(4)]
for one in threads: one.start()
for one in threads: one.join()
libc = ctypes.CDLL(None)
libc.fopen.restype, libc.malloc_info.argtypes = ctypes.c_void_p, [ctypes.c_int, ctypes.c_void_p]
libc.fclose.argtypes = [ctypes.c_void_p]
file = libc.fopen(sys.argv[1].encode(), b"w")
libc.malloc_info(0, file)
libc.fclose(file)
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_info"), reason="needs glibc")
@pytest.mark.parametrize("how", ["shared", "own"])
def test_threads_share_one_heap(tmp_path, how):
    subprocess.run([sys.executable, "-c", HEAPS, str(tmp_path / "heaps.xml"), how], check=True, timeout=120)
    heaps = (tmp_path / "heaps.xml").read_text().count("<heap nr=")
    assert heaps == 1 if how == "shared" else heaps > 1


@pytest.mark.parametrize("kind", [Windows(), system])
def test_reserved_memory_is_zero_and_can_be_written(kind):
    with kind.reserve_memory(2**20) as memory:
        assert memory[:9] == bytes(9)
        memory[-4:] = b"last"
        assert memory[-4:] == b"last"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_reserved_memory_is_not_shared_with_a_child():
    with system.reserve_memory(2**20) as memory:
        if (child := os.fork()) == 0:
            memory[0] = 1
            os._exit(0)
        os.waitpid(child, 0)
        assert memory[0] == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs the allocator of Linux")
def test_memory_that_was_freed_is_given_back():
    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    blocks = [bytes(50_000) for _ in range(2000)]  # too small to be mapped each by itself
    kept = blocks[-1]
    full = resident()
    del blocks
    system.trim_memory()
    assert full - resident() > 50_000_000
    assert len(kept) == 50_000
