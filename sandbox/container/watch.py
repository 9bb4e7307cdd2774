"""
Watches a child from outside: collects its records, counts its CPU time step by step and ends it at its limits.
Everything that comes through the pipe may be forged by the program; it can only be believed to be what the program
wants to have answered. Most programs end before anything is counted: their records are passed on as they are.
"""
import fcntl
import os
import select
import signal
import time

from child import BROKEN_STATUS, HEADER
from group import Group
from private import Private
from progress import Batch, One, Two

FIRST_LOOK_MS, LOOK_MS = 3, 10
# Until then a look only takes what the pipe holds: no limit is that short, and most programs are over by then.
UNCOUNTED_SECONDS = 0.02
# Whoever looks takes the core from what is timed.
TIMING_LOOK_MS = 100
# So often the driver hears that the slot is at work.
BEAT_SECONDS = 1
# A program of a batch that takes longer goes on in a process of its own.
BATCH_STEP_MS = 100
# Once this much came at one look, the pipe is made to hold more and looked at more often: a program is to be as fast
# as it can write.
BUSY_BYTES = 16384
BUSY_LOOK_MS = 2
WIDE_PIPE_BYTES = 1 << 20
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
        allowed = suite.output + (suite.count + 2) * HEADER.size + SLACK_BYTES
        return self.program(pid, reading, nonce, allowed, One(suite), suite.limit, look_ms)

    def two(self, pid, reading, nonce, suite, then):
        two = Two(suite, then)
        cases = suite.count + then.count
        allowed = suite.output + then.output + (cases + 6) * HEADER.size + SLACK_BYTES
        return self.program(pid, reading, nonce, allowed, two, two.limit)

    def batch(self, pid, reading, nonce, suite, programs):
        allowed = programs * (suite.output + (suite.count + 3) * HEADER.size) + SLACK_BYTES
        return self.program(pid, reading, nonce, allowed, Batch(suite, programs), lambda step: BATCH_STEP_MS)

    def program(self, pid, reading, nonce, allowed, progress, limit_of, look_ms=LOOK_MS):
        ended = self.follow(pid, reading, nonce, allowed, progress, limit_of, look_ms)
        ended.records.finish()
        return ended

    def follow(self, pid, reading, nonce, allowed, progress, limit_of, look_ms=LOOK_MS):
        pidfd = os.pidfd_open(pid)
        records = Records(self.memory, reading, nonce, allowed)
        self.poller.register(pidfd, select.POLLIN)
        try:
            self.until_end(pid, pidfd, records, progress, limit_of, look_ms)
        finally:
            self.poller.unregister(pidfd)
            os.close(pidfd)
            if records.watched:
                self.poller.unregister(reading)
        _, status, usage = os.wait4(pid, 0)
        asks = os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == BROKEN_STATUS
        return Ended(progress, records, status, usage, asks and self.group.ran_out())

    def until_end(self, pid, pidfd, records, progress, limit_of, look_ms):
        clock = ~pid << 3 | 2
        poll = self.poller.poll
        step, cpu_at, wall_at, all_at, waited_at = 0, 0.0, time.monotonic(), None, 0.0
        wait = FIRST_LOOK_MS if look_ms == LOOK_MS else look_ms
        counts_at, beat_at = wall_at + UNCOUNTED_SECONDS, wall_at + BEAT_SECONDS
        while True:
            for fd, _ in poll(wait):
                if fd == pidfd:
                    return
                if fd == self.driver:
                    os._exit(0)
            wait = look_ms
            now = time.monotonic()
            counts = now >= counts_at or not records.fill()
            if counts:
                take(records, progress)
            if records.many:
                wait = min(wait, BUSY_LOOK_MS)
                if not records.busy and not records.widen():
                    self.poller.register(records.fd, select.POLLIN)
                    records.watched = True
            if not counts:
                continue
            cpu = cpu_seconds(clock)
            if now >= beat_at:
                beat_at = now + BEAT_SECONDS
                self.beat()
            if progress.step != step or all_at is None:
                step, cpu_at, wall_at, all_at, waited_at = progress.step, cpu, now, self.group.cpu_ms(), waited_ms(pid)
            limit_ms = limit_of(step)
            cpu_ms, wall_ms = (cpu - cpu_at) * 1000, (now - wall_at) * 1000
            waited = 0.0
            if wall_ms >= limit_ms > cpu_ms:
                # It sleeps, or shares its core with others: what its own children use is its own, what it waits for a core is not.
                cpu_ms = max(cpu_ms, self.group.cpu_ms() - all_at)
                waited = max(waited_ms(pid) - waited_at, longest_wait_ms(pid))
            if progress.closed or not progress.may_go_on(limit_ms, cpu_ms, wall_ms, waited):
                records.stop()
                os.kill(pid, signal.SIGKILL)
                return


class Ended:
    """A child that is over: how far it came, what it wrote, what the kernel says, whether its slot lacked memory."""

    __slots__ = ('progress', 'records', 'status', 'usage', 'oom')

    def __init__(self, progress, records, status, usage, oom):
        self.progress, self.records, self.status, self.usage, self.oom = progress, records, status, usage, oom


def take(records, progress):
    for tag, body, ns in records.take():
        progress.record(tag, body, ns)
    if records.broken is not None:
        progress.broken(records.broken)


def cpu_seconds(clock):
    try:
        return time.clock_gettime(clock)
    except OSError:
        return 0.0


class Records:
    """The child's records as they come. What does not begin like one, or is more than a program may answer, is `broken`."""

    __slots__ = ('memory', 'fd', 'nonce', 'allowed', 'begin', 'end', 'stopped_at', 'broken', 'many', 'busy', 'watched')

    def __init__(self, memory, fd, nonce, allowed):
        self.memory, self.fd, self.nonce, self.allowed = memory, fd, nonce, allowed
        self.begin = self.end = 0
        # Where the child was stopped: what came later counts for nothing.
        self.stopped_at = self.broken = None
        self.many = self.busy = self.watched = False

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

    def stop(self):
        self.stopped_at = self.begin

    def finish(self):
        """What is left in the pipe of a child that is over, as it is."""
        if self.broken is None and not self.fill():
            self.broken = 'flood'
        os.close(self.fd)

    def widen(self):
        """Whether the pipe may hold more; a user who has many of them may not have it so."""
        self.busy = True
        try:
            fcntl.fcntl(self.fd, fcntl.F_SETPIPE_SZ, WIDE_PIPE_BYTES)
        except OSError:
            return False
        return True

    def raw(self):
        return self.memory.view(0, self.end)

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
            if self.allowed < 0 or part < 4096:
                break
        self.many = self.many or got >= BUSY_BYTES
        return self.allowed >= 0


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
