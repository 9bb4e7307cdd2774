/** For specs drawn at random: an extension is refused with words, or plans what a new run of the larger spec plans. */
import { expect, test } from 'vitest';
import { deeperStudies, specDifferences } from '../../../activities/runs/spec-differences.ts';
import { seedOf, uniform } from '../../../domain/random.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import type { PlanRevision } from '../../../schemas/plan.ts';
import type { Spec } from '../../../schemas/spec.ts';
import type { Task } from '../../../schemas/task.ts';
import { pagesOf, planRevision } from '../../../studies/plan.ts';

interface Draw {
  upTo(most: number): number;
  some<T>(all: readonly T[]): T[];
  one<T>(all: readonly [T, ...T[]]): T;
}

/** @param isLarger draws more, so that about half of the pairs are extensions */
function drawn(seed: number, isLarger: boolean): Draw {
  const next = uniform(seedOf('extended plans', seed, String(isLarger)));
  const random = isLarger ? () => Math.max(next(), next(), next()) : () => Math.min(next(), next());
  const upTo = (most: number): number => 1 + Math.floor(random() * most);
  return {
    upTo,
    some: (all) => all.filter(() => random() > 0.5),
    one: (all) => all[upTo(all.length) - 1] ?? all[0],
  };
}

const dimensions = [
  { name: 'short', phrasings: ['Write short code', 'Write little code', 'Be brief'] },
  { name: 'safe', phrasings: ['Guard against hostile input'] },
];
const models = ['a', 'b', 'c'];

/** A study of each kind that needs no container, by the values that the draw gives to its additive settings. */
const studies = ({ upTo, some, one }: Draw): readonly (readonly [kind: string, settings: object])[] => [
  ['pass', { samples: upTo(3), temperatures: [...some([0, 0.5]), 0.8], ks: [1] }],
  [
    'evaloop',
    {
      ...{ maxLoops: upTo(3), judge: 'c', attacks: some(['case', 'typos']), attackDraws: upTo(2) },
      ...{ temperatures: some([0.5, 1]), sampledRuns: upTo(3) - 1, summaryPrompts: some(['simple', 'detailed']) },
    },
  ],
  ['promptse', { variants: 1, samples: upTo(3), rewriter: one(['c', 'rules', 'c']) }],
  ['robunfr-prompts', { dimensions }],
  ['robunfr-workflows', { dimensions }],
  ['robunfr-regression', { dimensions, pairs: [['a', 'b']] }],
  ['specificity', { wordLimits: [10], ratios: [0.5], maskRatios: [0.5], draws: upTo(2) }],
];

const kinds = 7;

/** With one kind of study: most pairs of all kinds at once differ in one that refuses. */
function specOf(draw: Draw, at: number): Spec {
  const { upTo, some, one } = draw;
  const wanted = [...new Set(['a', 'b', ...some(models)])];
  return parseSpec(
    JSON.stringify({
      ...{ name: 'n', benchmarks: { t: { format: 'evenkeel', path: 'p' } } },
      models: models.map((id) => ({ id, provider: 'simulated', ...(!wanted.includes(id) && { study: false }) })),
      studies: studies(draw)
        .slice(at, at + 1)
        .map(([kind, settings]) => ({
          ...{ name: kind, kind, benchmark: 't', repetitions: upTo(3), settings },
          ...(one([true, false]) && { models: wanted }),
        })),
    }),
    's.json',
  );
}

const tasks = (count: number): Map<string, Task[]> => {
  const records = Array.from({ length: count }, (_, number) => ({
    ...{ taskId: `T/${number}`, language: 'python', recordSha256: `${number}`, suites: [] },
  }));
  return new Map([['t', records as unknown as Task[]]]);
};

const cellsIn = (revisions: readonly (PlanRevision | null)[]): string[] =>
  pagesOf(revisions.filter((one) => one !== null))
    .flatMap(({ page: { study, model, phase, cells } }) =>
      cells.map(({ taskId, language, variant, setting, repetition }) =>
        JSON.stringify([study, model, phase, taskId, language, variant, setting, repetition]),
      ),
    )
    .sort();

// Red before: a run of robunfr-workflows with more repetitions kept improvements that its spec no longer had.
test('an extended plan has the cells of a new one', () => {
  const extended = new Map<string, number>();
  for (let seed = 0; seed < 350; seed += 1) {
    const [few, more] = [drawn(seed, false), drawn(seed, true)];
    const at = seed % kinds;
    const [old, now] = [specOf(few, at), specOf(more, at)];
    const [oldTasks, nowTasks] = [tasks(few.upTo(3)), tasks(more.upTo(3))];
    if (specDifferences(old, oldTasks, now, nowTasks).length > 0) continue;
    const first = planRevision(old, oldTasks, []);
    const next = planRevision(now, nowTasks, first === null ? [] : [first], {}, deeperStudies(old, now));
    expect([seed, cellsIn([first, next])]).toEqual([seed, cellsIn([planRevision(now, nowTasks, [])])]);
    const kind = now.studies[0]?.kind ?? '';
    extended.set(kind, (extended.get(kind) ?? 0) + 1);
  }
  expect(Math.min(...extended.values())).toBeGreaterThan(1);
  expect(extended.size).toBe(kinds);
});
