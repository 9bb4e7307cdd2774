"""
What runs in a forked child: one program, or the programs of a batch, each step's answer written to a pipe as it comes. A record is a tag, the run's
nonce, four bytes of length, eight of nanoseconds, and the answer. Nothing is returned: the child ends by `_exit`.
"""
import functools
import gc
import marshal
import os
import resource
import struct
import sys
import time
import typing

import driver
import screen
import script
import wire
from languages import LANGUAGES

# As it comes, `random` draws a new seed from the system after each fork, which writes to pages that a program would otherwise share with the first process.
register_at_fork, os.register_at_fork = os.register_at_fork, lambda **_functions: None
import random  # noqa: E402  (here, before anything else imports it)
os.register_at_fork = register_at_fork
# The same program draws the same numbers each time, by itself and in a batch.
restart_random = functools.partial(random.seed, 0)

HEADER = struct.Struct('<c16sIQ')
# Records that are no answers: the next program of a batch, a program that must run alone, the end of a program.
NEXT, ALONE, DONE = b'N', b'A', b'E'
BROKEN = b'the program broke the code that calls it'
# How a process ends after that: the slot may have had too little memory.
BROKEN_STATUS = 72
MOST_DESCRIPTORS = 1 << 10
# Memory that a program's first suite may have taken for its second to share the process, kilobytes: it is not collected.
KEPT_KB = 16 * 1024


