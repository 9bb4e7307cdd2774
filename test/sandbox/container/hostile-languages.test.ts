import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openOn } from '../../../activities/sandboxes/container/container.ts';
import type { Sandbox } from '../../../activities/sandboxes/sandbox.ts';
import type { Program, ProgramLanguage, ProgramRun } from '../../../schemas/program.ts';
import { addProgram, goodAdd, passesAdd } from '../programs.ts';
import { engineNote, testEngine, withoutEngine } from './engine.ts';
import { hostileLanguages } from './hostile-languages.ts';

const limits = { caseTimeoutMs: 1000, memoryBytes: 300 * 1024 * 1024, outputBytes: 1_000_000 };

/** A right `add`, and a test that fails when 1 + 2 is not 3. */
const right = {
  javascript: [
    'function add(a, b) { return a + b; }',
    "if (!require('lodash').isEqual(add(1, 2), 3)) { throw 'Error at 1th assert statement.' }",
  ],
  php: [
    'function add($a, $b) { return $a + $b; }',
    'if (add(1, 2) !== 3) { throw new Exception("Error at 1th assert statement."); }',
  ],
  ruby: ['def add(a, b)\n  a + b\nend', 'raise StandardError, "Error at test case 1" if add(1, 2) != 3'],
  perl: [
    'sub add { my ($a, $b) = @_; return $a + $b; }',
    'unless (add(1, 2) == 3) { die "Exception -- test case 0 did not pass."; }',
  ],
  cpp: [
    'int add(int a, int b) { return a + b; }',
    'if (add(1, 2) != 3) { fprintf(stderr, "Error at 1th assert"); return 1; }',
  ],
} as const;

/** They can make their own test pass, as their rows say; everything else is held. */
const forges: ReadonlySet<string> = new Set(['javascript patches the judge', 'ruby makes numbers equal']);

describe.skipIf(withoutEngine)(`hostile programs in other languages${engineNote}`, () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openOn(testEngine(), { processes: 1 });
  }, 600_000);
  afterAll(() => sandbox?.close());

  const program = (language: ProgramLanguage, source: string, test: string): Program => ({
    ...{ language, source, entryPoint: '', inputs: [JSON.stringify(test)], tests: { prelude: '', alias: '' } },
  });
  const passes = ({ end, results: [first] }: ProgramRun): boolean =>
    end === 'completed' && first !== undefined && 'value' in first && first.value === 'true';

  for (const [name, programs] of Object.entries(hostileLanguages)) {
    const language = name as keyof typeof right;
    const [good, test] = right[language];
    it.each(Object.entries(programs))(
      `${language}: one that %s leaves nothing, and what follows is judged rightly`,
      async (what, source) => {
        const run = await sandbox.run(program(language, source, test), limits);
        expect(passes(run), JSON.stringify(run)).toBe(forges.has(`${language} ${what}`));
        expect(JSON.stringify(run)).not.toMatch(/root:|PATH=/);
        expect(passes(await sandbox.run(program(language, good, test), { ...limits, caseTimeoutMs: 10_000 }))).toBe(
          true,
        );
        expect(passesAdd(await sandbox.run(goodAdd, limits))).toBe(true);
        const left =
          'import os\ndef add(a, b): return [os.listdir("/tmp"), ' +
          '[pid for pid in os.listdir("/proc") if pid.isdigit()] == ["1", str(os.getpid())]]';
        expect((await sandbox.run(addProgram(left), limits)).results[0]).toEqual({ value: '[[],true]' });
      },
    );
  }
});
