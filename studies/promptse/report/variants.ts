/** The variants of a study: counts, measured distances, and some variants for a person to review. */
import { count, number } from '../../../analysis/report/cells.ts';
import { type DataTable, note, type Section, section } from '../../../analysis/report/part.ts';
import type { ReviewedVariant, VariantReview, VariantSetSummary } from './data.ts';
import { markedWords } from './marked-words.ts';

export const variantsSection = (sets: readonly VariantSetSummary[], reviews: readonly VariantReview[]): Section =>
  section('Variants', [setsTable(sets), reviewSection(reviews)]);

const setsTable = (sets: readonly VariantSetSummary[]): DataTable => ({
  note:
    'Measured distance: words to change in the original’s natural-language passages, divided by the words of the ' +
    'longer text. Draws: mean number of drafts per variant.',
  words: 3,
  heads: [
    ...['Study', 'Rewriter', 'Templates', 'Intended distance', 'Accepted', 'Missing', 'Draws'],
    ...[{ text: 'Measured distance', under: 'mean' }, 'minimum', 'maximum'],
    { text: 'Most frequent reason for missing', words: true },
  ],
  rows: sets.map(({ study, rewriter, templateVersion, distance, accepted, missing, attempts, measured, reason }) => [
    ...[study, rewriter, templateVersion, { text: String(distance), value: distance }],
    ...[count(accepted), count(missing), number(attempts, 2)],
    ...[number(measured?.[0]), number(measured?.[1]), number(measured?.[2]), reason ?? ''],
  ]),
});

/** Variants with the differing words marked, for a person to review. */
const reviewSection = (reviews: readonly VariantReview[]): Section =>
  section(
    'Variants to review',
    reviews.length === 0
      ? []
      : [
          note(
            'All variants of some tasks; words that the original does not have are marked. Code, examples and rules ' +
              'around the passages are the same in every variant. Table variants holds all variants, and “evenkeel ' +
              'export RUN --format variants” writes them to a file.',
          ),
          ...reviews.map(taskSection),
        ],
    { id: 'variants', pageOnly: true },
  );

const taskSection = ({ study, taskId, prompt, passages, variants }: VariantReview): Section =>
  section(
    `${taskId} (study ${study}), ${variants.length} variants`,
    [
      { kind: 'texts', texts: [{ text: prompt.trim() }] },
      {
        words: 2,
        heads: [
          'Variant',
          'Style',
          'Measured',
          { text: 'Original passages', words: true },
          { text: 'Variant’s passages', words: true },
        ],
        rows: variants.map((variant) => reviewRow(passages, variant)),
      },
    ],
    { folded: true },
  );

const reviewRow = (
  original: string,
  { variant, emotion, personality, editDistance, passages, reason }: ReviewedVariant,
) => [
  variant,
  { text: emotion ?? '', under: [personality] },
  number(editDistance),
  original,
  passages === null ? `missing: ${reason ?? ''}` : { text: passages, pieces: markedWords(original, passages) },
];
