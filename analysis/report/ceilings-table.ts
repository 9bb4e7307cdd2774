/** How the benchmarks' own reference solutions do on each suite, as a table and as one line. */
import { counted } from '../../domain/counted.ts';
import { count, share } from './cells.ts';
import { type Ceiling, judgedTasks } from './ceilings.ts';
import { countText, shareText } from './format.ts';
import type { DataTable } from './part.ts';
import type { ReportContext } from './study-report.ts';

/** At most this many failures are named; the rest are counted. */
const mostNames = 8;

export const ceilingsTable = (ceilings: readonly Ceiling[], { severalRuns }: ReportContext): DataTable => ({
  words: 2,
  heads: [
    ...['Benchmark', 'Suite', 'Tasks', 'Cases', 'References that pass', 'Ceiling'],
    { text: 'References that fail', words: true },
    { text: 'Not judged', words: true },
  ],
  rows: ceilings.map((ceiling) => [
    `${ceiling.benchmark}, ${ceiling.language}${severalRuns ? ` (${ceiling.run})` : ''}`,
    ceiling.suite,
    ...[count(ceiling.tasks), count(ceiling.cases), count(ceiling.passed), share(shareOf(ceiling))],
    failuresText(ceiling.failures),
    failuresText(ceiling.unjudged),
  ]),
});

/** Names the tasks of which only some cases count; null if there are none. */
export function excludedCasesText(ceilings: readonly Ceiling[]): string | null {
  const texts = ceilings.flatMap(({ benchmark, language, suite, partlyJudged }) =>
    partlyJudged.length === 0 ? [] : [`${benchmark}, ${language}, suite ${suite}: ${failuresText(partlyJudged)}`],
  );
  return texts.length === 0
    ? null
    : 'For some cases these references give no output, and nothing else says what is expected: such cases are ' +
        `excluded. Cases that count: ${texts.join('. ')}.`;
}

function shareOf(ceiling: Ceiling): number | null {
  const judged = judgedTasks(ceiling);
  return judged === 0 ? null : ceiling.passed / judged;
}

/**
 * One line for suites on which a reference fails: what share passes. A model that solves a task whose reference is
 * wrong can exceed it. Null if no reference fails.
 */
export function ceilingLine(ceilings: readonly Ceiling[]): string | null {
  const limited = ceilings.filter(({ failures }) => failures.length > 0);
  if (limited.length === 0) return null;
  const texts = limited.slice(0, mostSuites).map(suiteText);
  const more = limited.length > mostSuites ? `; and ${counted(limited.length - mostSuites, 'more suite')}` : '';
  return (
    `ceiling: the references pass ${texts.join('; ')}${more}; a model can be expected to pass more only where a ` +
    'reference is at fault, not its suite'
  );
}

const mostSuites = 3;
const mostNamesInLine = 2;

function suiteText(ceiling: Ceiling): string {
  const { benchmark, language, suite, passed, failures } = ceiling;
  const judged = judgedTasks(ceiling);
  const failing = `${countText(failures.length)} ${failures.length === 1 ? 'fails' : 'fail'}`;
  return (
    `${shareText(passed / judged)} on ${benchmark}, ${language}, suite ${suite} (of ${counted(judged, 'reference')} ` +
    `${failing}: ${failuresText(failures, mostNamesInLine)})`
  );
}

function failuresText(failures: readonly string[], most = mostNames): string {
  if (failures.length === 0) return 'none';
  const more = failures.length > most ? ` and ${countText(failures.length - most)} more` : '';
  const named = failures.slice(0, most).map((failure) => failure.replaceAll('_', ' '));
  return `${named.join('; ')}${more}`;
}
