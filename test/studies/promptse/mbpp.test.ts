/**
 * PromptSE on sanitized MBPP: its sentence becomes the docstring of the reference's signature, and only that is
 * reworded.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { mbppSanitized } from '../../../domain/benchmarks/mbpp-sanitized.ts';
import { parseExactJson } from '../../../domain/values/exact-json.ts';
import type { Task } from '../../../schemas/task.ts';
import type { VariantRecord } from '../../../schemas/variant.ts';
import { variantsByRules } from '../../../studies/promptse/variant-plan.ts';
import { checkVariant, originalOf } from '../../../studies/variants/invariance.ts';
import { technicalShareOf } from '../../../studies/variants/technical-terms.ts';
import { benchmarkFile } from '../../support/benchmark-files.ts';

const settings = {
  variants: 8,
  seed: 5,
  draws: 'balanced',
  contexts: false,
  renameParameters: false,
  maxDraws: 12,
} as const;
const tasksOf = (text: string): Task[] =>
  (JSON.parse(text) as unknown[]).map((record, index) =>
    mbppSanitized.parseRecord(parseExactJson(JSON.stringify(record)), { file: 'mbpp.json', line: null, index }),
  );

const record = (task_id: number, prompt: string, code: string, test: string) => ({
  ...{ source_file: 'x.ipynb', task_id, prompt, code, test_imports: [], test_list: [test] },
});
const tiny = JSON.stringify([
  record(
    7,
    'Write a function to find the sum of all even numbers in a given list.',
    'def even_sum(xs):\n  return sum(x for x in xs if x % 2 == 0)\n',
    'assert even_sum([1, 2]) == 2',
  ),
  record(
    8,
    'Write a python function to remove the first "a" of a string and return the rest.',
    "def drop(s, c='a'):\n  return s.replace(c, '', 1)\n",
    'assert drop("banana") == "bnana"',
  ),
]);

const accepted = (records: readonly VariantRecord[]): VariantRecord[] =>
  records.filter(({ status }) => status === 'accepted');

describe('variants of prompts in the form of sanitized MBPP', () => {
  test('keep signature, default, number and quoted value; say the mood; and are all different', () => {
    for (const task of tasksOf(tiny)) {
      const records = variantsByRules(task, settings);
      const prompts = accepted(records).map(({ prompt }) => prompt as string);
      expect(prompts.length).toBeGreaterThanOrEqual(20);
      expect(new Set([task.prompt, ...prompts]).size).toBe(1 + prompts.length);
      const [signature = ''] = task.prompt.split('\n');
      for (const prompt of prompts) {
        expect(prompt.split('\n')[0]).toBe(signature);
        expect(checkVariant(originalOf(task.prompt, task.entryPoint), prompt).violation).toBeNull();
        if (task.taskId === 'MBPP/8') expect(prompt).toContain('first "a" of');
      }
    }
  });

  test('a term is counted only among the words of the passage: sum, even, numbers, function, list of 15', () => {
    const [task] = tasksOf(tiny) as [Task];
    // Write a function to find the sum of all even numbers in a given list.
    expect(technicalShareOf(task, task.prompt)).toBeCloseTo(5 / 15, 12);
    expect(technicalShareOf(task, 'def other(): pass')).toBeNull();
  });

  const file = benchmarkFile('mbpp-sanitized', 'sanitized-mbpp.json');
  test.skipIf(!file.isThere)(
    `of 40 of the file's own tasks nearly all variants exist, and the measured distances rise${file.note}`,
    () => {
      const records = tasksOf(readFileSync(file.path, 'utf8'))
        .slice(0, 40)
        .flatMap((task) => accepted(variantsByRules(task, settings)));
      expect(records.length).toBeGreaterThan(0.9 * 40 * 3 * settings.variants);
      const means = [0.1, 0.2, 0.3].map((distance) => {
        const own = records.flatMap((one) => (one.distance === distance ? [one.editDistance ?? 0] : []));
        return own.reduce((sum, value) => sum + value, 0) / own.length;
      });
      expect(means).toEqual(means.toSorted((a, b) => a - b));
      expect(new Set(means).size).toBe(3);
    },
  );
});
