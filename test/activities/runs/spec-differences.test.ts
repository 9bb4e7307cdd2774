import { expect, test } from 'vitest';
import { specDifferences } from '../../../activities/runs/spec-differences.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import type { Spec } from '../../../schemas/spec.ts';
import type { Task } from '../../../schemas/task.ts';

const base = {
  name: 'n',
  seed: 1,
  providers: { x: { kind: 'openai', baseUrl: 'https://h/v1', limits: { concurrency: 4 } } },
  models: [{ id: 'a', provider: 'x' }],
  benchmarks: { b: { format: 'evenkeel', path: 'p' } },
  studies: [{ name: 'loops', kind: 'evaloop', benchmark: 'b', repetitions: 2 }],
};
const spec = (change: (draft: typeof base) => object = (draft) => draft): Spec =>
  parseSpec(JSON.stringify(change(structuredClone(base))), 's.json');
const tasks = (...records: readonly (readonly [string, string])[]): Map<string, Task[]> =>
  tasksWith(['base'], ...records);
const tasksWith = (
  names: readonly string[],
  ...records: readonly (readonly [string, string])[]
): Map<string, Task[]> => {
  const suites = names.map((name) => ({ name }));
  return new Map([
    ['b', records.map(([taskId, recordSha256]) => ({ taskId, recordSha256, suites }) as unknown as Task)],
  ]);
};
const two = tasks(['1', 'x'], ['2', 'y']);

test('additions are no differences: models, studies, repetitions, tasks, limits, budget', () => {
  const larger = spec((draft) => ({
    ...draft,
    budget: { usd: 3 },
    providers: { x: { ...draft.providers.x, limits: { concurrency: 32 } } },
    models: [...draft.models, { id: 'b', provider: 'simulated' }],
    studies: [
      { ...draft.studies[0], repetitions: 5 },
      { name: 'more', kind: 'evaloop', benchmark: 'b' },
    ],
  }));
  expect(specDifferences(spec(), two, larger, tasks(['2', 'y'], ['3', 'z'], ['1', 'x']))).toEqual([]);
});

test('more attacks, draws, summary prompts, temperatures or sampled runs are additions; fewer are differences', () => {
  const asked = (settings: object): Spec =>
    spec((draft) => ({ ...draft, studies: [{ ...draft.studies[0], settings }] }));
  const few = { attacks: ['case', 'typos'], summaryPrompts: ['case'], temperatures: [0.2], sampledRuns: 1 };
  const known = {
    attacks: ['typos', 'case', 'structure'],
    attackDraws: 2,
    summaryPrompts: ['simple', 'case'],
    temperatures: [0.4, 0.2],
    sampledRuns: 5,
  };
  expect(specDifferences(spec(), two, asked(few), two)).toEqual([]);
  expect(specDifferences(asked(few), two, asked(known), two)).toEqual([]);
  expect(specDifferences(asked(known), two, asked(few), two)).toEqual([
    'study loops: attack typos-2 is no longer in the spec',
    'study loops: attack structure is no longer in the spec',
    'study loops: summary prompt simple is no longer in the spec',
    'study loops: temperature 0.4 is no longer in the spec',
    'study loops: 5 sampled runs in the run, 1 in the spec',
  ]);
  expect(specDifferences(asked(few), two, asked({ ...few, attackSeed: 3 }), two)).toHaveLength(1);
});

// Red before: both models as JSON, and no word of what to do.
test('more repetitions are refused where a workflow would improve other answers', () => {
  const asked = (repetitions: number): Spec =>
    spec((draft) => ({
      ...draft,
      studies: [
        {
          ...{ name: 'flows', kind: 'robunfr-workflows', benchmark: 'b', repetitions },
          settings: { dimensions: [{ name: 'short', phrasings: ['Be brief', 'Be short'] }] },
        },
      ],
    }));
  expect(specDifferences(asked(1), two, asked(2), two)).toEqual([
    'study flows: 1 repetition in the run, 2 in the spec: nfr-enhanced would improve other answers (short-02); ' +
      'repetitions can be raised only where there were as many as phrasings',
  ]);
  expect(specDifferences(asked(2), two, asked(3), two)).toEqual([]);
});

test('another price is said in words, with what to do', () => {
  const at = (price?: object): Spec => spec((draft) => ({ ...draft, models: [{ ...draft.models[0], price }] }));
  const cheap = { inputUsdPerMillion: 1, outputUsdPerMillion: 4 };
  const keep = 'A run keeps the price that its calls were charged at: write the old one to go on with this run';
  expect(specDifferences(at(cheap), two, at({ ...cheap, outputUsdPerMillion: 5 }), two)).toEqual([
    `model a: another price: output tokens $4 per million in the run, $5 per million in the spec. ${keep}`,
  ]);
  expect(specDifferences(at(), two, at(cheap), two)).toEqual([
    'model a: another price: input tokens at the price list in the run, $1 per million in the spec; ' +
      `output tokens at the price list in the run, $4 per million in the spec. ${keep}`,
  ]);
  expect(specDifferences(at(cheap), two, at({ ...cheap, outputUsdPerMillion: 5 }), two, new Set(['a']))).toEqual([]);
});

