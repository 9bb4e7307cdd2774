/** RQ4 as tables. */
import type { ModelAffect } from '../../results/affect/model-affect.ts';
import type { StudyQuestions } from '../../results/questions/study-questions.ts';
import { count, estimatedNumber, estimatedShare } from '../../../../analysis/report/cells.ts';
import type { DataCell, DataTable } from '../../../../analysis/report/part.ts';
import type { AffectGroup } from '../../results/affect/affect.ts';
import { emotionDistanceTables } from './emotion-distance-tables.ts';
import { heatTable } from './heat-table.ts';
import { varianceTable } from './variance-table.ts';

export const affectTables = ({ affect, settings }: StudyQuestions): DataTable[] => [
  heatTable(affect),
  correctnessTable(affect),
  calibrationTable(affect, settings),
  varianceTable(affect),
  ...emotionDistanceTables(affect),
];

const correctnessTable = (affect: readonly ModelAffect[]): DataTable => ({
  title: 'Emotions and quadrants: correctness and elasticity',
  note:
    'Means over prompts, with 95 % intervals over tasks (Gaffke’s bounds). Δ pass: pass rate minus that of the ' +
    'task’s original. Elasticity, noise floor and excess are PromptSE’s. Quadrants are of valence and arousal; ' +
    `emotions with a value of 0 on either axis are in no quadrant: ${withoutQuadrant(affect)}.`,
  words: 3,
  heads: ['Model', 'Grouped by', 'Group', 'Prompts', 'Pass rate', 'Mean |Δ pass|', 'Elasticity', 'Floor', 'Excess'],
  rows: eachGroup(affect, ({ n, passRate, meanAbsoluteDelta, elasticity, floor, excess }) => [
    count(n),
    ...[passRate, meanAbsoluteDelta, elasticity, floor, excess].map((one) => estimatedNumber(one)),
  ]),
  folded: true,
});

const withoutQuadrant = (affect: readonly ModelAffect[]): string =>
  affect.length === 0 ? 'none' : `${Math.max(...affect.map((one) => one.withoutQuadrant))} variants per model`;

/** Only groups with log-probabilities. */
const calibrationTable = (
  affect: readonly ModelAffect[],
  { confidenceBins, highConfidence, lowConfidence }: StudyQuestions['settings'],
): DataTable => ({
  title: 'Emotions and quadrants: calibration',
  note:
    'Confidence of a sample: exp of its mean token log-probability. ECE (expected calibration error): over ' +
    `${confidenceBins} bins of equal width, with intervals from a bias-corrected bootstrap over tasks. All other ` +
    'intervals: Gaffke’s bounds over tasks (95 %). Tables calibration and calibration_bins hold all values. ' +
    'Overconfidence: mean confidence minus pass rate. Sure failures: failed samples with confidence of at least ' +
    `${highConfidence}; unsure successes: passed samples with confidence of at most ${lowConfidence}; “own”: ` +
    'with the model’s upper and lower quartile as limits. Shares are of all samples.',
  words: 3,
  heads: [
    ...['Model', 'Grouped by', 'Group', 'Samples', 'ECE', 'Overconfidence'],
    ...['Sure failures', 'Unsure successes', 'Sure failures, own', 'Unsure successes, own'],
  ],
  rows: eachGroup(affect, ({ calibration, overconfidence, ...of }) =>
    calibration === null
      ? undefined
      : [
          ...[count(calibration.n), estimatedNumber(calibration), estimatedNumber(overconfidence)],
          ...[of.sureFailures, of.unsureSuccesses, of.sureFailuresOwn, of.unsureSuccessesOwn].map(estimatedShare),
        ],
  ),
  folded: true,
});

const eachGroup = (
  affect: readonly ModelAffect[],
  cells: (group: AffectGroup) => DataCell[] | undefined,
): DataTable['rows'] =>
  affect.flatMap(({ model, groups }) =>
    groups.flatMap((group) => {
      const row = cells(group);
      return row === undefined ? [] : [[model, group.by, group.name, ...row]];
    }),
  );
