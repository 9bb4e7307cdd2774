"""
Watches a child from outside: takes its records, counts its CPU time step by step, ends it at its limits, and says how it ended. Everything that
comes through the pipe may be forged by the program; it can only be believed to be what the program wants to have answered.
"""
import os
import select
import signal
import time

from child import HEADER
from ending import Batch, One, Two
from group import Group
from private import Private

FIRST_LOOK_MS, LOOK_MS = 3, 10
# Whoever looks takes the core from what is timed.
TIMING_LOOK_MS = 100
# So often the driver hears that the slot is at work.
BEAT_SECONDS = 1
# A program of a batch that takes longer goes on in a process of its own.
BATCH_STEP_MS = 100
# The pipe is watched as well once this much came at one look: what is left of a program's speed is how fast it can write.
BUSY_BYTES = 16384
CHUNK = 1 << 16
SLACK_BYTES = 1 << 20


class Watch:
    def __init__(self, driver, beat):
        self.driver, self.beat = driver, beat
        self.poller = select.poll()
        self.poller.register(driver, select.POLLRDHUP)
        self.group = Group()
        self.memory = Private()

    def one(self, pid, reading, nonce, suite, look_ms=LOOK_MS):
        one = One(suite)
        allowed = suite.output + (suite.count + 2) * HEADER.size + SLACK_BYTES
        return self.follow(pid, reading, nonce, allowed, one, suite.limit, look_ms)

    def two(self, pid, reading, nonce, suite, then):
        two = Two(suite, then)
        cases = suite.count + then.count
        allowed = suite.output + then.output + (cases + 6) * HEADER.size + SLACK_BYTES
        return self.follow(pid, reading, nonce, allowed, two, lambda _step: two.limit())

    def batch(self, pid, reading, nonce, suite, programs):
        allowed = programs * (suite.output + (suite.count + 3) * HEADER.size) + SLACK_BYTES
        return self.follow(pid, reading, nonce, allowed, Batch(suite, programs), lambda step: BATCH_STEP_MS, LOOK_MS)

    def follow(self, pid, reading, nonce, allowed, ending, limit_of, look_ms=LOOK_MS):
        pidfd = os.pidfd_open(pid)
        records = Records(self.memory, reading, nonce, allowed)
        self.poller.register(pidfd, select.POLLIN)
        try:
            self.until_end(pid, pidfd, records, ending, limit_of, look_ms)
        finally:
            self.poller.unregister(pidfd)
            os.close(pidfd)
            if records.busy:
                self.poller.unregister(reading)
        _, status, usage = os.wait4(pid, 0)
        take(records, ending)
        os.close(reading)
        ending.over(status, usage, (os.WIFSIGNALED(status) or ending.end == 'killed') and self.group.ran_out())
        return ending

    def until_end(self, pid, pidfd, records, ending, limit_of, look_ms):
        clock = ~pid << 3 | 2
        poll = self.poller.poll
        step, cpu_at, wall_at, all_at, waited_at = 0, 0.0, time.monotonic(), None, 0.0
        wait = FIRST_LOOK_MS if look_ms == LOOK_MS else look_ms
        beat_at = wall_at + BEAT_SECONDS
        while True:
            for fd, _ in poll(wait):
                if fd == pidfd:
                    return
                if fd == self.driver:
                    os._exit(0)
            wait = look_ms
            take(records, ending)
            if records.many and not records.busy:
                records.busy = True
                self.poller.register(records.fd, select.POLLIN)
            now, cpu = time.monotonic(), cpu_seconds(clock)
            if now >= beat_at:
                beat_at = now + BEAT_SECONDS
                self.beat()
            if ending.step != step or all_at is None:
                step, cpu_at, wall_at, all_at, waited_at = ending.step, cpu, now, self.group.cpu_ms(), waited_ms(pid)
            limit_ms = limit_of(step)
            cpu_ms, wall_ms = (cpu - cpu_at) * 1000, (now - wall_at) * 1000
            waited = 0.0
            if wall_ms >= limit_ms > cpu_ms:
                # It sleeps, or shares its core with others: what its own children use is its own, what it waits for a core is not.
                cpu_ms = max(cpu_ms, self.group.cpu_ms() - all_at)
                waited = max(waited_ms(pid) - waited_at, longest_wait_ms(pid))
            if ending.closed or not ending.may_go_on(limit_ms, cpu_ms, wall_ms, waited):
                os.kill(pid, signal.SIGKILL)
                return


def take(records, ending):
    for tag, body, ns in records.take():
        ending.record(tag, body, ns)
    if records.broken is not None:
        ending.broken(records.broken)


def cpu_seconds(clock):
    try:
        return time.clock_gettime(clock)
    except OSError:
        return 0.0


class Records:
    """The child's records as they come. What does not begin like one, or is more than a program may answer, is `broken`."""

    def __init__(self, memory, fd, nonce, allowed):
        self.memory, self.fd, self.nonce, self.allowed = memory, fd, nonce, allowed
        self.begin = self.end = 0
        self.broken = None
        self.busy = self.many = False

    def take(self):
        """Tags, views of bodies, nanoseconds."""
        if self.broken is not None:
            return
        if not self.fill():
            self.broken = 'flood'
            return
        while self.end - self.begin >= HEADER.size:
            body = self.begin + HEADER.size
            tag, nonce, size, ns = HEADER.unpack_from(self.memory.bytes, self.begin)
            if nonce != self.nonce:
                self.broken = 'forged'
                return
            if body + size > self.end:
                return
            self.begin = body + size
            yield tag, self.memory.view(body, body + size), ns

    def fill(self):
        got = 0
        while True:
            try:
                part = self.memory.read(self.fd, self.end, CHUNK)
            except BlockingIOError:
                break
            if part == 0:
                break
            self.end += part
            got += part
            self.allowed -= part
            if self.allowed < 0:
                return False
            if part < 4096:
                break
        self.many = self.many or got >= BUSY_BYTES
        return True


def longest_wait_ms(pid):
    """Of what the child has started: an interpreter or a compiler is a process of its own. Pids grow, so that what is older is not asked."""
    return max((waited_ms(name) for name in os.listdir('/proc') if name.isdigit() and int(name) > pid), default=0.0)


def waited_ms(pid):
    """How long the process has been ready to run while others had its core; 0 where the kernel does not tell."""
    try:
        with open(f'/proc/{pid}/schedstat') as file:
            return int(file.readline().split()[1]) / 1e6
    except (OSError, IndexError):
        return 0.0
