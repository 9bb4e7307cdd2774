/** RQ4 as tables. */
import type { AffectGroup } from '../../../domain/metrics/promptse/affect.ts';
import type { EmotionDistance } from '../../../domain/metrics/promptse/emotion-distances.ts';
import { distanceMethod } from '../../../domain/statistics/distance-interval.ts';
import type { Interval } from '../../../domain/statistics/interval.ts';
import type { AddedVariance } from '../../../domain/statistics/added-variance.ts';
import type { ModelAffect } from '../../promptse/affect.ts';
import type { StudyQuestions } from '../../promptse-questions.ts';
import type { DataCell, DataTable } from '../data-table.ts';
import { count, estimate, number, probability, range, shadeAmong, shareEstimate, withRange } from './cells.ts';

export function affectTables({ affect, settings }: StudyQuestions): DataTable[] {
  const { confidenceBins, highConfidence, lowConfidence } = settings;
  return [
    heatTable(affect),
    {
      title: 'Emotions and quadrants: correctness and elasticity',
      note: `Over prompts, with 95 % intervals over tasks (Gaffke’s bounds). Δ pass is to the task’s original; elasticity is PromptSE’s, beside its noise floor and the excess over it. An emotion on an axis is in no quadrant: ${withoutQuadrant(affect)}.`,
      words: 3,
      heads: [
        'Model',
        'Of',
        'Group',
        'Prompts',
        'Pass rate',
        '95 %',
        'Mean |Δ pass|',
        '95 %',
        'Elasticity',
        '95 %',
        'Floor',
        '95 %',
        'Excess',
        '95 %',
      ],
      rows: eachGroup(affect, (row) => [
        count(row.n),
        ...[row.passRate, row.meanAbsoluteDelta, row.elasticity, row.floor, row.excess].flatMap(estimate),
      ]),
      folded: true,
    },
    {
      title: 'Emotions and quadrants: calibration',
      note: `Confidence of a sample is exp of its mean token log-probability. ECE over ${confidenceBins} bins of equal width, with a bootstrap over tasks less its bias; all else with Gaffke’s bounds over tasks (95 %). All of it is in table calibration, the bins in calibration_bins. Overconfidence: mean confidence minus pass rate. Sure failures have a confidence of at least ${highConfidence}, unsure successes of at most ${lowConfidence}; “own”: at the model’s upper and lower quartile. Shares are of all samples.`,
      words: 3,
      heads: [
        'Model',
        'Of',
        'Group',
        'Samples',
        'ECE',
        '95 %',
        'Overconfidence',
        '95 %',
        ...['Sure failures', 'Unsure successes', 'Sure failures, own', 'Unsure successes, own'].flatMap((head) => [head, '95 %']),
      ],
      rows: eachGroup(affect, (row) =>
        row.calibration === null
          ? undefined
          : [
              count(row.calibration.n),
              ...estimate(row.calibration),
              ...estimate(row.overconfidence),
              ...[row.sureFailures, row.unsureSuccesses, row.sureFailuresOwn, row.unsureSuccessesOwn].flatMap(shareEstimate),
            ],
      ),
      folded: true,
    },
    varianceTable(affect),
    distancesTable(
      'Confidence: distances between emotions',
      'samples’ confidences',
      affect,
      ({ confidenceDistances }) => confidenceDistances,
    ),
    distancesTable('Δ pass: distances between emotions', 'prompts’ Δ pass', affect, ({ deltaDistances }) => deltaDistances),
  ];
}

const withoutQuadrant = (affect: readonly ModelAffect[]): string =>
  affect.length === 0 ? 'none' : `${Math.max(...affect.map((one) => one.withoutQuadrant))} variants per model`;

const eachGroup = (affect: readonly ModelAffect[], cells: (group: AffectGroup) => DataCell[] | undefined): DataTable['rows'] =>
  affect.flatMap(({ model, groups }) =>
    groups.flatMap((group) => {
      const row = cells(group);
      return row === undefined ? [] : [[model, group.by, group.name, ...row]];
    }),
  );

