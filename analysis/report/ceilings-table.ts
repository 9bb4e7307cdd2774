/** How the benchmarks' own reference solutions do on each suite. */
import { count, share } from './cells.ts';
import type { Ceiling } from './ceilings.ts';
import { countText } from './format.ts';
import type { DataTable } from './part.ts';
import type { ReportContext } from './study-report.ts';

/** At most this many failures are named; the rest are counted. */
const mostNames = 8;

export const ceilingsTable = (ceilings: readonly Ceiling[], { severalRuns }: ReportContext): DataTable => ({
  words: 2,
  heads: [
    ...['Benchmark', 'Suite', 'Tasks', 'Cases', 'References that pass', 'Ceiling'],
    { text: 'References that fail', words: true },
  ],
  rows: ceilings.map(({ run, benchmark, language, suite, tasks, cases, passed, failures }) => [
    `${benchmark}, ${language}${severalRuns ? ` (${run})` : ''}`,
    suite,
    ...[count(tasks), count(cases), count(passed), share(tasks === 0 ? null : passed / tasks)],
    failuresText(failures),
  ]),
});

function failuresText(failures: readonly string[]): string {
  if (failures.length === 0) return 'none';
  const more = failures.length > mostNames ? ` and ${countText(failures.length - mostNames)} more` : '';
  const named = failures.slice(0, mostNames).map((failure) => failure.replaceAll('_', ' '));
  return `${named.join('; ')}${more}`;
}
