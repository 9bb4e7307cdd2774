/** The newest failed calls of a run, in words. */
import type { FailedCall } from '../../activities/storage/ledger/ledger-counts.ts';
import type { Ledger } from '../../activities/storage/ledger/ledger.ts';
import { plain } from '../output/terminal.ts';
import { durationText } from './progress-line.ts';

/** Reads them only when another call has failed since the last look: the newest may be far back in a long run. */
export function followFailures(
  most: number,
): (ledger: Pick<Ledger, 'latestFailures'>, failedCalls: number) => Promise<readonly FailedCall[]> {
  let [counted, latest]: [number, readonly FailedCall[]] = [0, []];
  return async (ledger, failedCalls) => {
    if (failedCalls !== counted) [counted, latest] = [failedCalls, shownOf(await ledger.latestFailures(most))];
    return latest;
  };
}

const failuresShown = 5;

function shownOf(failures: readonly FailedCall[]): FailedCall[] {
  const ofModels = new Set(newestByModel(failures));
  return failures.filter((failure, place) => place < failuresShown || ofModels.has(failure));
}

/** `8 s ago, gpt-4o (loops, generate): HTTP 503: the model is loading`. */
export function failureText({ study, model, answeringModel, step, reason, atMs }: FailedCall, nowMs: number): string {
  const asked = answeringModel === model ? [study, step] : [study, step, `for ${model}`];
  const ago = durationText(Math.max(0, nowMs - atMs));
  return plain(`${ago} ago, ${answeringModel} (${asked.join(', ')}): ${reason}`);
}

/** The newest failure of each model that was asked. @param failures newest first */
export const newestByModel = (failures: readonly FailedCall[]): FailedCall[] =>
  [...Map.groupBy(failures, ({ answeringModel }) => answeringModel).values()].flatMap(([newest]) => newest ?? []);
