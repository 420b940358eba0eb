"""A program ends at once, with all that it has said and its functions of `atexit`."""

import subprocess
import sys

PROGRAM = """
import atexit
from agents.interrupts import end_process

class Slow:
    def __del__(self):
        print("freed one by one")

slow = Slow()
atexit.register(print, "tidied up")
print("result")
end_process(3)
"""


def test_a_program_ends_with_its_words_and_status_and_frees_nothing():
    ended = subprocess.run([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True)
    assert (ended.returncode, ended.stdout.splitlines()) == (3, ["result", "tidied up"])


def test_a_reader_that_has_left_changes_no_status():
    program = PROGRAM.replace('print("result")', "input()")  # until the reader has left
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.close()
        process.stdin.write(b"go\n")
        process.stdin.flush()
        assert process.wait() == 3
