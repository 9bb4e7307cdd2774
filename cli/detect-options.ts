/** The options of `power` and of `plan --detect`. */
import { InputError } from '../domain/errors.ts';
import { type AnswerSpread, statedSpread } from '../domain/statistics/power/answer-spread.ts';
import type { PowerQuestion } from '../domain/statistics/power/advice.ts';

export interface DetectOptions {
  readonly detect: string;
  readonly power: string;
  readonly confidence: string;
  readonly comparisons: string;
  readonly between?: string;
  readonly within?: string;
  readonly correlation?: string;
}

export function powerQuestion({ detect, power, confidence, comparisons }: DetectOptions): PowerQuestion {
  const points = numberIn(detect, '--detect', { above: 0, below: 100 }, 'percentage points');
  return {
    difference: points / 100,
    power: numberIn(power, '--power', { above: 0, below: 1 }, 'a share such as 0.8'),
    alpha:
      (1 - numberIn(confidence, '--confidence', { above: 0.5, below: 1 }, 'a share such as 0.95')) /
      wholeNumberOf(comparisons, '--comparisons'),
  };
}

export function wholeNumberOf(text: string, field: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1 && value <= mostCounted) return value;
  throw new InputError(`must be a whole number from 1 to ${mostCounted}, got "${text}"`, { field });
}
const mostCounted = 1_000_000;

function numberIn(
  text: string,
  field: string,
  { above, below }: { readonly above: number; readonly below: number },
  what: string,
): number {
  const value = Number(text);
  if (text.trim() !== '' && value > above && value < below) return value;
  throw new InputError(`must be ${what}, above ${above} and below ${below}; got "${text}"`, { field });
}

/** The most that answers of 0 and 1 can vary. */
const mostVariance = 0.25;

/** Null if nothing is stated. Throws InputError if only some of it is, or it is impossible. */
export function statedVariances({ between, within, correlation }: DetectOptions): AnswerSpread | null {
  if (between === undefined && within === undefined && correlation === undefined) return null;
  if (between === undefined || within === undefined || correlation === undefined)
    throw new InputError('--between, --within and --correlation must be given together');
  const parts = [variance(between, '--between'), variance(within, '--within')] as const;
  if (parts[0] + parts[1] > mostVariance + 1e-9)
    throw new InputError(
      `--between and --within add up to ${parts[0] + parts[1]}; for answers that pass or fail, the sum is p (1 - p) ` +
        `for a pass rate p, ${mostVariance} at most`,
    );
  if (parts[0] + parts[1] === 0) throw new InputError('--between and --within cannot both be 0: nothing would vary');
  const r = Number(correlation);
  if (correlation.trim() === '' || !(r >= -1 && r <= 1))
    throw new InputError(`must be from -1 to 1, got "${correlation}"`, { field: '--correlation' });
  return statedSpread(...parts, r);
}

function variance(text: string, field: string): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= mostVariance) return value;
  throw new InputError(`must be a variance from 0 to ${mostVariance}, got "${text}"`, { field });
}
