import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEmbeddedSandbox } from '../../activities/sandboxes/embedded/embedded.ts';
import type { Sandbox } from '../../activities/sandboxes/sandbox.ts';
import type { Program } from '../../schemas/program.ts';
import { limits } from './programs.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createEmbeddedSandbox({ processes: 1 });
}, 60_000);
afterAll(() => sandbox.close());

const source =
  'from math import floor\ndef helper(x):\n    return x + 1\ndef inc(x):\n    assert x != 7\n    return helper(x)\n';
/** Cases: lists of arguments, or test code. */
const program = (cases: readonly unknown[], prelude = ''): Program => ({
  ...{ source, entryPoint: 'inc', inputs: cases.map((one) => JSON.stringify(one)) },
  tests: { prelude, alias: 'candidate' },
});
const results = async (cases: readonly unknown[], prelude?: string): Promise<unknown[]> =>
  (await sandbox.run(program(cases, prelude), limits)).results.map((result) =>
    'value' in result ? result.value : result.exception,
  );

describe('test code in the embedded sandbox', () => {
  it('gives true where its asserts hold and false where one fails, next to ordinary cases, in order', async () => {
    expect(await results(['assert candidate(1) == 2', [4], 'assert candidate(1) == 3', [5]])).toEqual([
      'true',
      '5',
      'false',
      '6',
    ]);
  });

  it('sees what the program and the prelude define, and the names of earlier test code; the program wins', async () => {
    const prelude = 'import math\ndef helper(x):\n    return None\nlimit = 5';
    const cases = ['seen = [helper(1), limit, math.pi > 3, inc(1)]', 'assert seen == [2, 5, True, 2]'];
    expect(await results(cases, prelude)).toEqual(['true', 'true']);
  });

  it('never shows the prelude to the program', async () => {
    const alone: Program = { source: 'def inc(x):\n    return limit\n', entryPoint: 'inc', inputs: ['[1]'] };
    const run = await sandbox.run({ ...alone, tests: { prelude: 'limit = 5', alias: 'candidate' } }, limits);
    expect(run.results).toEqual([{ exception: expect.stringMatching(/^NameError/) }]);
  });

  it("reports the program's own assert, an error, and code that does not parse as exceptions that end it", async () => {
    expect(await results(['candidate(7)', [1]])).toEqual([expect.stringMatching(/^AssertionError/)]);
    expect(await results(['assert missing', [1]])).toEqual([expect.stringMatching(/^NameError: name 'missing'/)]);
    expect(await results(['assert candidate(1) == No solution'])).toEqual([expect.stringMatching(/^SyntaxError/)]);
  });

  it('keeps the time limit', async () => {
    const run = await sandbox.run(program(['while True: pass']), { ...limits, caseTimeoutMs: 200 });
    expect(run.end).toBe('cpu_timeout');
  });

  it('leaves nothing behind for the next program', async () => {
    await results(['import sys; sys.left = 1; left = 1']);
    expect(await results(['import sys; assert not hasattr(sys, "left")', 'left'])).toEqual([
      'true',
      expect.stringMatching(/^NameError/),
    ]);
  });
});
