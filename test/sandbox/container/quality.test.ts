/**
 * Messages that are named here are those that Pylint's own documentation gives such code; the others are compared with
 * Pylint spawned in the same image.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openOn } from '../../../activities/sandboxes/container/container.ts';
import type { Sandbox } from '../../../activities/sandboxes/sandbox.ts';
import { asSpawned } from '../../../bench/quality/as-spawned.ts';
import { startSpawnedPylint } from '../../../bench/quality/spawned.ts';
import { qualityCounts } from '../../../domain/metrics/quality-counts.ts';
import { solutionText } from '../../../domain/metrics/solution-text.ts';
import type { Measures } from '../../../schemas/measures.ts';
import { goodAdd, limits, passesAdd } from '../programs.ts';
import { engineNote, testEngine, withoutEngine } from './engine.ts';
import { oddSources } from './quality-sources.ts';
import { inFull, long } from '../../support/forms/long.ts';

describe.skipIf(withoutEngine)(`what a container measures of a program's text${engineNote}`, () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openOn(testEngine(), { processes: 1 });
  }, 300_000);
  afterAll(() => sandbox?.close());
  const measure = async (...sources: string[]): Promise<Measures[]> => (await sandbox.measure?.(sources)) ?? [];
  const idsOf = (measures: Measures | undefined): string[] | undefined => measures?.messages?.map(({ id }) => id);

  it('counts messages, exception statements and lines', async () => {
    const source =
      'def sign(x):\n    """Sign."""\n    try:\n        if x:\n            return 1\n        else:\n' +
      '            return 2\n    except ValueError:\n        raise\n\n';
    const [measures] = await measure(source);
    expect(idsOf(measures)?.sort()).toEqual(['C0114', 'R1705', 'W0706']);
    expect(measures).toMatchObject({
      reason: null,
      handlers: 1,
      raises: 1,
      loc: 9,
      service: { pylint: '3.2.5', python: '3.11.2' },
    });
    expect(measures && qualityCounts(measures)).toEqual({
      codeSmells: 1,
      unreadability: 1,
      exceptionStatements: 2,
      loc: 9,
    });
  });

  it.each([
    ['a missing colon', 'def f()\n    pass', 'syntax_error', ['E0001']],
    ['a NUL byte', 'x = 1\0', 'syntax_error', ['E0001']],
    ['half a surrogate pair', 'x = "\ud800"', 'syntax_error', undefined],
    ['an expression deeper than Pylint goes', `x = ${Array(2000).fill('1').join(' + ')}`, 'pylint_crash', ['F0002']],
  ])('%s: no counts, and the reason', async (_name, source, reason, ids) => {
    const [measures] = await measure(source);
    expect([measures?.reason, idsOf(measures), measures && qualityCounts(measures)]).toEqual([reason, ids, null]);
  });

  it('a program has no say in the messages of those next to it', async () => {
    const honest = '"""Doc."""\nimport math\nprint(math.answer, "".answer, [].answer)\n';
    const forgers = [
      'import math\nmath.answer = 42',
      'str.answer = 42\nlist.answer = 42',
      'import builtins\nbuiltins.str.answer = 42\nbuiltins.list.answer = 42',
      'class A:\n    def __init__(self):\n        self = list\n        self.answer = 42',
      'import sys\nsys.modules["math"].answer = 42',
      '# pylint: disable=all\n',
      '# pylint: disable=no-member\n',
      'import solution\nsolution.answer = 42',
    ];
    const measured = await measure(...forgers.flatMap((forger, index) => [forger, `${honest}# ${index}`]));
    const found = measured.filter((_, index) => index % 2 === 1).map(idsOf);
    expect(found).toEqual(forgers.map(() => ['E1101', 'E1101', 'E1101']));
  });

  it('equal texts are measured once, and no text is lost', async () => {
    const measured = await measure('x = 1', 'x = 1\n\n', 'y = 1', 'x = 1\r\n');
    expect(measured.map(({ messages }) => messages?.length)).toEqual([2, 2, 2, 2]);
    expect(new Set([measured[0], measured[1], measured[3]]).size).toBe(1);
    expect(await measure()).toEqual([]);
  });

  it('programs run next to it as ever', async () => {
    const [ran, measured] = await Promise.all([sandbox.run(goodAdd, limits), measure(goodAdd.source)]);
    expect(passesAdd(ran)).toBe(true);
    expect(measured[0]?.reason).toBeNull();
  });

  it('a caller that gives up hears so, and the next one is served', async () => {
    const giveUp = new AbortController();
    const given = sandbox.measure?.([`x = ${Array(1200).fill('[1]').join(' + ')}`, 'x = 3'], giveUp.signal);
    giveUp.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    expect((await measure('x = 4'))[0]?.reason).toBeNull();
  });

  long(
    `says what Pylint says when it is spawned for each program${inFull}`,
    async () => {
      const texts = oddSources.map(solutionText);
      const spawned = await startSpawnedPylint(testEngine());
      try {
        const [ours, theirs] = await Promise.all([measure(...texts), spawned.measure(texts)]);
        expect(texts.map((text, index) => [text, asSpawned(ours[index])])).toEqual(
          texts.map((text, index) => [text, theirs[index]?.messages]),
        );
      } finally {
        await spawned.stop();
      }
    },
    240_000,
  );
});
