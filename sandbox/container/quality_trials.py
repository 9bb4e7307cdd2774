"""Programs that Pylint looks at before the first fork: what they import and use is then known."""

MODULES = (
    'abc', 'array', 'bisect', 'cmath', 'collections', 'copy', 'dataclasses', 'datetime', 'decimal', 'enum', 'fractions', 'functools', 'hashlib', 'heapq',
    'io', 'itertools', 'json', 'logging', 'math', 'numbers', 'numpy', 'operator', 'os', 'random', 're', 'statistics', 'string', 'sys', 'textwrap', 'time',
    'typing', 'unicodedata', 'warnings',
)
SHAPES = '''"""Shapes."""
from __future__ import annotations

import heapq
import math
import re
import sys
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from itertools import combinations, permutations
from typing import Any, Dict, List, Optional, Tuple, Union


@dataclass
class Point:
    """A point."""

    x: float
    y: float = 0.0
    tags: List[str] = field(default_factory=list)


class Node:
    """A node."""

    def __init__(self, key: int) -> None:
        self.key = key
        self.children: Dict[str, Node] = {}

    @property
    def size(self) -> int:
        """Its size."""
        return 1 + sum(child.size for child in self.children.values())


@lru_cache(maxsize=None)
def ways(n: int, *, base=[1]) -> int:
    if n <= 1:
        return base[0]
    else:
        return ways(n - 1) + ways(n-2)


def closest(values: List[float], text: Union[str, bytes]) -> Optional[Tuple[float, float]]:
    """The two closest."""
    best = None
    counts = Counter(re.findall(r'\\w+', str(text)))
    groups = defaultdict(list)
    queue = deque(sorted(values, key=lambda v: (-v, v)))
    heap = []
    heapq.heappush(heap, (math.sqrt(abs(sum(values))), 1))
    for i in range(len(values)):
        groups[values[i] > 0].append('%s and %d' % (values[i], i))
    try:
        for (a, b) in combinations(values, 2):
            if best == None or abs(a - b) < abs(best[0] - best[1]):
                best = (a, b) if a <= b else (b, a)
        with open('name.txt') as file:
            print(file.read(), f'{best!r:>10}', file=sys.stderr)
    except (ValueError, IndexError) as error:
        raise RuntimeError('no') from error
    except:
        pass
    finally:
        del heap
    total = reduce(lambda x, y: x + y, [n for n in values if not n % 2], 0)
    while queue and not total:
        queue.popleft()
    return best if counts else None


async def later(things: Any, *rest, **named):
    """Later."""
    async for thing in things:
        yield thing, {k: v for k, v in named.items()}, {*rest}


if __name__ == '__main__':
    assert ways(3) == 3, [p for p in permutations([1, 2])]
    print(closest([1.0, 2.5], 'a b'), Point(1.0).x, Node(1).size, later)
'''
TRIALS = (
    SHAPES,
    'def broken(:\n    return 1\n',
    'import nothing_of_this_name\nfrom nothing_of_this_name import everything\nprint(undefined)\n',
    *(f'import {name}\nfrom {name} import *\nprint({name}.__name__, {name}.nothing)\n' for name in MODULES),
)
