"""
How far a child came, as far as its limits and its end need to be known here. What its records say is read outside
(activities/sandboxes/zygote/program-ends.ts); a program that is over before the first look is not read here at all.
"""
from child import ALONE, DONE, NEXT

# A step may take this many times its limit in wall time, for as long as it has used less CPU time than the limit.
WALL_FACTOR = 5
# Nor does the time count that it was ready to run and others had its core, up to this many times the limit in all.
PATIENCE_FACTOR = 100
ANSWER, RAISED = b'v', b'x'


class One:
    """
    A program with a process of its own. `stop` is the limit that it reached, and how; what that is called is said
    outside.
    """

    __slots__ = ('limit', 'cases', 'waits', 'answers', 'closed', 'completed', 'crowded', 'stop')

    def __init__(self, suite):
        self.limit = suite.limit
        self.cases = suite.count
        # A run of a driven program that only waits is over at its limit, as ParEval has it.
        self.waits = suite.driver is None
        self.answers = 0
        self.closed = self.completed = self.crowded = False
        self.stop = None

    @property
    def step(self):
        return self.answers

    def record(self, tag, body, ns):
        if self.closed:
            return
        if tag == ANSWER and self.answers <= self.cases:
            self.answers += 1
        else:
            self.closed = True
            self.completed = tag == RAISED or (tag == DONE and self.answers > self.cases)

    def broken(self, why):
        self.closed = True

    def may_go_on(self, limit_ms, cpu_ms, wall_ms, waited_ms):
        idle_ms = wall_ms - waited_ms
        most_ms = (WALL_FACTOR if self.waits or self.answers == 0 else 1) * limit_ms
        if cpu_ms >= limit_ms:
            self.stop = ('cpu', limit_ms)
        elif idle_ms >= most_ms or wall_ms >= PATIENCE_FACTOR * limit_ms:
            self.stop = ('wall', min(idle_ms, most_ms))
        # Whether it had its core for itself: if not, a caller may want to see it again.
        self.crowded = wall_ms > 0 and cpu_ms < 0.9 * wall_ms
        self.closed = self.stop is not None
        return not self.closed


class Two:
    """A program with a process of its own for two suites, one after the other."""

    def __init__(self, suite, then):
        self.then = then
        self.now = One(suite)
        self.earlier = None
        self.halted = False

    @property
    def step(self):
        return self.now.step + (1 if self.earlier is None else self.earlier.step + 2)

    @property
    def closed(self):
        return self.halted or (self.now.closed and (self.earlier is not None or not self.now.completed))

    @property
    def stop(self):
        return ('halted', 0) if self.halted else self.now.stop

    @property
    def crowded(self):
        return self.now.crowded

    def limit(self, step):
        return self.now.limit(self.now.step)

    def record(self, tag, body, ns):
        if tag == NEXT and self.earlier is None and self.now.completed:
            self.earlier, self.now = self.now, One(self.then)
        elif tag == ALONE and self.earlier is not None:
            self.halted = True
        else:
            self.now.record(tag, body, ns)

    def broken(self, why):
        self.now.broken(why)
        self.halted = True

    def may_go_on(self, limit_ms, cpu_ms, wall_ms, waited_ms):
        if self.now.closed:
            # Between the two, where nothing takes long.
            too_long = wall_ms - waited_ms >= WALL_FACTOR * limit_ms or wall_ms >= PATIENCE_FACTOR * limit_ms
            self.halted = self.halted or too_long
            return not self.halted
        return self.now.may_go_on(limit_ms, cpu_ms, wall_ms, waited_ms)


class Batch:
    """Programs that share a process, each followed by the next."""

    stop = None
    crowded = False

    def __init__(self, suite, programs):
        self.suite, self.programs = suite, programs
        self.step = 0
        self.closed = False

    def record(self, tag, body, ns):
        if tag == NEXT and self.step < self.programs:
            self.step += 1
        elif self.step == 0:
            self.closed = True

    def broken(self, why):
        self.closed = True

    def may_go_on(self, limit_ms, cpu_ms, wall_ms, waited_ms):
        return cpu_ms < limit_ms and wall_ms < WALL_FACTOR * limit_ms
