"""
First process of a slot: a resident interpreter that forks a child per program, or per batch of screened programs,
and tells what each wrote and how it ended.
Only the first process of a pid namespace may do so: nothing in there can signal it, every orphan becomes its child, and so "no child is left"
is known, not guessed. It holds inputs, never expected values.

Usage: python3 zygote.py --socket PATH | --stdio [--limits]
"""
import _thread
import gc
import json
import marshal
import os
import resource
import struct
import sys
import time

import child
import harness
import screen  # noqa: F401  (loaded before the first fork)
import warmup
import wire
from cleanup import Cleanup
from first_process import connect, mapped_bytes, prepare, send_frame
from private import Private, write_all
from suite import Suite
from watch import LOOK_MS, TIMING_LOOK_MS, Watch

# A pipe takes so much without a reader, also for a user who has many of them open.
PIPE_BYTES = 4096
# A thread's stack counts as address space, which is limited, and would be as large as the first one may grow. For the same reason MALLOC_ARENA_MAX is
# set where the zygote is started: a thread's own arena takes 64 MiB of it.
STACK_BYTES = 8 << 20

# The usual reply, made by hand: the encoder's pages would be copies after every fork.
ORDINARY = b'{"run":%d,"status":%d,"wallMs":%.3f,"cpuMs":%.3f,"memory":%d}\n'


def main(arguments):
    prepare(arguments)
    streams = connect(arguments)
    _thread.stack_size(STACK_BYTES)
    hide_ourselves()
    runners = child.make_runner(harness.own_copy())
    warm(harness.own_copy())
    child.restart_random()
    Zygote(streams, runners).serve()


def hide_ourselves():
    """A program finds what any interpreter has: none of our arguments, none of our modules by a name that it may have a use for."""
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.argv = ['']
    sys.path[:] = [path for path in sys.path if path != folder]
    for name, module in list(sys.modules.items()):
        if name != '__main__' and os.path.dirname(getattr(module, '__file__', None) or '') == folder:
            del sys.modules[name]


def warm(functions):
    parse, load, call, _timed, _spare = functions
    for _ in range(warmup.ROUNDS):
        for entry, cases, source in warmup.TRIALS:
            code, _why = parse(source.encode())
            screen.may_share(code) if code else None
            found, around, _answer = load(code, entry, None) if code else (None, None, b'')
            for case in cases if found else ():
                call(found, around, marshal.dumps(wire.json.loads(case)), 1_000_000)
    sys.modules.pop('program', None)
    gc.collect()
    gc.freeze()
    gc.disable()


class Zygote:
    def __init__(self, streams, runners):
        self.reading, self.writing = streams
        self.run_one, self.run_batch, self.run_script, self.run_timed, self.run_driven, self.broken = runners
        self.suites = {}
        self.cleanup = Cleanup()
        self.watch = Watch(self.reading, lambda: self.send({'beat': True}))
        self.programs = Private()
        self.base_bytes = self.inherited_bytes()
        self.resident_bytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

    def serve(self):
        def read(count):
            return os.read(self.reading, count)
        if not wire.skip_to_magic(read):
            return
        self.send({'ready': {'version': sys.version.split()[0], 'residentBytes': self.resident_bytes}})
        while (frame := wire.read_frame(self.reading, self.programs)) is not None:
            header, bodies = frame
            for name in header.get('forget', ()):
                self.suites.pop(name, None)
            if 'run' in header:
                self.run(header, bodies)
            elif 'suite' in header:
                self.suites[header['suite']] = Suite(header, bodies)
                self.base_bytes = self.inherited_bytes()
            self.programs.shrink()

    def inherited_bytes(self):
        hidden = sum(suite.hidden_bytes() for suite in self.suites.values())
        return mapped_bytes() - len(self.programs) - len(self.watch.memory) - hidden

    def run(self, header, sources):
        suite = self.suites[header['suite']]
        second = self.suites.get(header.get('second'))
        lane = header['lane']
        nonce = os.urandom(16)
        began = time.monotonic()
        pid, reading = self.fork(suite, second, nonce, sources, lane)
        if lane == 'batch':
            ended = self.watch.batch(pid, reading, nonce, suite, len(sources))
        elif second is not None:
            ended = self.watch.two(pid, reading, nonce, suite, second)
        else:
            ended = self.watch.one(pid, reading, nonce, suite, TIMING_LOOK_MS if lane == 'timing' else LOOK_MS)
        self.cleanup.after_program()
        self.reply(header['run'], nonce, ended, (time.monotonic() - began) * 1000)
        self.watch.memory.shrink()

    def reply(self, run, nonce, ended, wall_ms):
        usage, records = ended.usage, ended.records
        cpu_ms = (usage.ru_utime + usage.ru_stime) * 1000
        header = ORDINARY % (run, ended.status, wall_ms, cpu_ms, usage.ru_maxrss * 1024)
        if ended.oom or records.broken == 'flood' or records.stopped_at is not None:
            header = self.unusual(header, ended)
        raw = records.raw()
        size = struct.pack('<I', len(header) + len(nonce) + len(raw))
        write_all(self.writing, (size, header, nonce, raw))

    def unusual(self, header, ended):
        told = json.loads(header)
        records, progress = ended.records, ended.progress
        if ended.oom:
            told['oom'] = True
        if records.broken == 'flood':
            told['flood'] = records.begin
        if records.stopped_at is not None:
            told['stopped'] = {'at': records.stopped_at, 'limit': progress.stop, 'crowded': progress.crowded}
        return json.dumps(told).encode() + b'\n'

    def fork(self, suite, second, nonce, sources, lane):
        # Under a limit the kernel brings a process's clock up to date at its ticks only: what is timed has the watch alone.
        seconds = None if lane == 'timing' else suite.seconds(len(sources)) + (second.seconds(1) if second else 0)
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        given, giving = os.pipe()
        texts = [*sources, *suite.given(), *(second.given() if second else ())]
        sizes = [len(text) for text in texts]
        # What a pipe holds is there before the child asks for it, which saves it a wait.
        fits = sum(sizes) <= PIPE_BYTES
        if fits:
            write_all(giving, texts)
        # What came since the last fork is no garbage of the program's: its first collection would write to every page of it.
        gc.freeze()
        pid = os.fork()
        if pid == 0:
            try:
                child.enter(self.base_bytes, suite, seconds, {writing, given})
                # Here only: a collection in the zygote would look at what every program inherits.
                gc.enable()
                received = child.received(given, sizes)
                rest = suite.take(received[len(sources):])
                if second:
                    second.take(rest)
                sources = received[:len(sources)]
                if lane == 'batch':
                    self.run_batch(writing, nonce, suite, sources)
                elif lane == 'timing':
                    self.run_timed(writing, nonce, suite, sources[0])
                elif suite.driver is not None:
                    self.run_driven(writing, nonce, suite, sources[0])
                elif suite.language == 'python':
                    self.run_one(writing, nonce, suite, sources[0], second)
                else:
                    self.run_script(writing, nonce, suite, sources[0])
            except:  # Also what is no BaseException.
                self.broken(writing, nonce)
            finally:
                os._exit(70)
        os.close(writing)
        os.close(given)
        try:
            if not fits:
                write_all(giving, texts)
        except BrokenPipeError:
            pass  # It is over already, and will be seen to be.
        os.close(giving)
        return pid, reading

    def send(self, header, bodies=()):
        send_frame(self.writing, header, bodies)


main(sys.argv[1:])
