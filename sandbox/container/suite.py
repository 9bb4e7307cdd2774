"""The cases of one suite under one set of limits, decoded once and kept as bytes, so that each program gets values of its own."""
import json
import marshal
import sys

import harness
from languages import LANGUAGES


class Suite:
    __slots__ = ('language', 'entry', 'tests', 'cases', 'limits', 'builds', 'memory', 'output', 'driver')

    def __init__(self, header, bodies):
        self.language = header['language']
        self.builds = self.language != 'python' and LANGUAGES[self.language].compile is not None
        self.entry = header['entry']
        self.tests = header['tests']
        # Milliseconds: the module's load, then each case.
        self.limits = header['limitsMs']
        self.memory = header['memory']
        self.output = header['output']
        self.driver = header['driver']
        sys.set_int_max_str_digits(0)
        self.cases = [packed(bytes(body)) for body in bodies]
        sys.set_int_max_str_digits(4300)

    def limit(self, step):
        return self.limits[step] if step < len(self.limits) else 2000

    def seconds(self, programs):
        """A bound on the CPU time of one child, should nobody watch it."""
        threads = 1 if self.driver is None else self.driver['mostThreads']
        return int(sum(self.limits) * threads * programs / 1000) + 2


def packed(text):
    value = json.loads(text)
    # Without an object in it, a value is encoded as itself.
    return marshal.dumps(harness.unpack(value) if b'{' in text else value)
