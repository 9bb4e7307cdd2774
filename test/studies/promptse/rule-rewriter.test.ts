import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { checkVariant, originalOf } from '../../../studies/variants/invariance.ts';
import { type VariantSettings, variantsByRules } from '../../../studies/promptse/variant-plan.ts';
import { emotions } from '../../../studies/promptse/templates.ts';
import { benchmarkFile } from '../../support/benchmark-files.ts';
import type { VariantRecord } from '../../../schemas/variant.ts';

const root = join(import.meta.dirname, '../../..');
const settings: VariantSettings = {
  variants: 30,
  seed: 0,
  draws: 'balanced',
  contexts: false,
  renameParameters: false,
  maxDraws: 12,
};

interface SourceTask {
  readonly taskId: string;
  readonly prompt: string;
  readonly entryPoint: string;
}

const lines = (text: string): SourceTask[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { task_id: string; prompt: string; entry_point: string })
    .map(({ task_id: taskId, prompt, entry_point: entryPoint }) => ({ taskId, prompt, entryPoint }));

const starter = lines(readFileSync(join(root, 'data/starter/starter.jsonl'), 'utf8'));
const humanevalFile = benchmarkFile('humaneval', 'HumanEval.jsonl.gz');

const accepted = (records: readonly VariantRecord[]): VariantRecord[] =>
  records.filter(({ status }) => status === 'accepted');

function meanDistance(records: readonly VariantRecord[], distance: number): number {
  const own = accepted(records).filter((record) => record.distance === distance);
  return own.reduce((sum, { editDistance }) => sum + (editDistance ?? 0), 0) / own.length;
}

test('thirty variants a distance, each emotion 3 or 4 times, all within the rules and none twice', () => {
  const task = starter[0] as SourceTask;
  const variants = variantsByRules(task, settings);
  expect(variants.map(({ variant }) => variant).slice(28, 32)).toEqual(['d0.1-29', 'd0.1-30', 'd0.2-01', 'd0.2-02']);
  for (const distance of [0.1, 0.2, 0.3]) {
    const own = variants.filter((record) => record.distance === distance);
    for (const emotion of emotions) expect([3, 4]).toContain(own.filter((record) => record.emotion === emotion).length);
  }
  expect(accepted(variants)).toHaveLength(90);
  expect(new Set(variants.map(({ prompt }) => prompt)).size).toBe(90);
  const original = originalOf(task.prompt, task.entryPoint);
  for (const { prompt } of variants) expect(checkVariant(original, prompt ?? '').violation).toBeNull();
});

test('the same seed gives the same variants and another seed gives others', () => {
  const task = starter[1] as SourceTask;
  expect(variantsByRules(task, settings)).toEqual(variantsByRules(task, settings));
  const prompts = variantsByRules(task, settings).map(({ prompt }) => prompt);
  expect(variantsByRules(task, { ...settings, seed: 1 }).map(({ prompt }) => prompt)).not.toEqual(prompts);
});

test('measured distances of the starter tasks are ordered, and on average within 0.04 of their name', () => {
  const all = starter.slice(0, 12).flatMap((task) => variantsByRules(task, { ...settings, variants: 8 }));
  for (const distance of [0.1, 0.2, 0.3]) expect(Math.abs(meanDistance(all, distance) - distance)).toBeLessThan(0.04);
});

test('a prompt of code alone has no variant, and says why', () => {
  const [first] = variantsByRules({ taskId: 'X/1', prompt: 'def f(x):\n    return x\n', entryPoint: 'f' }, settings);
  expect(first).toMatchObject({
    status: 'missing',
    prompt: null,
    reason: 'the prompt has no passage in natural language (12)',
  });
});

test.skipIf(!humanevalFile.isThere)(
  `HumanEval: nearly all variants exist, ordered by distance, helpers untouched${humanevalFile.note}`,
  () => {
    const tasks = lines(gunzipSync(readFileSync(humanevalFile.path)).toString('utf8'));
    const few = tasks.flatMap((task) => variantsByRules(task, { ...settings, variants: 4 }));
    expect(accepted(few).length / few.length).toBeGreaterThan(0.995);
    expect(meanDistance(few, 0.1)).toBeLessThan(meanDistance(few, 0.2));
    expect(meanDistance(few, 0.2)).toBeLessThan(meanDistance(few, 0.3));
    for (const number of [10, 32, 38, 50]) {
      const { prompt, entryPoint, taskId } = tasks[number] as SourceTask;
      const preamble = prompt.slice(0, prompt.indexOf(`def ${entryPoint}`));
      expect(preamble).toMatch(/\bdef \w+/);
      for (const variant of variantsByRules({ prompt, entryPoint, taskId }, { ...settings, variants: 2 }))
        expect(variant.prompt?.startsWith(preamble)).toBe(true);
    }
  },
);
