/** `agree` on runs without a label of the studies that a person's file names. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agree } from '../../../cli/commands/agree.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import { writeRun } from '../../analysis/run-fixture.ts';
import type { Terminal } from '../../../cli/output/terminal.ts';

const spec = parseSpec(
  `
name: r
models: [{ id: a, provider: simulated }]
benchmarks: { b: { format: mbpp-plus, path: MbppPlus.jsonl.gz } }
studies:
  - { name: labelled, kind: specificity, benchmark: b, settings: { labeller: a } }
  - { name: begun, kind: specificity, benchmark: b, settings: { secondLabeller: a, labeller: a } }
  - { name: bare, kind: specificity, benchmark: b }
  - { name: plain, kind: specificity, benchmark: b }
`,
  'r.yaml',
);
let runsDir = '';
beforeAll(async () => {
  runsDir = mkdtempSync(join(tmpdir(), 'evenkeel-agree-'));
  mkdirSync(join(runsDir, 'r'));
  const key = { run: 'r', model: 'a', benchmark: 'b', task_id: 'T/1', language: 'python', setting: 'default' };
  const row = {
    ...{ ...key, study: 'labelled', variant: 'summary-10', repetition: 0, labeller: 'a', pass: 0 },
    ...{ taxonomy: 'paper', asks: 1, simulated: true, theme: '1.1', reason: null },
  };
  await writeRun(
    join(runsDir, 'r'),
    [
      { table: 'labels', page: 'labelled/a/r1p0000', rows: [row] },
      { table: 'models', page: 'run', rows: [{ run: 'r', model: 'a', simulated: true }] },
      {
        ...({ table: 'variants', page: 'run' } as const),
        rows: [
          {
            ...{ ...key, study: 'labelled', variant: 'summary-10', kind: 'detail', status: 'accepted' },
            ...{ prompt: 'def f():\n    r"""Add 1 to x.\n    Return it.\n    """\n    y = 0\n', simulated: true },
          },
        ],
      },
    ],
    { runId: 'r', spec },
  );
});
afterAll(() => rmSync(runsDir, { recursive: true }));

const silent: Terminal = {
  ...{ json: true, out: () => {}, document: () => {}, note: () => {}, progress: () => {} },
  flush: () => Promise.resolve(),
};

const compared = (...studies: readonly string[]): Promise<unknown> => {
  const file = join(runsDir, `${studies.join('-')}.jsonl`);
  const lines = studies.map((study) => ({ study, task_id: 'T/1', variant: 'summary-10', themes: ['1.1'] }));
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  return agree('r', file, { runsDir }, silent);
};

const withPrompt = (prompt: string): Promise<unknown> => {
  const file = join(runsDir, 'texts.jsonl');
  const line = { study: 'labelled', task_id: 'T/1', variant: 'summary-10', prompt, themes: ['1.1'] };
  writeFileSync(file, JSON.stringify(line));
  return agree('r', file, { runsDir }, silent);
};

// Red before: compared, whatever a person had read.
test('labels of another text of the same name are of another run', async () => {
  await expect(withPrompt('rAdd 1 to x.\nReturn it.\n    y = 0')).resolves.toBe(0);
  await expect(withPrompt('Subtract 1 from x.')).rejects.toThrow(
    'labels no prompt that the run has labels of: is it a sample of another run? the first is line 1',
  );
});

// Red before: "none of its studies has a labeller", of a run whose first study has one.
test.each([
  [['bare'], 'the run has no labels to compare with: study bare has no labeller'],
  [['bare', 'plain'], 'the run has no labels to compare with: studies bare, plain have no labeller'],
  [['begun'], 'the run has no labels of study begun yet: complete it with `evenkeel resume r`, then compare'],
  [['begun', 'bare'], 'the run has no labels of study begun yet: complete it with `evenkeel resume r`, then compare'],
])('labels of %j: %s', async (studies, text) => {
  await expect(compared(...studies)).rejects.toThrow(text);
});
