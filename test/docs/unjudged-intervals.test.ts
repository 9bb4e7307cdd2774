/** What docs/cards.md says of intervals and answers that could not be judged, held against the tables' own code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aslRows } from '../../domain/metrics/asl-rows.ts';
import type { Row } from '../../schemas/tables.ts';
import { chainScoreRows } from '../../studies/chain/results/rows.ts';
import { collectPassGroups } from '../../studies/pass/results/counts.ts';
import { passAtKRows } from '../../studies/pass/results/rows.ts';

const cell = (task: string): Row => ({
  ...{ run: 'r', study: 's', model: 'm', benchmark: 'b', task_id: task, language: 'python', variant: 'original' },
  ...{ setting: 'default', repetition: 0, simulated: false },
});
const ended = (isJudged: boolean): Row => ({ ended_by: isJudged ? 'code_failed' : 'excluded', ended_outcome: null });

/** By table, the interval of pass@1 over these tasks: none passes. */
const intervals: Readonly<Record<string, (tasks: ReadonlyMap<string, boolean>) => Row | undefined>> = {
  asl: (tasks) =>
    aslRows(
      [...tasks].map(([task, isJudged]) => ({
        ...{ ...cell(task), ...ended(isJudged), sustained_loops: 0, similarity: null, similarity_reason: null },
      })),
      { maxLoops: 2, judge: null },
    )[0],
  chain_scores: (tasks) =>
    chainScoreRows(
      [...tasks].map(([task, isJudged]) => ({
        ...{ ...cell(task), ...ended(isJudged), steps: 2, sustained_steps: 0, passed_steps: 0, ended_language: null },
      })),
      [],
      { scoring: 'squares' },
    )[0],
  pass_at_k: (tasks) => {
    const collector = collectPassGroups();
    for (const [task, isJudged] of tasks) {
      const counts = { n_samples: Number(isJudged), n_passed: 0, n_excluded: Number(!isJudged) };
      collector.add([{ ...cell(task), suite: 'all suites', ...counts }]);
    }
    return passAtKRows(collector.groups()[0] as Parameters<typeof passAtKRows>[0], [1])[0];
  },
};

const highest = (row: Row | undefined): number => Number(row?.['pass_at_1_hi'] ?? row?.['pass_at_k_hi']);
const judged = Array.from({ length: 9 }, (_, place) => [`T/${place}`, true] as const);

// Red before: "The study's own table has the interval of the judged tasks alone", while table `asl` has more.
test('docs/cards.md names the tables whose pass@1 holds what unjudged answers allow, and the others do not', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/cards.md'), 'utf8').replaceAll(/\s+/g, ' ');
  const [, exceptions = ''] = /intervals of the judged tasks alone(.*?)On a card/.exec(page) ?? [];
  const named = Object.keys(intervals).filter((table) => exceptions.includes(`\`${table}\``));
  const wider = Object.entries(intervals).flatMap(([table, intervalOf]) => {
    const alone = highest(intervalOf(new Map(judged)));
    // Clopper-Pearson, none of 9: 1 - 0.025^(1/9).
    expect([table, alone]).toEqual([table, expect.closeTo(1 - 0.025 ** (1 / 9), 3)]);
    return highest(intervalOf(new Map([...judged, ['T/9', false]]))) > alone ? [table] : [];
  });
  expect(wider).toEqual(named);
  expect(wider).toEqual(['asl', 'chain_scores']);
});
