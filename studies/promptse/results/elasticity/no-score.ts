/** Why a task has no elasticity. */
import type { Row } from '../../../../schemas/tables.ts';
import { counted } from '../../../../domain/counted.ts';
import { numberOf, textOf } from '../../../../domain/metrics/row-order.ts';

/** What was judged of the prompts that lack a score. */
interface NoScore {
  readonly method: 'full' | 'light';
  /** Of table `prompt_scores`; undefined if the original was not sampled. */
  readonly baseline: Row | undefined;
  /** Rows of the variants at the distance. */
  readonly variants: readonly Row[];
  /** Whether the original has a score. */
  readonly hasScore: boolean;
  /** Why no log-probabilities were requested; null if they were. */
  readonly notAsked: string | null;
}

export function noScoreReason({ method, baseline, variants, hasScore, notAsked }: NoScore): string {
  if (baseline === undefined) return 'the original was not sampled';
  const [rows, of, otherwise] = hasScore
    ? ([variants, 'the variants', 'no variant has a score'] as const)
    : ([[baseline], 'the original', 'no sample of the original counts'] as const);
  return (method === 'full' ? withoutLogprobs(rows, of, notAsked) : null) ?? otherwise;
}

/** Null if every sample that counts has log-probabilities. */
function withoutLogprobs(rows: readonly Row[], of: string, notAsked: string | null): string | null {
  const without = sumOf(rows, 'n_without_logprobs');
  if (without === 0) return null;
  const rejected = sumOf(rows, 'n_rejected_logprobs');
  const samples = (count: number): string => `${counted(count, 'sample')} of ${of}`;
  const lacking = `${samples(without - rejected)} came without log-probabilities`;
  if (rejected === 0) return notAsked === null ? lacking : `log-probabilities were not requested: ${notAsked}`;
  const faulty = rows.find((row) => row['logprob_fault'] != null) as Row;
  const why = `the log-probabilities of ${samples(rejected)} were rejected: ${textOf(faulty, 'logprob_fault')}`;
  return rejected === without ? why : `${why}; ${lacking}`;
}

/** Tables of older programs lack the number of those rejected. */
const sumOf = (rows: readonly Row[], column: string): number =>
  rows.reduce((sum, row) => sum + (row[column] == null ? 0 : numberOf(row, column)), 0);