def make_runner(harness):
    parse, load, call, timed, spare = harness
    clock = time.perf_counter_ns
    write, leave = os.write, os._exit
    raised_now, untrace, is_kind = sys.exc_info, sys.settrace, type.__subclasscheck__
    # A program that replaces builtins changes only what it sees itself.
    size_of, no_memory = len, MemoryError
    pack = HEADER.pack
    set_random = restart_random
    may_share = screen.may_share
    # What a program left is not collected while another runs: its generators would end there.
    leave_uncollected = gc.freeze
    # `List[Union[int, str]]` is whichever of all that are equal to it was made first.
    typing_caches = tuple(typing._cleanups)
    usage, myself = resource.getrusage, resource.RUSAGE_SELF

    def run(fd, nonce, suite, source, second):
        """One program in this process alone, with its cases of a second suite behind those of the first where there is one."""
        code, why = parse(source)
        if code is None:
            send(fd, nonce, why, 0)
        elif second is None:
            run_code(fd, nonce, suite, code)
        else:
            run_twice(fd, nonce, suite, second, code)
        leave(0)

    def run_twice(fd, nonce, suite, second, code):
        """Loads the module afresh for the second suite, which finds what it would in another process; where that is not sure it goes to one."""
        twice = may_share(code)
        resident = usage(myself).ru_maxrss
        run_code(fd, nonce, suite, code)
        emit(fd, NEXT, nonce, b'', 0)
        if not twice or usage(myself).ru_maxrss - resident > KEPT_KB:
            emit(fd, ALONE, nonce, b'', 0)
            return
        renew()
        run_code(fd, nonce, second, code)

    def run_timed(fd, nonce, suite, source):
        """One program in this process alone, for the time of each case."""
        code, why = parse(source)
        if code is None:
            send(fd, nonce, why, 0)
            leave(0)
        entry, around, answer = load(code, suite.entry, suite.tests)
        send(fd, nonce, answer, 0)
        if answer != b'v':
            leave(0)
        for packed in suite.cases:
            answer, ns, raised = timed(entry, around, packed)
            send(fd, nonce, answer, ns)
            if raised is not None:
                send(fd, nonce, raised, 0)
                leave(0)
        emit(fd, DONE, nonce, b'', 0)
        leave(0)

    def run_batch(fd, nonce, suite, sources):
        for source in sources:
            emit(fd, NEXT, nonce, b'', 0)
            code, _ = parse(source)
            if code is None or not may_share(code):
                emit(fd, ALONE, nonce, b'', 0)
                continue
            renew()
            run_code(fd, nonce, suite, code)
        leave(0)

    def renew():
        """For a program after another: what both would share is as it is for the first."""
        leave_uncollected()
        for forget in typing_caches:
            forget()
        set_random()

    def run_script(fd, nonce, suite, source):
        """One program of another language, with the test code of each case."""
        text = source.decode('utf-8', 'surrogatepass')
        for index, packed in enumerate(suite.cases):
            begin = clock()
            secret, answer = script.compile_program(suite, text, marshal.loads(packed))
            if index == 0 or answer != b'v':
                send(fd, nonce, answer, clock() - begin)
            if answer != b'v':
                leave(0)
            if suite.builds:
                script.bound(suite.memory)
            begin = clock()
            answer = script.run_program(suite, secret)
            send(fd, nonce, answer, clock() - begin)
            if answer[0] != 118:
                leave(0)
        emit(fd, DONE, nonce, b'', 0)
        leave(0)

    def run_driven(fd, nonce, suite, source):
        """One program with a driver around it: each case is a run of what was built."""
        begin = clock()
        secret, answer = driver.build(suite, source.decode('utf-8', 'surrogatepass'))
        send(fd, nonce, answer, clock() - begin)
        if answer != b'v':
            leave(0)
        program = script.into_memory(driver.BINARY)
        for packed in suite.cases:
            begin = clock()
            # A serial driver takes a number of rounds in its place: it gets nothing.
            threads = marshal.loads(packed)[0]
            answer = driver.run(program, secret, (str(threads),) if '-fopenmp' in suite.driver['flags'] else (), suite.output)
            send(fd, nonce, answer, clock() - begin)
            if answer[0] != 118:
                leave(0)
        emit(fd, DONE, nonce, b'', 0)
        leave(0)

    def run_code(fd, nonce, suite, code):
        begin = clock()
        entry, around, answer = load(code, suite.entry, suite.tests)
        send(fd, nonce, answer, clock() - begin)
        if answer != b'v':
            return
        budget = suite.output
        for packed in suite.cases:
            begin = clock()
            answer = call(entry, around, packed, budget)
            send(fd, nonce, answer, clock() - begin)
            if answer[0] != 118:
                return
            budget -= size_of(answer)
        emit(fd, DONE, nonce, b'', 0)

    def broken(fd, nonce):
        """The exception that is being handled came through the code that calls the program: there is no memory, or the program reached into it."""
        untrace(None)
        spare.clear()
        ran_out = is_kind(no_memory, raised_now()[0])
        emit(fd, b'm' if ran_out else b'k', nonce, b'' if ran_out else BROKEN, 0)
        leave(BROKEN_STATUS)

    def send(fd, nonce, answer, ns):
        emit(fd, answer[:1], nonce, answer[1:], ns)

    def emit(fd, tag, nonce, body, ns):
        record = pack(tag, nonce, size_of(body), ns) + body
        sent = write(fd, record)
        while sent < size_of(record):
            record = record[sent:]
            sent = write(fd, record)

    return run, run_batch, run_script, run_timed, run_driven, broken


def received(fd, sizes):
    """The programs, and test code, which the first process does not have in memory that is shared."""
    total = sum(sizes)
    data = os.read(fd, total)
    if len(data) < total:
        data += wire.read_exactly(lambda count: os.read(fd, count), total - len(data))
    os.close(fd)
    return wire.split(data, 0, sizes)


def enter(base_bytes, suite, seconds, kept):
    """
    Limits of this child and of whatever it starts; the descriptors that it keeps. The rest is inherited from the zygote.
    """
    top = base_bytes + suite.memory
    if suite.language == 'python' or LANGUAGES[suite.language].bounded:
        resource.setrlimit(resource.RLIMIT_AS, (top, top))
    if seconds is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    # A program's own forks draw other numbers, as in any Python.
    register_at_fork(after_in_child=random._inst.seed)
    last = 2
    for fd in (*sorted(kept), MOST_DESCRIPTORS):
        os.closerange(last + 1, fd)
        last = fd