/** Figure 3b. */
function heatTable(affect: readonly ModelAffect[]): DataTable {
  const rows = affect.map(({ model, groups }) => ({ model, groups: groups.filter(({ by }) => by === 'original' || by === 'emotion') }));
  const names = [...new Set(rows.flatMap(({ groups }) => groups.map(({ name }) => name)))];
  const errorOf = ({ groups }: (typeof rows)[number], name: string) => groups.find((group) => group.name === name)?.calibration ?? null;
  const calibrated = (row: (typeof rows)[number], name: string): number | null => {
    const error = errorOf(row, name);
    return error === null ? null : 1 - error.value;
  };
  const around = (row: (typeof rows)[number], name: string): Interval | null => {
    const interval = errorOf(row, name)?.interval ?? null;
    return interval && { lo: 1 - interval.hi, hi: 1 - interval.lo };
  };
  const known = rows.filter((row) => names.some((name) => calibrated(row, name) !== null));
  const shade = shadeAmong(known.flatMap((row) => names.map((name) => calibrated(row, name))));
  return {
    title: '1 − ECE by model and emotion',
    note: 'Stronger colour: better calibrated; in brackets the 95 % interval (bootstrap over tasks less its bias; samples and tasks are in table calibration). Models without log-probabilities have none.',
    words: 1,
    heads: ['Model', ...names],
    rows: known.map((row) => [
      row.model,
      ...names.map((name) => ({ ...withRange(calibrated(row, name), around(row, name)), shade: shade(calibrated(row, name)) })),
    ]),
  };
}

function varianceTable(affect: readonly ModelAffect[]): DataTable {
  return {
    title: 'What valence and arousal add to the controls',
    note: 'Per model, least squares over variants. Controls: words, measured edit distance, share of technical terms, distance. Then valence and arousal: change of R², partial F (for independent variants), and their coefficients with errors that allow for dependence within a task. R² and its change say how well these variants are fitted, and have no interval: what is known beyond them is in the coefficients’.',
    words: 2,
    heads: ['Model', 'Outcome', 'Variants', 'Tasks', 'R², controls', 'Δ R²', 'F', 'p', 'Valence', '95 %', 'Arousal', '95 %'],
    rows: affect.flatMap(({ model, variance }) => [
      ...varianceRow(model, 'SoftExec − original’s', variance.softDelta),
      ...varianceRow(model, '|confidence − passed|', variance.gap),
    ]),
  };
}

function varianceRow(model: string, outcome: string, found: AddedVariance): DataTable['rows'][number][] {
  if (found.reason !== null)
    return found.n === 0 ? [] : [[model, `${outcome}: ${found.reason}`, count(found.n), ...Array.from({ length: 9 }, () => number(null))]];
  const { n, clusters, r2Controls, deltaR2, f, effects } = found;
  const effect = (name: string): DataCell[] => {
    const own = effects.find((one) => one.name === name);
    return [number(own?.coefficient, 4), range(own?.interval, 4)];
  };
  return [
    [
      ...[model, outcome],
      ...[count(n), count(clusters), number(r2Controls), number(deltaR2, 4), number(f?.statistic ?? null), probability(f?.p ?? null)],
      ...effect('valence'),
      ...effect('arousal'),
    ],
  ];
}

const distancesTable = (
  title: string,
  what: string,
  affect: readonly ModelAffect[],
  of: (one: ModelAffect) => readonly EmotionDistance[],
): DataTable => ({
  title,
  note: `Kolmogorov and Smirnov’s D of ${what}, with a 95 % interval (${distanceMethod}); p corrected after Benjamini and Hochberg within a model. Values of one task depend on one another, so p is too small where it matters: read D and its interval.`,
  words: 3,
  heads: ['Model', 'Emotion', 'Emotion', 'n', 'Tasks', 'D', '95 %', 'p, corrected'],
  rows: affect.flatMap((one) =>
    of(one).map(({ emotions, test, tasks, interval, corrected }) => [
      one.model,
      ...emotions,
      ...[count(test.n), count(tasks), number(test.statistic), range(interval), probability(corrected)],
    ]),
  ),
  folded: true,
});
