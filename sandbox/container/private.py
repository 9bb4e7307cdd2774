"""
Memory that children do not get. Programs, and what they answered, pass through the first process of a slot: whatever stayed in memory that a fork copies, freed or not,
could be found there by the programs after them, the answers of the reference among it. So could test code.
"""
import mmap
import os

SMALLEST = 1 << 18
KEPT = 1 << 22


class Private:
    """Bytes that grow. A view of them stays what it is when they move."""

    def __init__(self):
        self.bytes = hidden(SMALLEST)

    def __len__(self):
        return len(self.bytes)

    def reserve(self, size):
        if size > len(self.bytes):
            grown = hidden(max(size, 2 * len(self.bytes)))
            grown[:len(self.bytes)] = self.bytes
            self.bytes = grown

    def view(self, start, end):
        return memoryview(self.bytes)[start:end]

    def shrink(self):
        if len(self.bytes) > KEPT:
            self.bytes = hidden(SMALLEST)

    def read(self, fd, at, most):
        """Bytes read to `at`, at most so many; 0 at the end of the stream."""
        self.reserve(at + most)
        return os.readv(fd, [self.view(at, at + most)])


def hidden(size):
    """Whole pages, at least one."""
    made = mmap.mmap(-1, max(1, -(-size // mmap.PAGESIZE)) * mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    made.madvise(mmap.MADV_DONTFORK)
    return made


def write_all(fd, parts):
    """Parts one after another, from where they lie."""
    views = [memoryview(part) for part in parts if len(part) > 0]
    at = 0
    while at < len(views):
        sent = os.writev(fd, views[at:at + 512])
        while at < len(views) and sent >= len(views[at]):
            sent -= len(views[at])
            at += 1
        if sent > 0:
            views[at] = views[at][sent:]
