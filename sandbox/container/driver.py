"""
Builds a program with a driver around it (ParEval's protocol), once, and runs it case by case. What a run said, and how it ended, is its answer; whether that is right
is judged outside. The driver's `main` is called by one of ours, whose last words are a secret: a program that ends the process is told from one that returned.
"""
import json
import os
import re

import script

FOLDER = '/tmp/driven'
BINARY = '/tmp/program'
PROGRAM = 'generated-code.hpp'
LAUNCH = 'evenkeel-launch.cc'
RENAMED = 'evenkeel_driver_main'
# What a driver says, wherever it stands in what the program prints.
LINE = re.compile(rb'(?:Validation|Time|BestSequential): [ -~]{1,40}\s*')
MOST_LINES, LONGEST = 32, 256
COMPILE = ('/usr/bin/g++', '-std=c++17', '-O3', '-pipe', '-I' + FOLDER)


def launch_text(secret):
    return f'''#include <cstdio>
#undef main
int {RENAMED}(int, char **);
int main(int argc, char **argv) {{
    int status = {RENAMED}(argc, argv);
    std::fflush(nullptr);
    std::printf("\\n{secret}\\n");
    return status;
}}
'''


def build(suite, source):
    """`v`, or `c` and why not; and the secret."""
    secret = os.urandom(16).hex()
    os.mkdir(FOLDER)
    for name, text in (*suite.driver['files'].items(), (PROGRAM, source), (LAUNCH, launch_text(secret))):
        with open(f'{FOLDER}/{os.path.basename(name)}', 'wb') as file:
            file.write(text.encode('utf-8', 'surrogatepass'))
    sources = [f'{FOLDER}/{os.path.basename(name)}' for name in (*suite.driver['sources'], LAUNCH)]
    status, _, complaint = script.follow((*COMPILE, *suite.driver['flags'], f'-Dmain={RENAMED}', *sources, '-o', BINARY), suite.output)
    return secret, b'v' if status == 0 else b'c' + script.first_line(complaint, b'error')


class Said:
    """The driver's lines in a stream of output."""

    def __init__(self):
        self.lines, self.rest = [], b''

    def hear(self, part):
        *whole, rest = (self.rest + part).split(b'\n')
        self.take(whole)
        # A line too long to be one of the driver's is remembered as such.
        self.rest = rest if len(rest) <= LONGEST else rest[:LONGEST] + b'.'

    def take(self, lines):
        found = [line for line in lines if len(line) <= LONGEST and LINE.fullmatch(line)]
        self.lines = (self.lines + found)[:MOST_LINES]

    def text(self):
        self.take([self.rest])
        return b'\n'.join(self.lines).decode('ascii')


def run(program, secret, arguments, allowed):
    """One case: the answer as JSON, or the slot's own word for how it ended."""
    lines = Said()
    status, said, complaint = script.follow((*program, *arguments), allowed, lines.hear)
    if status is None:
        return b'o'
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == 9:
        return b'k'
    if script.MEMORY.search(complaint):
        return b'm' + script.first_line(complaint, b'emory')
    ended = said.rstrip().endswith(secret.encode())
    code = None if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
    return b'v' + json.dumps([code, number, ended, lines.text()]).encode()
