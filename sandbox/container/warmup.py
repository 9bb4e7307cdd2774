"""
Trial programs: they make the interpreter create what every program needs (parser tables, free lists) once, instead of once per program. The
imports are the modules that programs use most; every page that they touch is copied on each fork, so there are no others.
"""
import bisect, cmath, collections, copy, datetime, functools, heapq, itertools, json, math, operator, random, re, string, typing  # noqa: E401, F401

ROUNDS = 20
TRIALS = (
    ('closest', (b'[[1.5, 2.25, -0.0], 3]', b'[[], 0]'), '''
from typing import List, Optional, Tuple
import collections, functools, itertools, math, re

def closest(values: List[float], k: int) -> Optional[Tuple[float, float]]:
    """Return the two closest values, or None."""
    best = None
    for i, a in enumerate(sorted(values)):
        for b in values[i + 1:]:
            if best is None or abs(a - b) < abs(best[0] - best[1]):
                best = (a, b) if a <= b else (b, a)
    return best
'''),
    ('words', (b'["the quick brown fox, the lazy dog"]', b'[""]'), '''
import string
from collections import Counter, defaultdict

class Node:
    def __init__(self, key):
        self.key = key
        self.children = {}

    @property
    def size(self):
        return 1 + sum(c.size for c in self.children.values())

def words(text):
    root = Node('')
    counts = defaultdict(int)
    for word in text.lower().translate(str.maketrans('', '', string.punctuation)).split():
        counts[word] += 1
        root.children.setdefault(word, Node(word))
    try:
        most = max(counts.values())
    except ValueError as error:
        return {'': str(error)}
    assert root.size >= 0, 'sizes add up'
    print(f'{most:>4}', root.size)
    return {w: [n, {w}, frozenset([n]), w.encode(), (n, None, True)] for w, n in counts.items() if n == most}
'''),
    ('broken', (), 'def broken(:\n    return 1\n'),
    ('raises', (b'[]',), 'def raises():\n    raise ValueError("no")\n'),
    ('deep', (b'[1]',), 'def deep(n):\n    return deep(n + 1)\n'),
)
