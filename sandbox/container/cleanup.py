"""Takes away what a program left behind: processes and files. Whatever cannot be taken away ends the slot."""
import os
import signal
import stat

FOLDER = '/tmp'
# Of shared memory and named semaphores. Not every engine gives a slot one.
SHARED = '/dev/shm'
# No name that a program chose.
TOKEN = os.urandom(16).hex()


class Cleanup:
    def __init__(self):
        self.folders = [Folder(path) for path in (FOLDER, SHARED) if path == FOLDER or os.path.ismount(path)]

    def after_program(self):
        self.end_processes()
        for folder in self.folders:
            folder.after_program()

    def end_processes(self):
        try:
            while os.waitpid(-1, os.WNOHANG)[0] != 0:
                pass
        except ChildProcessError:
            return
        try:
            while True:
                os.kill(-1, signal.SIGKILL)
                os.waitpid(-1, 0)
        except (ChildProcessError, ProcessLookupError):
            pass
        try:
            while True:
                os.waitpid(-1, 0)
        except ChildProcessError:
            pass


class Folder:
    """One that programs may write to, with a file system of its own."""

    def __init__(self, path):
        self.path = path
        self.fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        self.empty = self.free()
        # Behind bubblewrap the folder belongs to whoever runs in the slot.
        self.owned = os.fstat(self.fd).st_uid == os.getuid()
        self.marks = self.seen()

    def seen(self):
        status = os.fstat(self.fd)
        return status.st_mode, status.st_atime_ns, status.st_mtime_ns

    def free(self):
        used = os.fstatvfs(self.fd)
        return used.f_ffree, used.f_bfree

    def after_program(self):
        if self.owned:
            self.take_back()
        if self.free() != self.empty:
            self.wipe()

    def take_back(self):
        """The folder's own rights and times: what follows needs it, and is to find no message there. Extended attributes are no call of ours."""
        if self.seen() == self.marks:
            return
        os.fchmod(self.fd, stat.S_IMODE(self.marks[0]))
        os.utime(self.fd, ns=self.marks[1:])

    def wipe(self):
        """Folder by folder, each moved to the top when its turn comes: hundreds may be in each other, closed, with few descriptors to open them by."""
        pending = os.listdir(self.fd)
        moved = 0
        while pending:
            name = pending.pop()
            if not is_folder(name, self.fd):
                os.unlink(name, dir_fd=self.fd)
                continue
            folder = opened(name, self.fd)
            for entry in os.listdir(folder):
                if is_folder(entry, folder):
                    os.close(opened(entry, folder))
                    moved += 1
                    pending.append(f'{TOKEN}{moved}')
                    os.rename(entry, pending[-1], src_dir_fd=folder, dst_dir_fd=self.fd)
                else:
                    os.unlink(entry, dir_fd=folder)
            os.close(folder)
            os.rmdir(name, dir_fd=self.fd)
        if self.free() != self.empty:
            raise SystemExit(f'the folder {self.path} cannot be emptied')


def is_folder(name, parent):
    return stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)


def opened(name, parent):
    os.chmod(name, 0o700, dir_fd=parent)
    return os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=parent)
