/** What a report says of answers that could not be judged. */
import { counted } from '../counted.ts';
import type { GateCheck } from './evaluate.ts';

/** Null if there are none. */
export function unjudgedText({ unjudged, unjudgedFail }: GateCheck): string | null {
  if (unjudged === undefined) return null;
  const { old, now } = unjudged;
  const sides = [
    ...(now === 0 ? [] : [`${counted(now, 'task')} with answers of the new version that could not be judged`]),
    ...(old === 0 ? [] : [`${counted(old, 'task')} with answers of the old version that could not be judged`]),
  ];
  const passes = `${sides.join(', ')}: left out here; a check passes only if it does with them at their worst`;
  return unjudgedFail === true ? passes : `${passes}, and fails only if it does with them at their best`;
}
