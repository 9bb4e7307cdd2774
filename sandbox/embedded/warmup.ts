/**
 * Trial programs: they make the interpreter create what every program needs (parser tables, free lists), once instead
 * of per program. Those of sandbox/container/warmup.py but for one statement, written again for the reason that
 * harness.ts gives; nothing a verdict says depends on them.
 */
export interface Trial {
  readonly source: string;
  readonly entryPoint: string;
  readonly inputs: readonly string[];
}

export const warmupRounds = 20;

export const trials: readonly Trial[] = [
  {
    entryPoint: 'closest',
    inputs: ['[[{"f":"1.5"},{"f":"2.25"},{"f":"-0.0"}],3]', '[[],0]'],
    source: `
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
`,
  },
  {
    entryPoint: 'words',
    inputs: ['["the quick brown fox, the lazy dog"]', '[""]'],
    source: `
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
    print(f'{most:>4}', root.size)
    return {w: [n, {w}, frozenset([n]), w.encode(), (n, None, True)] for w, n in counts.items() if n == most}
`,
  },
  { entryPoint: 'broken', inputs: [], source: 'def broken(:\n    return 1\n' },
  { entryPoint: 'raises', inputs: ['[]'], source: 'def raises():\n    raise ValueError("no")\n' },
  { entryPoint: 'deep', inputs: ['[1]'], source: 'def deep(n):\n    return deep(n + 1)\n' },
];
