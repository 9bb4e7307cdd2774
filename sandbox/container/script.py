"""Runs a program of another language: written to a file, compiled where that is needed, watched, and judged by its status, its last words and its complaints."""
import os
import resource
import select

from languages import ENVIRONMENT, LANGUAGES, MEMORY, MISSING, WRONG

TAIL = 8192
CHUNK = 65536


def compile_program(suite, source, test):
    """`v`, or `c` and why not. The file is left where the language's command looks for it, and the secret is returned."""
    language = LANGUAGES[suite.language]
    secret = os.urandom(16).hex()
    body = source.lstrip()[5:] if language.heading == '<?php\n' and source.lstrip().startswith('<?php') else source
    back = language.back if language.leaving is not None and language.leaving.search(body) else ''
    ending = language.ending % (secret[:16], secret[16:])
    parts = (language.heading, body, '\n', back, suite.tests[0] if suite.tests else '', '\n', language.opening, test, '\n', ending, '\n')
    with open('/tmp/' + language.file, 'wb') as file:
        file.write(''.join(parts).encode('utf-8', 'surrogatepass'))
    if language.compile is None:
        return secret, b'v'
    status, _, complaint = follow(language.compile, suite.output)
    return secret, b'v' if status == 0 else b'c' + first_line(complaint, b'error:')


def run_program(suite, secret):
    language = LANGUAGES[suite.language]
    if language.compile is not None:
        run = into_memory(language.run[0])
    else:
        run = language.run
    status, said, complaint = follow(run, suite.output)
    if status is None:
        return b'o'
    if status == 0:
        # Said by the end of the file alone; what a timer, a destructor or a handler of the end says comes after it.
        return b'vtrue' if secret.encode() in said else b'qthe program ended before its tests did'
    if MEMORY.search(complaint) or MEMORY.search(said):
        return b'm' + first_line(complaint, b'emory')
    if WRONG.search(complaint) or WRONG.search(said):
        return b'vfalse'
    if MISSING.search(complaint):
        return b'd' + first_line(complaint, b'')
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        return b'k' if number == 9 else b'xended by signal %d' % number
    if language.check is not None and follow(language.check, suite.output)[0] != 0:
        return b's' + first_line(complaint or said, b'rror')
    return b'x' + first_line(complaint or said, b'rror')


def into_memory(path):
    """The folder for temporary files runs nothing; a file in memory may be run."""
    fd = os.memfd_create('program')
    os.set_inheritable(fd, True)
    with open(path, 'rb') as file:
        while part := file.read(1 << 20):
            os.write(fd, part)
    os.unlink(path)
    return (f'/proc/self/fd/{fd}',)


def follow(command, allowed, hear=None):
    """
    (wait status, last bytes of its output, last bytes of its complaints); the status is None when it said more than is allowed. `hear` gets every part of
    its output.
    """
    out, out_end = os.pipe()
    err, err_end = os.pipe()
    actions = [(os.POSIX_SPAWN_OPEN, 0, '/dev/null', os.O_RDONLY, 0), (os.POSIX_SPAWN_DUP2, out_end, 1), (os.POSIX_SPAWN_DUP2, err_end, 2)]
    pid = os.posix_spawn(command[0], command, ENVIRONMENT, file_actions=actions)
    os.close(out_end)
    os.close(err_end)
    pidfd = os.pidfd_open(pid)
    tails, said = {out: b'', err: b''}, 0
    poller = select.poll()
    for fd in (out, err, pidfd):
        poller.register(fd, select.POLLIN)
    over = False
    while not over:
        ready = [fd for fd, _ in poller.poll()]
        over = pidfd in ready
        for fd in tails:
            os.set_blocking(fd, False)
            said += drain(fd, tails, poller, over, hear if fd == out else None)
        if said > allowed:
            os.kill(pid, 9)
            os.waitpid(pid, 0)
            return None, b'', b''
    _, status = os.waitpid(pid, 0)
    for fd in (out, err, pidfd):
        os.close(fd)
    return status, tails[out], tails[err]


def drain(fd, tails, poller, over, hear=None):
    """Once the process is over, all that is left in the pipe; before that, one part of it."""
    got = 0
    while True:
        try:
            part = os.read(fd, CHUNK)
        except BlockingIOError:
            return got
        if not part:
            if not over:
                try:
                    poller.unregister(fd)
                except KeyError:
                    pass
            return got
        got += len(part)
        tails[fd] = (tails[fd] + part)[-TAIL:]
        if hear is not None:
            hear(part)
        if not over:
            return got


def first_line(text, mark):
    """The first line with `mark` in it, else the first that says anything."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in lines if mark in line), lines[0] if lines else b'')[:300]


def bound(memory):
    """Limits what comes now by address space, over what this process has."""
    with open('/proc/self/statm', 'rb') as file:
        base = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (base + memory, base + memory))
