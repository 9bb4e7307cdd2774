/** Programs that a linter which keeps its state, or is not alone, may see in another light than a fresh one. */
export const oddSources: readonly string[] = [
  '',
  '\ufeffx = 1',
  'x = 1\r\ny = 2\r\n',
  'x = 1\ry = 2',
  'x\u00e4 = "\u{1f600}"  \t',
  '# -*- coding: latin-1 -*-\nx = "\u00e9"',
  '# -*- coding: no-such -*-\nx = 1',
  '# pylint: disable=invalid-name\nx = 1  # pylint: enable=invalid-name\ny = 2',
  '# pylint: skip-file\nx = 1',
  '# pylint: disable=all\nx = 1',
  '# pylint: disable=no-such-message, C0114\n# pylint: frobnicate=1\nx = 1',
  '# pylint: init-hook="import os; os._exit(0)"\n# pylint: load-plugins=wire\nx = 1',
  'def f(a, b=[]):  # pylint: disable-next=dangerous-default-value\n    # pylint: disable=unused-argument\n' +
    '    return a\n',
  'import os, sys\nfrom typing import *\nimport numpy as np\n' +
    'print(np.zeros(3).nothing, np.array([1]).sum(), List[int])\n',
  'import solution\nfrom solution import nothing\nfrom . import other\nfrom .. import others\n',
  'import wire, child, quality, linter, exception_statements, antigravity, __main__, _ctypes, readline\n',
  'import random\nfrom random import randint\nrandom.answer = 42\nprint(random.answer, random.other)\n',
  'class A(dict):\n    def get(self, key):\n        self.seen = key\n        return super(A, self).get(key)\n\n' +
    '    def other(this):\n        this.later = 1\n        print("%d %s" % this)\n',
  'from dataclasses import dataclass\nfrom collections import namedtuple\nfrom enum import Enum\n' +
    'P = namedtuple("P", "x y")\nclass C(Enum):\n    A = 1\n@dataclass\nclass D:\n    p: P\n' +
    '    def __eq__(self, o): return self.p.x == o.p.z\nprint(C.A.value, C.B, P(1, 2).z)\n',
  'def f(n):\n  if n == None or not n is 3:\n    return\n  elif type(n) == int:\n    return 1\n  else:\n' +
    '    for i in range(len(n)):\n      print(n[i])\n  l = lambda x: x\n  try:\n    exec("1")\n  except:\n    pass\n',
  'match 1:\n    case int(x) if x:\n        print(f"{x!r:>{10}}")\n    case _:\n        pass\n',
  'async def f():\n    async with g() as h:\n        yield await h\n    return [i async for i in f()]\n',
  'try:\n    pass\nexcept* ValueError as group:\n    raise\n',
  `x = ${'('.repeat(90)}1${')'.repeat(90)}`,
  `x = ${'-'.repeat(150)}1`,
  `x = [${Array.from({ length: 500 }, (_, i) => i).join(', ')}]`,
  `def ${'f'.repeat(200)}(a1, a2, a3, a4, a5, a6, a7):\n    return a1; print(1)\n`,
];
