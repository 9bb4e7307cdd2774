"""How the first process of a slot begins, whatever it is for: limits, privacy, the link to its driver."""
import os
import resource
import signal
import socket
import sys

import wire
from private import write_all

# Where no engine sets them.
OWN_LIMITS = (
    (resource.RLIMIT_NOFILE, 64), (resource.RLIMIT_FSIZE, 16 << 20), (resource.RLIMIT_STACK, 64 << 20), (resource.RLIMIT_NPROC, 64),
)


def prepare(arguments):
    """Arguments: --socket PATH | --stdio [--limits]"""
    if '--limits' in arguments:
        for limit, value in OWN_LIMITS:
            resource.setrlimit(limit, (value, value))
    if os.getpid() != 1:
        sys.exit('a slot is served only by the first process of a pid namespace: it ends every other process that it can see')
    become_private()


def become_private():
    """Nothing of this process can be read, written or traced by its children, and no signal has a handler that they could reach."""
    import ctypes
    set_dumpable = 4
    if ctypes.CDLL(None).prctl(set_dumpable, 0, 0, 0, 0) != 0:
        sys.exit('prctl(PR_SET_DUMPABLE) failed')
    for name in [name for name in sys.modules if name.partition('.')[0] in ('ctypes', '_ctypes')]:
        del sys.modules[name]
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    for limit, value in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_MSGQUEUE, 0), (resource.RLIMIT_MEMLOCK, 65536)):
        resource.setrlimit(limit, (value, value))
    os.environ.clear()
    os.environ.update(PATH='/usr/local/bin:/usr/bin:/bin', HOME='/tmp', LANG='C.UTF-8')
    os.chdir('/tmp')


def connect(arguments):
    """(descriptor to read, descriptor to write); standard input, output and errors become the null device."""
    if arguments[:1] == ['--socket']:
        link = socket.socket(socket.AF_UNIX)
        link.connect(arguments[1])
        reading = writing = link.detach()
    else:
        reading, writing = os.dup(0), os.dup(1)
    null = os.open('/dev/null', os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.close(null)
    return reading, writing


def mapped_bytes():
    with open('/proc/self/statm', 'rb') as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def send_frame(writing, header, bodies=()):
    write_all(writing, wire.frame_parts(header, bodies))
