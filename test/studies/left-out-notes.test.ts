/** What comparisons say of metrics that they leave out because runs have other settings. */
import { expect, test } from 'vitest';
import type { Side } from '../../analysis/gate/compared.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { specSchema } from '../../schemas/spec.ts';
import { leftOutNotes } from '../../studies/across/run-notes.ts';
import { resultsOfKind } from '../../studies/results.ts';

const kinds = { evaloop: {}, 'evaloop-translation': { through: ['ruby'] } };
const benchmark = { format: 'evenkeel', path: 'tiny.jsonl' };

/** Of runs `old` and `new`. */
function notesOf(kind: keyof typeof kinds, ...settings: readonly [object, object]): string[] {
  const [old, now] = settings.map((own, place): Side => {
    const spec = specSchema.parse({
      name: 'runs',
      models: ['m', 'sim', 'other'].map((id) => ({ id, provider: 'simulated' })),
      benchmarks: { python: benchmark, ruby: benchmark },
      studies: [{ name: 's', kind, benchmark: 'python', models: ['m'], settings: { ...kinds[kind], ...own } }],
    });
    const study = spec.studies[0] as (typeof spec.studies)[number];
    const manifest = { runId: ['old', 'new'][place], spec } as Manifest;
    return { manifest, study, model: 'm' };
  });
  const { neededSettings: all = [] } = resultsOfKind(kind);
  return leftOutNotes((old as Side).study, [old as Side, now as Side], { all });
}
const leftOut = (names: string, differing: string, same: string): string =>
  `study s: ${names} left out, because the value depends on settings that differ (${differing}); to compare it, run ` +
  `both with the same ${same}`;

test('EVALOOP: another M leaves both ASLs out, another judge only the one that it weighs', () => {
  expect(notesOf('evaloop', { maxLoops: 5, judge: 'sim' }, { maxLoops: 5, judge: 'sim' })).toEqual([]);
  expect(notesOf('evaloop', { maxLoops: 5, judge: 'none' }, { maxLoops: 5, judge: 'sim' })).toEqual([]);
  const loops = leftOut('asl, asl_unweighted', 'maxLoops 5 in run old; maxLoops 10 in run new', 'maxLoops');
  const judge = leftOut('asl', 'judge sim in run old; judge other at temperature 0.5 in run new', 'judge');
  const panel = { models: ['other'], repeats: 1, temperature: 0.5 };
  expect(notesOf('evaloop', { maxLoops: 5, judge: 'sim' }, { maxLoops: 10, judge: 'sim' })).toEqual([loops]);
  expect(notesOf('evaloop', { maxLoops: 5, judge: 'sim' }, { maxLoops: 10, judge: panel })).toEqual([loops, judge]);
});

test('translation chains: any other setting leaves the score out', () => {
  expect(notesOf('evaloop-translation', {}, {})).toEqual([]);
  const differing = 'scoring counts, temperature 0 in run old; scoring squares, temperature 0.2 in run new';
  expect(notesOf('evaloop-translation', { scoring: 'counts' }, { temperature: 0.2 })).toEqual([
    leftOut('chain_score', differing, 'scoring and temperature'),
  ]);
});
