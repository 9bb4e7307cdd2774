/**
 * What CPython in WebAssembly cannot do for a program: start a thread or a process, open a pipe or a pair of sockets,
 * write a temporary file, run an event loop. The functions that a program needs for it raise as they always did, and
 * the exception gets a mark, by which the harness knows that it ended the program (`markOf`). A program that raises an
 * equal exception itself gets no mark, and one that catches the exception goes on.
 */

/** The name of the mark in an exception's own dictionary. */
export const markName = '_evenkeel_lacks';

/** Run once, before the harness; leaves the mark as `lacks_mark`. Needs the modules that the prelude imports. */
export const lacksSource = String.raw`
import _thread, builtins, concurrent.futures.process, errno, io, os, socket, subprocess, tempfile, threading

def make_marks():
    mark = object()
    own = BaseException.__dict__['__dict__'].__get__
    put = dict.__setitem__

    def marked(error):
        put(own(error), '${markName}', mark)
        return error

    def marking(function, kinds, is_lack=lambda error: True):
        """Calls the function; an exception of these kinds says that this platform cannot do it."""
        def call(*arguments, **named):
            try:
                return function(*arguments, **named)
            except kinds as error:
                if is_lack(error):
                    marked(error)
                raise
        call.__name__, call.__qualname__, call.__doc__ = function.__name__, function.__qualname__, function.__doc__
        return call

    def is_temporary(error):
        """Where the other tiers let a program write: in /tmp, which is also the folder that it starts in."""
        name = error.filename
        return error.errno in (errno.EROFS, errno.EPERM) and type(name) is str and (
            name[:1] != '/' or name[:5] == '/tmp/')

    def is_refused(error):
        return error.errno in (errno.EPERM, errno.ENOSYS, errno.ENOTSUP, errno.ENOEXEC)

    start = marking(_thread.start_new_thread, RuntimeError)
    _thread.start_new_thread = _thread.start_new = start
    _thread.start_joinable_thread = marking(_thread.start_joinable_thread, RuntimeError)
    threading._start_joinable_thread = _thread.start_joinable_thread
    for name in ('fork', 'execv', 'execve', 'pipe'):
        setattr(os, name, marking(getattr(os, name), OSError, is_refused))
    socket.socketpair = marking(socket.socketpair, OSError, is_refused)
    subprocess.Popen.__init__ = marking(subprocess.Popen.__init__, OSError, is_refused)
    pools = concurrent.futures.process
    pools._check_system_limits = marking(pools._check_system_limits, NotImplementedError)
    tempfile._get_default_tempdir = marking(tempfile._get_default_tempdir, FileNotFoundError)
    for name in ('open', 'mkdir'):
        setattr(os, name, marking(getattr(os, name), OSError, is_temporary))
    builtins.open = io.open = marking(io.open, OSError, is_temporary)
    return mark, marked

lacks_mark, lacks_marked = make_marks()
del make_marks
`;
