/** Counts of pages by how they ended. */
import type { PageEnd, PagesReport } from '../schemas/steps.ts';

export const reportOf = (ends: readonly PageEnd[]): PagesReport => sumOf(ends.map(countOne));

const countOne = (end: PageEnd): PagesReport => ({
  sealed: end.state === 'sealed' ? 1 : 0,
  stopped: end.state === 'stopped' ? { [end.reason]: 1 } : {},
  failed: end.state === 'failed' ? 1 : 0,
});

export function sumOf(reports: readonly PagesReport[]): PagesReport {
  const stopped: { -readonly [Reason in keyof PagesReport['stopped']]: number } = {};
  for (const report of reports)
    for (const [reason, pages] of Object.entries(report.stopped) as [keyof typeof stopped, number][])
      stopped[reason] = (stopped[reason] ?? 0) + pages;
  return {
    sealed: reports.reduce((sum, { sealed }) => sum + sealed, 0),
    stopped,
    failed: reports.reduce((sum, { failed }) => sum + failed, 0),
  };
}