const changes: readonly (readonly [string, (draft: typeof base) => object, RegExp])[] = [
  ['the seed', (draft) => ({ ...draft, seed: 2 }), /^seed: 1 in the run, 2 in the spec$/],
  ['a model', (draft) => ({ ...draft, models: [{ id: 'a', provider: 'x', model: 'other' }] }), /^model a: /],
  [
    'a model left out',
    (draft) => ({ ...draft, models: [{ id: 'c', provider: 'x' }] }),
    /^model a is in the run and not in the spec$/,
  ],
  [
    'an endpoint',
    (draft) => ({ ...draft, providers: { x: { kind: 'openai', baseUrl: 'https://other/v1' } } }),
    /^provider x: /,
  ],
  [
    'a setting',
    (draft) => ({ ...draft, studies: [{ ...draft.studies[0], settings: { maxLoops: 3 } }] }),
    /^study loops: /,
  ],
  [
    'fewer repetitions',
    (draft) => ({ ...draft, studies: [{ ...draft.studies[0], repetitions: 1 }] }),
    /2 repetitions in the run, 1 in the spec/,
  ],
];

test.each(changes)('%s is a difference', (_name, change, line) => {
  const found = specDifferences(spec(), two, spec(change), two);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(line);
});

test('tasks that are missing or altered are counted', () => {
  expect(specDifferences(spec(), two, spec(), tasks(['2', 'changed']))).toEqual([
    'benchmark b: the spec no longer selects 1 task of the run',
    'benchmark b: 1 task changed (file, suites or driver)',
  ]);
});

test('how many answers a request asks for may change at any time', () => {
  const shared = (samplesPerRequest: number) =>
    spec((draft) => ({
      ...draft,
      models: [{ id: 'a', provider: 'x', samplesPerRequest, parameters: { seed: null } }],
    }));
  const alone = spec((draft) => ({ ...draft, models: [{ id: 'a', provider: 'x', parameters: { seed: null } }] }));
  expect(specDifferences(shared(8), two, shared(2), two)).toEqual([]);
  expect(specDifferences(alone, two, shared(8), two)).toEqual([]);
  expect(specDifferences(shared(8), two, alone, two)).toEqual([]);
});

test("a model's request may change before its first answer; its provider may not", () => {
  const asked = spec((draft) => ({
    ...draft,
    models: [{ id: 'a', provider: 'x', model: 'm', parameters: { temperature: null } }],
  }));
  expect(specDifferences(spec(), two, asked, two, new Set(['a']))).toEqual([]);
  expect(specDifferences(spec(), two, asked, two, new Set(['b']))).toHaveLength(1);
  const elsewhere = spec((draft) => ({ ...draft, models: [{ id: 'a', provider: 'simulated' }] }));
  expect(specDifferences(spec(), two, elsewhere, two, new Set(['a']))).toHaveLength(1);
});

// Red before: the message of the stopped model asked for another baseUrl, and the run refused it.
test('the address of an account may change until one of its models has answered', () => {
  const wrong = spec((draft) => ({ ...draft, models: [...draft.models, { id: 'b', provider: 'x' }] }));
  const right = (more: object): Spec =>
    spec((draft) => ({
      ...draft,
      providers: { x: { ...draft.providers.x, ...more } },
      models: [...draft.models, { id: 'b', provider: 'x' }],
    }));
  const moved = right({ baseUrl: 'https://other/v1', api: 'responses' });
  expect(specDifferences(wrong, two, moved, two, new Set(['a', 'b']))).toEqual([]);
  expect(specDifferences(wrong, two, moved, two, new Set(['a']))).toHaveLength(1);
  const simulated = right({ kind: 'simulator' });
  expect(specDifferences(wrong, two, simulated, two, new Set(['a', 'b']))).toHaveLength(1);
});

// Red before: the run went on, and each suite's score was over other tasks.
test('other suites of the same records are a difference', () => {
  const again = '; evenkeel rescore RUN --suites NAMES judges the replies again';
  const both = tasksWith(['base', 'plus'], ['1', 'x'], ['2', 'y']);
  const only = tasksWith(['base'], ['1', 'x'], ['2', 'y'], ['3', 'z']);
  expect(
    specDifferences(spec(), only, spec(), tasksWith(['base', 'plus'], ['1', 'x'], ['2', 'y'], ['3', 'z'])),
  ).toEqual([`benchmark b: suites base in the run, base, plus in the spec${again}`]);
  expect(specDifferences(spec(), both, spec(), only)).toEqual([
    `benchmark b: suites base, plus in the run, base in the spec${again}`,
  ]);
});

// Red before: a study without a list of models could lose one, and one with a list could not.
test('a study keeps its models, listed or not', () => {
  const twoModels = (models?: readonly string[]) =>
    spec((draft) => ({
      ...draft,
      models: [...draft.models, { id: 'b', provider: 'x' }],
      studies: [{ ...draft.studies[0], ...(models && { models }) }],
    }));
  const lost = ['study loops: model b is no longer listed'];
  expect(specDifferences(twoModels(), two, twoModels(['a']), two)).toEqual(lost);
  expect(specDifferences(twoModels(['a', 'b']), two, twoModels(['a']), two)).toEqual(lost);
  expect(specDifferences(twoModels(['b', 'a']), two, twoModels(), two)).toEqual([]);
  expect(specDifferences(twoModels(['a']), two, twoModels(['b', 'a']), two)).toEqual([]);
});
