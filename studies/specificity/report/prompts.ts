/** Prompt sets: counts and words by level, flagged and missing prompts, and some tasks in full. */
import { count, number } from '../../../analysis/report/cells.ts';
import { countText } from '../../../analysis/report/format.ts';
import { type DataTable, note, type Part, type Section, section, type Texts } from '../../../analysis/report/part.ts';
import type { PosetReview, SetSummary, SpecificityStudyReport } from './data.ts';

export const promptsPart = ({ sets, flagged, reviews }: SpecificityStudyReport): Section =>
  section('Prompts', [
    note(
      'Words are counted in the description; word limits are enforced. Equal texts of a task are asked once but ' +
        'count as separate draws.',
    ),
    setsTable(sets),
    flaggedPart(flagged),
    ...reviews.map(reviewPart),
    note(
      'Table variants has all prompts; “evenkeel export RUN --format variants” writes them to a file for the ' +
        'setting variantSet.',
    ),
  ]);

const setsTable = (sets: readonly SetSummary[]): DataTable => ({
  words: 1,
  heads: [
    ...['Augmentation', 'Level', 'Accepted', 'Flagged', 'Missing', 'Distinct texts'],
    ...['Words, mean', 'Words, minimum', 'Words, maximum'],
  ],
  rows: sets.map(({ augmentation, level, accepted, flagged, missing, distinct, words }) => [
    augmentation,
    number(level, digitsOf(level)),
    ...[accepted, flagged, missing].map(count),
    number(distinct, 0),
    number(words?.[0], 1),
    ...[words?.[1], words?.[2]].map((value) => number(value, 0)),
  ]),
});

/** Word limits are integers, ratios are not. */
const digitsOf = (level: number | null): number => String(level).split('.')[1]?.length ?? 0;

function flaggedPart(flagged: SpecificityStudyReport['flagged']): Part {
  if (flagged.length === 0) return note('No prompt is flagged or missing.');
  return {
    title: `${countText(flagged.length)} flagged or missing prompts to review`,
    words: 4,
    heads: ['Task', 'Prompt', 'Status', 'Reason'],
    rows: flagged.map(({ taskId, variant, status, reason }) => [taskId, variant, status, reason]),
    folded: true,
  };
}

/** A task's prompts, one below the other. */
const reviewPart = ({ taskId, prompts }: PosetReview): Section =>
  section(
    `${taskId}: ${prompts.length} prompts`,
    prompts.map(({ variant, words, prompt, reason }): Texts => {
      const extent = words === null ? '' : `, ${words} words`;
      return {
        kind: 'texts',
        texts: [{ title: `${variant}${extent}${reason === null ? '' : `: ${reason}`}`, text: prompt ?? 'missing' }],
      };
    }),
    { folded: true },
  );
