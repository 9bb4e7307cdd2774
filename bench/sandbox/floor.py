"""
The floor of a program in a process of its own: how often a second this Python, with the modules that a slot loads,
forks a child that writes one byte and ends. Usage: floor.py SECONDS; prints children a second.
"""
import bisect, cmath, collections, copy, datetime, functools, heapq, itertools  # noqa: E401, F401
import json, math, operator, random, re, string, typing  # noqa: E401, F401
import gc
import os
import sys
import time


def one_child():
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.write(writing, b'.')
        os._exit(0)
    os.close(writing)
    answer = os.read(reading, 1)
    os.close(reading)
    os.waitpid(pid, 0)
    return len(answer)


gc.collect()
gc.freeze()
gc.disable()
began = time.perf_counter()
until = began + float(sys.argv[1])
children = 0
while time.perf_counter() < until:
    children += one_child()
print(children / (time.perf_counter() - began))
