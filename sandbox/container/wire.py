"""
Frames between the zygote and its driver: 4 bytes little-endian length, then a JSON header, a newline, and the bytes that the header counts.
Requests:  {"suite": id, "entry", "tests", "limitsMs", "memory", "output", "sizes"} and the cases' JSON texts: remembered until {"forget": [ids]};
           {"run": nonce, "suite": id, "lane": "isolated" | "batch" | "timing", "sizes"} and the programs' sources; one isolated program may have
           {"second": id}, one more suite, and has two answers.
Replies:   {"ready": ...} once; {"beat": true} while a program runs; {"run": nonce, "status", "wallMs", "cpuMs",
           "memory"}, where there is any "oom", "flood" and "stopped", then the nonce of the records, 16 bytes, and the
           records (child.py).
"""
import json
import os
import struct

MAX_FRAME = 512 * 1024 * 1024
MAGIC = b'evenkeel-sandbox\n'
scan = json.JSONDecoder().scan_once


def read_exactly(read, count):
    """`count` bytes, or None when the stream ends before."""
    parts = []
    while count > 0:
        part = read(min(count, 1 << 20))
        if not part:
            return None
        parts.append(part)
        count -= len(part)
    return b''.join(parts)


def skip_to_magic(read):
    """Discards what an engine writes to a container's stdin before its driver does; False at the end of the stream."""
    seen = b''
    while not seen.endswith(MAGIC):
        part = read(1)
        if not part:
            return False
        seen = (seen + part)[-len(MAGIC):]
    return True


def read_frame(fd, memory):
    """(header, views of bodies in `memory`, good until the next frame), or None at the end of the stream."""
    head = os.read(fd, 4)
    if 0 < len(head) < 4:
        head += read_exactly(lambda count: os.read(fd, count), 4 - len(head)) or b''
    if len(head) < 4:
        return None
    size, = struct.unpack('<I', head)
    if size > MAX_FRAME:
        return None
    memory.reserve(size)
    at = 0
    while at < size:
        got = memory.read(fd, at, size - at)
        if got == 0:
            return None
        at += got
    cut = memory.bytes.find(b'\n', 0, size)
    # `json.loads` does the same with more of its own code, and every page that it uses is a copy after a fork.
    header, _ = scan(str(memory.view(0, cut), 'utf-8'), 0)
    return header, split(memory.view(0, size), cut + 1, header.get('sizes', ()))


def split(frame, at, sizes):
    bodies = []
    for size in sizes:
        bodies.append(frame[at:at + size])
        at += size
    return bodies


def frame_parts(header, bodies=()):
    head = json.dumps(header).encode() + b'\n'
    size = len(head) + sum(map(len, bodies))
    return [struct.pack('<I', size) + head, *bodies]
