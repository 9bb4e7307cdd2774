"""
The cases of one suite under one set of limits. Arguments are decoded once and kept as bytes, so that each program gets values of its own. Test code says what is
expected: it lies in memory that no fork copies, lest a program of another suite find it, and is given to each program of its own suite beside the source.
"""
import json
import marshal
import sys

import harness
import wire
from languages import LANGUAGES
from private import hidden


class Suite:
    __slots__ = (
        *('language', 'entry', 'tests', 'count', 'cases', 'texts', 'sizes', 'limits', 'total_ms', 'builds', 'memory'),
        *('output', 'driver'),
    )

    def __init__(self, header, bodies):
        self.language = header['language']
        self.builds = self.language != 'python' and LANGUAGES[self.language].compile is not None
        self.entry = header['entry']
        self.tests = header['tests']
        # Milliseconds: the module's load, then each case.
        self.limits = header['limitsMs']
        self.total_ms = sum(self.limits)
        self.memory = header['memory']
        self.output = header['output']
        self.driver = header['driver']
        self.count = len(bodies)
        self.texts, self.sizes, self.cases = None, (), None
        if self.language == 'python' and self.tests is None:
            self.cases = unpacked(bodies)
        else:
            self.hide(bodies)

    def hide(self, bodies):
        self.sizes = [len(body) for body in bodies]
        self.texts = hidden(sum(self.sizes))
        at = 0
        for body in bodies:
            self.texts[at:at + len(body)] = body
            at += len(body)

    def hidden_bytes(self):
        return 0 if self.texts is None else len(self.texts)

    def given(self):
        """Views of what a program gets beside its source."""
        return [] if self.texts is None else wire.split(memoryview(self.texts), 0, self.sizes)

    def take(self, bodies):
        """In the program's process: what was given. Gives back what is left of it."""
        if self.texts is not None:
            self.cases = unpacked(bodies[:self.count])
        return bodies[len(self.sizes):]

    def limit(self, step):
        return self.limits[step] if step < len(self.limits) else 2000

    def seconds(self, programs):
        """A bound on the CPU time of one child, should nobody watch it."""
        threads = 1 if self.driver is None else self.driver['mostThreads']
        return int(self.total_ms * threads * programs / 1000) + 2


def unpacked(bodies):
    sys.set_int_max_str_digits(0)
    cases = [packed(bytes(body)) for body in bodies]
    sys.set_int_max_str_digits(4300)
    return cases


def packed(text):
    value = json.loads(text)
    # Without an object in it, a value is encoded as itself.
    return marshal.dumps(harness.unpack(value) if b'{' in text else value)
