"""How far a process that measures programs came (watch.py): the answers that it gave, and why there are no more."""
import os
import signal

from child import HEADER
from progress import WALL_FACTOR

ANSWER = b'v'
# Of one process. Pylint has a few hundred bytes to say about a line.
OUTPUT_BYTES = 256 << 20
# How a process ends that has none left.
OUT_OF_MEMORY = 71


class Limits:
    """Of each program; far above what any needs that a model wrote."""

    language = 'python'
    memory = 512 << 20
    cpu_ms = 20_000

    def limit(self, step):
        return self.cpu_ms

    def seconds(self, programs):
        """A bound on the CPU time of one child, should nobody watch it."""
        return self.cpu_ms // 1000 * programs + 2


class Measuring:
    end = None

    def __init__(self, programs):
        self.programs = programs
        self.answers = []
        self.failure = None
        self.closed = False

    @property
    def step(self):
        return len(self.answers)

    def record(self, tag, body, ns):
        if not self.closed and tag == ANSWER and len(self.answers) < self.programs:
            self.answers.append(bytes(body))

    def broken(self, why):
        self.close('output_limit' if why == 'flood' else 'killed')

    def may_go_on(self, limit_ms, cpu_ms, wall_ms, waited_ms):
        if cpu_ms >= limit_ms or wall_ms - waited_ms >= WALL_FACTOR * limit_ms:
            self.close('timeout')
        return not self.closed

    def over(self, status, oom):
        if self.closed or os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
            return
        if oom or os.WIFEXITED(status) and os.WEXITSTATUS(status) == OUT_OF_MEMORY:
            self.close('memory')
        elif os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
            self.close('timeout')
        else:
            # An exception of Pylint's, not even reported as a crash, or a signal.
            self.close('pylint_crash' if os.WIFEXITED(status) else 'killed')

    def close(self, failure):
        self.failure, self.closed = failure, True


def write_answer(fd, nonce, body):
    record = HEADER.pack(ANSWER, nonce, len(body), 0) + body
    sent = os.write(fd, record)
    while sent < len(record):
        record = record[sent:]
        sent = os.write(fd, record)
