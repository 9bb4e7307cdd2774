"""
First process of a quality slot: Pylint kept loaded, and a forked child for each batch of programs, which are parsed and never run. A child ends after a
program that changed what Pylint knows of other modules, so that no program has a say in another's messages; a program that is doubtful in company is
measured first in a process of its own, and that counts.

Usage: python3 quality.py --socket PATH | --stdio [--limits]
"""
import gc
import json
import os
import random
import shutil
import sys
import warnings

import child
import linter
import quality_trials
import wire
from cleanup import FOLDER, Cleanup
from exception_statements import counted
from first_process import connect, mapped_bytes, prepare, send_frame
from measuring import OUT_OF_MEMORY, OUTPUT_BYTES, Limits, Measuring, write_answer
from private import Private
from watch import Watch, take

# Of the programs that were measured in company, so many are measured again alone.
AUDITED = 0.01


def main(arguments):
    prepare(arguments)
    # An invalid escape in a program is a warning about the program, not about us.
    warnings.simplefilter('ignore')
    pylint = linter.Linter(quality_trials.TRIALS)
    os.chdir(FOLDER)
    for name in os.listdir(FOLDER):
        shutil.rmtree(name)
    gc.collect()
    gc.freeze()
    gc.disable()
    Service(connect(arguments), pylint).serve()


class Service:
    def __init__(self, streams, pylint):
        self.reading, self.writing = streams
        self.pylint = pylint
        self.cleanup = Cleanup()
        self.memory = Private()
        self.watch = Watch(self.reading, lambda: self.send({'beat': True}))
        self.limits = Limits()
        # Programs that were measured in company and again alone, with two answers: after the first, there is no company.
        self.disagreements = 0

    def serve(self):
        def read(count):
            return os.read(self.reading, count)
        if not wire.skip_to_magic(read):
            return
        self.send({'ready': {'version': sys.version.split()[0], 'pylint': linter.VERSION}})
        while (frame := wire.read_frame(self.reading, self.memory)) is not None:
            header, views = frame
            sources = [bytes(view) for view in views]
            answers = self.measure(sources)
            sizes = [len(answer) for answer in answers]
            self.send({'measured': header['measure'], 'disagreements': self.disagreements, 'sizes': sizes}, answers)

    def measure(self, sources):
        answers, in_company = [], []
        while len(answers) < len(sources):
            rest = sources[len(answers):]
            got, failure = self.in_one_process(rest[:1] if self.disagreements else rest)
            in_company += range(len(answers) + 1, len(answers) + len(got))
            answers += got
            # What failed in company is the first of the next process.
            if not got:
                answers.append(unmeasured(failure))
        audited = [index for index in in_company if random.random() < AUDITED]
        self.disagreements += sum([self.alone(sources[index]) != answers[index] for index in audited])
        return self.measure(sources) if self.disagreements and in_company else answers

    def alone(self, source):
        got, failure = self.in_one_process([source])
        return got[0] if got else unmeasured(failure)

    def in_one_process(self, sources):
        """(answers of the first of them, why there are no more or None)"""
        nonce = os.urandom(16)
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        pid = os.fork()
        if pid == 0:
            status = 70
            try:
                child.enter(mapped_bytes(), self.limits, self.limits.seconds(len(sources)), {writing})
                self.answer(writing, nonce, sources)
                status = 0
            except MemoryError:
                status = OUT_OF_MEMORY
            finally:
                os._exit(status)
        os.close(writing)
        measuring = Measuring(len(sources))
        ended = self.watch.follow(pid, reading, nonce, OUTPUT_BYTES, measuring, self.limits.limit)
        take(ended.records, measuring)
        os.close(reading)
        measuring.over(ended.status, ended.oom)
        self.cleanup.after_program()
        return measuring.answers, measuring.failure

    def answer(self, fd, nonce, sources):
        linter.enter_folder()
        for index, source in enumerate(sources):
            answer = self.measured(source)
            if index > 0 and answer['reason'] in ('too_deep', 'pylint_crash'):
                return
            write_answer(fd, nonce, json.dumps(answer).encode())
            if self.pylint.reached_out:
                return

    def measured(self, source):
        counts = counted(source)
        messages = self.pylint.messages(source)
        if counts['reason'] is None and messages and messages[0][0] == 'E0001':
            counts = {'handlers': None, 'raises': None, 'reason': 'syntax_error'}
        elif counts['reason'] is None and any(message[0].startswith('F') for message in messages):
            counts['reason'] = 'pylint_crash'
        return {**counts, 'messages': messages}

    def send(self, header, bodies=()):
        send_frame(self.writing, header, bodies)


def unmeasured(why):
    return json.dumps({'handlers': None, 'raises': None, 'reason': why, 'messages': None}).encode()


main(sys.argv[1:])
