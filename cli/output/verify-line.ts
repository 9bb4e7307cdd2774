/** One line with the progress of `verify`: files, bytes, time left. */
import type { VerifyProgress } from '../../activities/storage/verify/verify-progress.ts';
import { bytesText } from '../commands/gc/gc-text.ts';
import { durationText } from '../follow/progress-line.ts';

/** Before that, the time left is a guess. */
const leastMs = 1_000;

export function verifyLine({ files, allFiles, bytes, allBytes }: VerifyProgress, elapsedMs: number): string {
  const leftMs = bytes === 0 ? 0 : (elapsedMs * Math.max(0, allBytes - bytes)) / bytes;
  return [
    `checked ${files.toLocaleString('en')} of ${allFiles.toLocaleString('en')} files`,
    `${bytesText(bytes)} of ${bytesText(allBytes)}`,
    ...(elapsedMs >= leastMs && bytes > 0 ? [`${durationText(leftMs)} left`] : []),
  ].join(' · ');
}
