/** The paper's looser rule: parameters without a default may have another name, and nothing else may change. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { promptse } from '../../../studies/promptse/study.ts';
import { promptseStudy } from '../../../schemas/spec/promptse.ts';
import { settleByModel, type VariantSettings, variantsByRules } from '../../../studies/promptse/variant-plan.ts';
import { checkVariant, originalOf } from '../../../studies/variants/invariance.ts';
import { renameable, renamingOf, withRenamed } from '../../../studies/variants/renaming.ts';
import { benchmarkFile } from '../../support/benchmark-files.ts';

const prompt = `from typing import List


def pick(values: List[int], limit: int, a: str, *more, reverse: bool = False) -> List[int]:
    """Return the values that are below limit, sorted when reverse is True and joined to a word.
    Never change values themselves.
    >>> pick([3, 1], 2, "limits")
    [1]
    """
`;
const swapped = prompt
  .replace('values: List', 'numbers: List')
  .replace('Return the values that are below limit,', 'Well then, return the numbers that are below limit,')
  .replace('Never change values', 'Never change numbers');

test('what may be renamed: no default, no star, no article, nothing that an example holds', () => {
  expect(renameable(prompt, 'pick')).toEqual(['values', 'limit']);
  expect(renameable(prompt.replace('"limits"', 'limit=2'), 'pick')).toEqual(['values']);
  expect(renameable('"""Add two numbers.\nassert add(1, 2) == 3\n"""', 'add')).toEqual([]);
});

test('a variant with a new name in signature and words keeps to the looser rule and breaks the stricter one', () => {
  expect(checkVariant(originalOf(prompt, 'pick', true), swapped).violation).toBeNull();
  expect(checkVariant(originalOf(prompt, 'pick'), swapped).violation).toMatch(/^changed or lost/);
  expect([...renamingOf(prompt, 'pick', swapped)]).toEqual([['values', 'numbers']]);
});

test.each<[string, (text: string) => string, RegExp]>([
  ['a parameter with a default', (text) => text.replaceAll('reverse', 'backwards'), /reverse must keep its name/],
  [
    'an old name left in the words',
    (text) => text.replace('Never change numbers', 'Never change values'),
    /values has another name in the signature only/,
  ],
  ['a name that the prompt has already', (text) => text.replaceAll('numbers', 'limit'), /limit cannot be/],
  ['a keyword', (text) => text.replaceAll('numbers', 'lambda'), /lambda cannot be/],
  ['another annotation', (text) => text.replace('List[int], limit', 'list, limit'), /^changed or lost/],
  ['a parameter less', (text) => text.replace(', limit: int', ''), /^changed or lost/],
  [
    'parameters in another order',
    (text) => text.replace('numbers: List[int], limit: int', 'limit: int, numbers: List[int]'),
    /cannot be|changed/,
  ],
  ['an example that was changed', (text) => text.replace('pick([3, 1]', 'pick([3, 2]'), /^changed or lost/],
])('refused: %s', (_what, change, reason) => {
  const { violation } = checkVariant(originalOf(prompt, 'pick', true), change(swapped));
  expect(violation).toMatch(reason);
});

const settings: VariantSettings = {
  variants: 8,
  seed: 3,
  draws: 'balanced',
  contexts: false,
  maxDraws: 12,
  renameParameters: true,
};
const task = { taskId: 'T/1', prompt, entryPoint: 'pick' };

test('the rules rename sometimes, by seed; the strict default never does', () => {
  const renamed = variantsByRules(task, settings).flatMap(({ prompt: text }) =>
    text === null ? [] : [renamingOf(prompt, 'pick', text).size],
  );
  expect(renamed.length).toBe(24);
  expect(new Set(renamed)).toEqual(new Set([0, 1, 2]));
  expect(variantsByRules(task, settings)).toEqual(variantsByRules(task, settings));
  for (const { prompt: text } of variantsByRules(task, { ...settings, renameParameters: false }))
    expect(renamingOf(prompt, 'pick', text ?? prompt).size).toBe(0);
});

test('a rewriter is told which parameters may be renamed, and its names go into the signature', () => {
  const study = promptseStudy.parse({
    name: 's',
    kind: 'promptse',
    benchmark: 'b',
    settings: { rewriter: 'w', variants: 1, renameParameters: true },
  });
  const cell = { taskId: 'T/1', language: 'python', variant: 'd0.1-01', setting: 'default', repetition: 0 } as const;
  const state = { cell, task: { ...task, language: 'python' }, variant: null } as unknown as Parameters<
    typeof promptse.question
  >[1];
  const at = { step: 'rewrite', loop: 1, ask: 0, sample: 0 } as const;
  expect(promptse.question(study, state, at).messages[1]?.content).toContain('may have other names: values, limit.');
  const reply = {
    text:
      '<parameter from="values" to="numbers"/>\n<passage number="1">Well then, return the numbers that are below ' +
      'limit, sorted when reverse is True and joined to a word. Never change numbers themselves.</passage>',
  };
  const answer = { status: 'ok', reply } as unknown as ReturnType<Parameters<typeof settleByModel>[2]>;
  const [first] = settleByModel(task, { ...settings, variants: 1, maxDraws: 1 }, () => answer) as {
    prompt: string | null;
  }[];
  expect(first?.prompt).toContain('def pick(numbers: List[int], limit: int,');
  const [strict] = settleByModel(
    task,
    { ...settings, variants: 1, maxDraws: 1, renameParameters: false },
    () => answer,
  ) as {
    prompt: string | null;
  }[];
  expect(strict?.prompt).toBeNull();
});

test('sets of the looser rule have other names; those of the default keep theirs', () => {
  const study = (renameParameters: boolean) =>
    promptseStudy.parse({ name: 's', kind: 'promptse', benchmark: 'b', settings: { renameParameters } });
  expect(promptse.variants?.identity(study(true))).not.toEqual(promptse.variants?.identity(study(false)));
  expect(promptse.variants?.identity(study(false))).not.toHaveProperty('renameParameters');
});

const file = benchmarkFile('humaneval', 'HumanEval.jsonl.gz');
describe.skipIf(!file.isThere)(`HumanEval${file.note}`, () => {
  test('most tasks have a parameter that may be renamed, and all of their variants keep to the looser rule', () => {
    const tasks = gunzipSync(readFileSync(file.path))
      .toString('utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { task_id: string; prompt: string; entry_point: string });
    const able = tasks.filter(({ prompt: text, entry_point: name }) => renameable(text, name).length > 0);
    expect(able.length).toBeGreaterThan(80);
    for (const { prompt: text, entry_point: name } of able) {
      const renaming = new Map(renameable(text, name).map((old) => [old, `given_${old}`]));
      const variant = withRenamed(text, name, renaming);
      expect([...renamingOf(text, name, variant)]).toEqual([...renaming]);
      expect(checkVariant(originalOf(text, name, true), variant).violation).toBeNull();
    }
  });
});
