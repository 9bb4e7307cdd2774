/** What a report says of answers that could not be judged. */
import { counted } from '../counted.ts';
import type { GateCheck } from './evaluate.ts';

/** Null if there are none. */
export function unjudgedText({ unjudged, unjudgedFail }: GateCheck): string | null {
  if (unjudged === undefined) return null;
  const { old, now, hasUnasked, isPartial } = unjudged;
  const sides = [
    ...(now === 0 ? [] : [`of the new version to ${counted(now, 'task')}`]),
    ...(old === 0 ? [] : [`of the old version to ${counted(old, 'task')}`]),
  ];
  const orMissing = isPartial === true ? ', or are not there yet' : '';
  const what =
    hasUnasked === true
      ? 'could not be judged or were never asked: these answers are left out here, or count as little as they can'
      : `could not be judged${orMissing}: these answers are left out here, and a task only if it has no others to ` +
        'compare';
  const passes = `answers ${sides.join(' and ')} ${what}; a check passes only if it does with them at their worst`;
  return unjudgedFail === true ? passes : `${passes}, and fails only if it does with them at their best`;
}
