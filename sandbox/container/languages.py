"""
Languages whose programs are run by their own interpreter, or compiled, in a slot. One entry each. A program is one file with its tests behind it; it has passed when
it ends with status 0 and has said a secret that only the end of the file says: an early exit is no pass.
"""
import re
from typing import NamedTuple, Optional, Tuple


class Language(NamedTuple):
    file: str
    # Run, or compile and run, the file.
    run: Tuple[str, ...]
    # How the file ends. Each `%s` is half of the secret: code that runs says it whole, and the printed text of the file does not.
    ending: str
    # Says by its status whether the file is well-formed; asked only when a run failed.
    check: Optional[Tuple[str, ...]] = None
    compile: Optional[Tuple[str, ...]] = None
    # What comes between the program and its tests, and before the program.
    opening: str = ''
    heading: str = ''
    # Where a program has `leaving`, `back` follows it: what comes behind is code again, whether the program had left it or not.
    leaving: Optional[re.Pattern] = None
    back: str = ''
    # Whether a limit on address space leaves it enough to start with; the slot's own memory is the limit otherwise.
    bounded: bool = True


# <bits/stdc++.h> is precompiled with these (Dockerfile): used where a program includes it before all else, and by no other program.
CPP_FLAGS = ('-std=c++17', '-O2', '-pipe', '-fopenmp')

LANGUAGES = {
    'javascript': Language(
        'program.js', ('/usr/bin/node', '--max-old-space-size=400', '/tmp/program.js'), ';process.stdout.write("\\n%s" + "%s\\n");',
        ('/usr/bin/node', '--check', '/tmp/program.js'), bounded=False),
    'php': Language(
        'program.php', ('/usr/bin/php', '-d', 'memory_limit=400M', '-d', 'zend.assertions=1', '-d', 'assert.exception=1', '/tmp/program.php'),
        'echo "\\n%s" . "%s\\n";', ('/usr/bin/php', '-l', '/tmp/program.php'), heading='<?php\n', leaving=re.compile(r'\?>'), back='?><?php\n'),
    'ruby': Language(
        'program.rb', ('/usr/bin/ruby', '/tmp/program.rb'), 'STDOUT.print("\\n%s" + "%s\\n")', ('/usr/bin/ruby', '-c', '/tmp/program.rb')),
    'perl': Language(
        'program.pl', ('/usr/bin/perl', '/tmp/program.pl'), 'print STDOUT "\\n%s" . "%s\\n";', ('/usr/bin/perl', '-c', '/tmp/program.pl'),
        leaving=re.compile(r'^=[a-z]', re.MULTILINE | re.IGNORECASE), back='\n=pod\n\n=cut\n\n'),
    'cpp': Language(
        'program.cpp', ('/tmp/program',), ';std::printf("\\n%%s%%s\\n", "%s", "%s");return 0;}',
        compile=('/usr/bin/g++', *CPP_FLAGS, '-I/opt/evenkeel/include', '-o', '/tmp/program', '/tmp/program.cpp'),
        opening='#include <cstdio>\nint main() {\n', bounded=False),
}

ENVIRONMENT = {
    'PATH': '/usr/local/bin:/usr/bin:/bin', 'HOME': '/tmp', 'LANG': 'C.UTF-8', 'NODE_PATH': '/usr/share/nodejs', 'OMP_WAIT_POLICY': 'passive',
    'OMP_NUM_THREADS': '2',
}

# What a benchmark's test says when a value is not the expected one (MXEVAL).
WRONG = re.compile(rb'Error at (test case )?\d+|test case \d+ did not pass')
MEMORY = re.compile(rb'Allowed memory size|NoMemoryError|failed to allocate memory|Out of memory|heap out of memory|std::bad_alloc|Cannot allocate memory')
MISSING = re.compile(rb"Cannot find module|Can't locate \S+ in @INC|cannot load such file|LoadError")
