"""How a run is stopped: once after the iteration, or in the middle of it where that takes long; twice at once."""

import signal
import subprocess
import sys
import time

import pytest

from tests.support.processes import DEADLINE, wait_for
from trainer.runs.stopping import CutOffError, StoppedAtOnce, StoppedEarly, StopSignals


class Server:
    def __init__(self):
        self.looks = 0  # how often it was looked whether to stop
        self._stop = False

    @property
    def stop(self):
        self.looks += 1
        return self._stop

    def request(self, name):
        assert name == "stop"
        self._stop = True


def wrap(call):
    try:
        call()
    except CutOffError as error:
        raise SystemError("returned a result with an exception set") from error


@pytest.fixture
def server():
    return Server()


def run_for_ever():
    while True:
        time.sleep(0.01)


def test_the_first_signal_asks_and_the_second_ends_at_once(server):
    before = signal.getsignal(signal.SIGINT)
    with StopSignals(server, grace=1e9) as signals:
        signals.begin()
        signal.raise_signal(signal.SIGINT)
        assert server.stop
        with pytest.raises(StoppedAtOnce):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) == before


def test_two_signals_of_a_closing_terminal_are_one_request(server):
    with StopSignals(server, grace=1e9) as signals:
        signals.begin()
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGINT)
    assert server.stop


def test_before_the_training_a_signal_ends_at_once(server):
    with StopSignals(server), pytest.raises(StoppedEarly):
        signal.raise_signal(signal.SIGTERM)


def test_an_iteration_that_does_not_end_is_cut_off(server):
    released = []
    with StopSignals(server, grace=0.0) as signals:
        signals.begin()
        server.request("stop")
        with pytest.raises(CutOffError), signals.iteration(lambda: released.append(True)):
            run_for_ever()
    assert released == [True]


def test_a_library_that_wraps_what_is_raised_in_it_does_not_hide_the_cut(server):
    with StopSignals(server, grace=0.0) as signals:
        signals.begin()
        server.request("stop")
        with pytest.raises(CutOffError), signals.iteration():
            wrap(run_for_ever)


def test_an_iteration_that_fails_by_itself_says_why(server):
    with StopSignals(server) as signals:
        signals.begin()
        with pytest.raises(ZeroDivisionError), signals.iteration():
            _ = 1 / 0


def test_nothing_is_cut_off_between_iterations(server):
    with StopSignals(server, grace=0.0) as signals:
        signals.begin()
        with signals.iteration():
            pass
        server.request("stop")
        looks = server.looks
        wait_for(lambda: server.looks > looks + 3, what="the watchdog")


STUCK = """
import hashlib, os, sys, threading
from trainer.runs import stopping

class Server:
    stop = False
    def request(self, name):
        if not self.stop:
            print(name, flush=True)
        self.stop = True

def report():
    with gate:
        print("begun", flush=True)

sys.setswitchinterval(1e9)  # no thread gets its turn before another waits, or is inside the call
gate = threading.Lock()
gate.acquire()
threading.Thread(target=report, daemon=True).start()
stopping.STUCK_SECONDS = float(sys.argv[1])
with stopping.StopSignals(Server(), grace=0.0, end=lambda why: os._exit(7)) as signals:
    signals.begin()
    with signals.iteration():
        gate.release()
        hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)  # a call of many minutes that no signal interrupts
"""


@pytest.mark.parametrize(("number", "seconds", "again"), [("SIGINT", 0.0, 0), ("SIGTERM", 0.0, 0), ("SIGINT", 1e9, 1)])
def test_a_call_that_nothing_interrupts_is_ended_with_the_program(number, seconds, again):
    child = subprocess.Popen([sys.executable, "-c", STUCK, str(seconds)], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "begun\n"
        child.send_signal(getattr(signal, number))
        assert child.stdout.readline() == "stop\n", "it is asked for though the main thread does not come back"
        for _ in range(again):
            child.send_signal(getattr(signal, number))
        assert child.wait(DEADLINE) == 7
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


EARLY = """
import os, sys, time
from trainer.runs.stopping import StoppedEarly, StopSignals

class Server:
    stop = False
    def request(self, name):
        self.stop = True

def hang():
    print("hangs", flush=True)
    while True:
        time.sleep(1)

try:
    with StopSignals(Server(), grace=0.1, end=lambda why: os._exit(7 if why is StoppedEarly else 8)):
        try:
            hang()
        except StoppedEarly:
            if sys.argv[1] == "swallowed":
                hang()
            raise
except StoppedEarly:
    hang()
"""


@pytest.mark.parametrize("how", ["swallowed", "on its way out"])
def test_a_program_that_hangs_after_a_signal_before_the_training_is_ended(how):
    child = subprocess.Popen([sys.executable, "-c", EARLY, how], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "hangs\n"
        child.send_signal(signal.SIGTERM)
        assert child.stdout.readline() == "hangs\n"
        assert child.wait(DEADLINE) == 7
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


def test_a_stop_in_time_ends_no_program(server):
    ends = []
    with StopSignals(server, grace=1e9, end=ends.append) as signals:
        signals.begin()
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGINT)
        looks = server.looks
        wait_for(lambda: server.looks > looks + 3, what="the watchdog")
    assert ends == []
    assert not signals._watchdog.is_alive()
    assert signal.set_wakeup_fd(-1) == -1
