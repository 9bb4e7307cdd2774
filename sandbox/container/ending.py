"""How a program ended, from its records and from how its process ended (schemas/program.ts, `ProgramEnd`)."""
import os
import signal

from child import ALONE, DONE, NEXT

ENDS = {
    b'x': 'completed',
    b's': 'syntax_error',
    b'q': 'early_exit',
    b'm': 'memory',
    b'd': 'missing_dependency',
    b'o': 'output_limit',
    b'c': 'compile_error',
    b'k': 'killed',
}
# A step may take this many times its limit in wall time, for as long as it has used less CPU time than the limit.
WALL_FACTOR = 5
# Nor does the time count that it was ready to run and others had its core, up to this many times the limit in all.
PATIENCE_FACTOR = 100
# An interpreter that finds no memory for the exception that says so ends itself: by then it has this share of what it may have.
MOST_MEMORY = 0.9
FORGED = 'the program answered in place of the code that calls it'


class One:
    """A program with a process of its own."""

    def __init__(self, suite):
        self.limit = suite.limit
        self.cases = suite.count
        self.most_memory = MOST_MEMORY * suite.memory
        self.builds = suite.builds
        # A run of a driven program that only waits is over at its limit, as ParEval has it.
        self.waits = suite.driver is None
        self.values, self.ns = [], []
        self.load_ns = 0
        self.loaded = self.closed = False
        self.end = self.exception = self.detail = None
        self.failed_at_load = self.crowded = False
        self.cpu_ms = self.memory = None

    @property
    def step(self):
        return len(self.values) + self.loaded

    @property
    def wall_factor(self):
        return WALL_FACTOR if self.waits or not self.loaded else 1

    def record(self, tag, body, ns):
        if self.closed:
            return
        if tag == b'v' and not self.loaded:
            self.loaded, self.load_ns = True, ns
        elif tag == b'v' and len(self.values) < self.cases:
            self.values.append(body)
            self.ns.append(ns)
        elif tag == DONE and self.loaded and len(self.values) == self.cases:
            self.close('completed')
        elif tag in ENDS:
            text = bytes(body[:1000]).decode('utf-8', 'replace')
            self.close(ENDS[tag], text or None)
            if tag == b'x':
                self.exception, self.failed_at_load = text, not self.loaded
        else:
            self.close('killed', FORGED)

    def close(self, end, detail=None):
        self.end, self.detail, self.closed = end, detail, True

    def broken(self, why):
        if not self.closed:
            self.close('output_limit', 'more output than the limit') if why == 'flood' else self.close('killed', FORGED)

    def may_go_on(self, limit_ms, cpu_ms, wall_ms, waited_ms):
        idle_ms = wall_ms - waited_ms
        if cpu_ms >= limit_ms:
            self.close(self.timeout('cpu_timeout'), f'more than {limit_ms:g} ms of CPU time')
        elif idle_ms >= self.wall_factor * limit_ms or wall_ms >= PATIENCE_FACTOR * limit_ms:
            self.close(self.timeout('wall_timeout'), f'more than {min(idle_ms, self.wall_factor * limit_ms):g} ms')
        # Whether it had its core for itself: if not, a caller may want to see it again.
        self.crowded = wall_ms > 0 and cpu_ms < 0.9 * wall_ms
        return not self.closed

    def timeout(self, end):
        return 'build_timeout' if self.builds and not self.loaded else end

    def over(self, status, usage, oom):
        self.cpu_ms = (usage.ru_utime + usage.ru_stime) * 1000
        self.memory = usage.ru_maxrss * 1024
        if self.closed and self.end != 'killed':
            return
        if oom:
            self.close('memory', 'the memory of its slot')
        elif self.closed:
            return
        elif os.WIFEXITED(status):
            self.close('early_exit', 'the process ended before the program had answered')
        elif os.WTERMSIG(status) == signal.SIGXCPU:
            self.close('cpu_timeout', 'the limit of the process on CPU time')
        elif os.WTERMSIG(status) == signal.SIGABRT and self.memory >= self.most_memory:
            self.close('memory', 'the interpreter ended itself')
        else:
            self.close('killed', f'ended by signal {os.WTERMSIG(status)}')

    def reply(self, wall_ms):
        fields = {
            'end': self.end, 'exception': self.exception, 'failedAtLoad': self.failed_at_load, 'detail': self.detail,
            'caseNs': self.ns, 'wallMs': wall_ms, 'cpuMs': self.cpu_ms, 'memory': self.memory,
            'crowded': self.crowded, 'sizes': [len(value) for value in self.values],
        }
        return [fields], self.values


