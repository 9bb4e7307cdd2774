/** How much of a run a report holds: cells of finished pages. A cell may be finished and its page not yet. */
import { countText } from '../format.ts';
import type { RunCoverage } from '../report.ts';

export const coverageText = ({ planned, sealed, missing }: RunCoverage): string =>
  `${countText(sealed)} of ${countText(planned)} cells ${missing === 0 ? 'finished' : 'in this report'}`;

/** @param of the run, where several may be meant */
export const missingText = ({ planned, missing }: RunCoverage, of = ''): string =>
  `${countText(missing)} of ${countText(planned)} cells${of} are missing: their pages are not finished. All numbers ` +
  'are over finished pages only; `status` counts every finished cell.';
