/** The content of a file decides how it is read, not its name. */
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resultsText } from '../../../../activities/exchange/exports/evalplus.ts';
import type { JudgedAnswer } from '../../../../activities/exchange/exports/judged-answers.ts';
import type { ImportFormatName } from '../../../../activities/exchange/imports/import-formats.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { fixture, imported, jsonLines, repliesOf, written } from './reading.ts';

const text = (...parts: string[]): string => readFileSync(fixture(...parts), 'utf8');

// Red where names decide: "expected one JSON object per line", or "not valid JSON".
test.each<[ImportFormatName, string, string]>([
  ['evalplus', 'samples_eval_results.json', 'results.out'],
  ['evalplus', 'samples_eval_results.json', 'results.jsonl'],
  ['evalplus', 'samples.jsonl', 'samples.json'],
  ['bigcodebench', 'samples_eval_results.json', 'results'],
  ['inspect', 'log.json', 'log.eval'],
  ['inspect', 'log.json', 'log.txt'],
  ['inspect', 'log.eval', 'log.json'],
])('%s: %s is read the same as %s', async (format, name, other) => {
  const file = join(temporaryFolder(), other);
  copyFileSync(fixture(format, name), file);
  const expected = repliesOf(await imported(format, fixture(format, name)));
  expect(expected.length).toBeGreaterThan(0);
  expect(repliesOf(await imported(format, file))).toEqual(expected);
});

test('results in several lines, after white space, or with their keys in another order', async () => {
  const whole = text('evalplus', 'samples_eval_results.json');
  const expected = repliesOf(await imported('evalplus', fixture('evalplus', 'samples_eval_results.json')));
  const { eval: tasks, ...head } = JSON.parse(whole) as { eval: object };
  const forms = [
    JSON.stringify(JSON.parse(whole), null, 2),
    `\n  ${whole}`,
    JSON.stringify({ pass_at_k: { eval: { '{"task_id': 'a "task_id": b' } }, ...head, eval: tasks }),
  ];
  for (const form of forms) expect(repliesOf(await imported('evalplus', written('x.out', form)))).toEqual(expected);
});

test('neither a list of samples nor samples with a long first text count as results', async () => {
  const samples = [{ solution: `# {"eval": {\n${'x = 1\n'.repeat(50_000)}`, task_id: 'A/1' }];
  for (const form of [JSON.stringify(samples), jsonLines(samples)])
    for (const format of ['evalplus', 'bigcodebench'] as const)
      expect(repliesOf(await imported(format, written('x.json', form)))).toMatchObject([
        { task: 'A/1', reply: samples[0]?.solution },
      ]);
});

// The export of `evenkeel export --format evalplus-results --out x.out`.
test('results that evenkeel exports are read under any name', async () => {
  const answer = { source_task_id: 'A/1', solution: 'x = 1\n', suites: [{ suite: 'base', outcome: 'pass' }] };
  const answers = (async function* () {
    yield answer as unknown as JudgedAnswer;
  })();
  const head = { startedAt: '2026-11-25T03:00:00Z', benchmarkSha256: '0', programVersion: '1' };
  let exported = '';
  for await (const part of resultsText(head as never, answers)) exported += part;
  expect(repliesOf(await imported('evalplus', written('x.out', exported)))).toMatchObject([
    { task: 'A/1', reply: 'x = 1\n', recorded: [{ by: 'evalplus', suite: 'base', passed: true }] },
  ]);
});

test('a file that is missing is named', async () => {
  for (const format of ['evalplus', 'bigcodebench', 'inspect'] as const) {
    const file = join(temporaryFolder(), 'none.json');
    await expect(imported(format, file)).rejects.toThrow(expect.objectContaining({ name: 'InputError', file }));
  }
});