class Two:
    """
    A program with a process of its own for two suites, one after the other. The first ends as it would alone; the second counts when every case of it
    was answered or one raised, and has to run again otherwise.
    """

    def __init__(self, suite, then):
        self.then = then
        self.runs = [One(suite)]
        self.halted = False

    @property
    def now(self):
        return self.runs[-1]

    @property
    def end(self):
        return self.now.end

    @property
    def step(self):
        return sum(run.step for run in self.runs) + len(self.runs)

    @property
    def closed(self):
        return self.halted or (self.now.closed and (len(self.runs) == 2 or self.end != 'completed'))

    def limit(self):
        return self.now.limit(self.now.step)

    def record(self, tag, body, ns):
        if tag == NEXT and len(self.runs) == 1 and self.now.end == 'completed':
            self.runs.append(One(self.then))
        elif tag == ALONE and len(self.runs) == 2:
            self.halted = True
        else:
            self.now.record(tag, body, ns)

    def broken(self, why):
        self.now.broken(why)
        self.halted = True

    def may_go_on(self, limit_ms, cpu_ms, wall_ms, waited_ms):
        if self.now.closed:
            # Between the two, where nothing takes long.
            self.halted = self.halted or wall_ms - waited_ms >= WALL_FACTOR * limit_ms or wall_ms >= PATIENCE_FACTOR * limit_ms
            return not self.halted
        return self.now.may_go_on(limit_ms, cpu_ms, wall_ms, waited_ms)

    def over(self, status, usage, oom):
        for run in self.runs:
            run.over(status, usage, oom)

    def reply(self, wall_ms):
        first, *second = self.runs
        shares = [1.0]
        if second:
            spent = [1 + run.load_ns + sum(run.ns) for run in self.runs]
            shares = [each / sum(spent) for each in spent]
        fields, bodies = [], []
        for run, share in zip(self.runs, shares):
            run.cpu_ms *= share
            one, values = run.reply(wall_ms * share)
            if run is not first and (self.halted or run.end != 'completed'):
                break
            fields += one
            bodies += values
        if len(fields) < 2:
            fields.append({'end': 'alone', 'sizes': []})
        return fields, bodies


class Batch:
    """Programs that share a process: only those that answered every case count, the others have to run again."""

    end = None

    def __init__(self, suite, programs):
        self.suite, self.programs = suite, programs
        self.runs = []
        self.closed = False
        self.cpu_ms = self.memory = None

    @property
    def step(self):
        return len(self.runs)

    def record(self, tag, body, ns):
        if self.closed:
            return
        if tag == NEXT and len(self.runs) < self.programs:
            self.runs.append(One(self.suite))
        elif not self.runs:
            self.closed = True
        elif tag == ALONE:
            self.runs[-1].close('alone')
        else:
            self.runs[-1].record(tag, body, ns)

    def broken(self, why):
        self.closed = True
        if self.runs:
            self.runs[-1].close('alone')

    def may_go_on(self, limit_ms, cpu_ms, wall_ms, waited_ms):
        return cpu_ms < limit_ms and wall_ms < WALL_FACTOR * limit_ms

    def over(self, status, usage, oom):
        self.cpu_ms = (usage.ru_utime + usage.ru_stime) * 1000

    def reply(self, wall_ms):
        fields, bodies = [], []
        share = max(1, len(self.runs))
        for index in range(self.programs):
            run = self.runs[index] if index < len(self.runs) else None
            clean = run is not None and run.end == 'completed' and run.exception is None
            if not clean:
                fields.append({'end': 'again' if run is None else 'alone', 'sizes': []})
                continue
            run.cpu_ms = self.cpu_ms / share
            one, values = run.reply(wall_ms / share)
            fields += one
            bodies += values
        return fields, bodies
