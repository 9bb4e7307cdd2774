import { describe, expect, it } from 'vitest';
import { escaped, framed, promptFrame } from '../../../studies/specificity/frame.ts';

const humaneval = {
  entryPoint: 'solve',
  prompt: `import math
from typing import List


def helper(n: int) -> int:
    """A helper."""
    return n + 1


def solve(xs: List[int], n: int = 3) -> List[int]:
    """ Doubles what helper gives.
    For all of xs.

    >>> solve([1])
    [4]
    """
`,
  reference: 'def solve(xs, n=3):\n    return [2 * (x + 1) for x in xs]\n',
};

describe('frame of a prompt', () => {
  it('keeps preamble, helpers and signature to the letter, whatever the description is', () => {
    const frame = promptFrame(humaneval);
    if (frame === null) throw new Error('no frame');
    const head = humaneval.prompt.slice(0, humaneval.prompt.indexOf('    """ Doubles'));
    expect(frame.description).toBe('Doubles what helper gives.\nFor all of xs.\n\n>>> solve([1])\n[4]');
    expect(frame.original).toBe(humaneval.prompt);
    expect(framed(frame, 'Other words.\nMore.')).toBe(`${head}    """Other words.\n    More.\n    """\n`);
    expect(framed(frame, null)).toBe(`${head.trimEnd()}\n`);
  });

  it('takes signature and the imports that it names from the reference if the prompt is only words', () => {
    const frame = promptFrame({
      entryPoint: 'area',
      prompt: '"""\nWrite a function for the area.\nassert area(1) == 3\n"""\n',
      reference: 'import math\nfrom typing import Optional\n\ndef area(r: Optional[float]):\n    return math.pi * r\n',
    });
    expect(frame?.original).toBe(
      'from typing import Optional\ndef area(r: Optional[float]):\n    """Write a function for the area.\n' +
        '    assert area(1) == 3\n    """\n',
    );
  });

  it('is null without a description, and without a def of the entry point', () => {
    expect(
      promptFrame({ entryPoint: 'f', prompt: 'def f(x):\n    pass\n', reference: 'def f(x):\n    return x\n' }),
    ).toBeNull();
    expect(promptFrame({ entryPoint: 'f', prompt: 'Write f.', reference: 'f = len\n' })).toBeNull();
  });

  it('lets no words of a model close the docstring or begin an escape', () => {
    // A backslash in words becomes two; two that a model copied from a docstring stay two,
    // however often the text goes round.
    expect(escaped(escaped(String.raw`a \n b'\\x01'`, 'python'), 'python')).toBe(String.raw`a \\n b'\\x01'`);
    expect(escaped('end """ or \'\'\' and \\n', 'python')).toBe("end '' or '' and \\\\n");
  });
});
