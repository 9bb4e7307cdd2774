/** The sections that every report has: variance of answers, reference ceilings, calls and spend, how to read it. */
import { cardSection } from '../card/card-section.ts';
import { callsTable } from './calls-table.ts';
import { ceilingsTable } from './ceilings-table.ts';
import { costTable } from './cost-table.ts';
import { countingMethod } from './method.ts';
import { type DataCell, note, paragraph, type Section, section } from './part.ts';
import type { Report } from './report.ts';
import type { ReportContext } from './study-report.ts';
import { varianceTable } from './variance-table.ts';

/** Sections in page order; the examples go between `before` and `after`. */
export function reportSections(report: Report, context: ReportContext): { before: Section[]; after: Section[] } {
  const { ceilings, studies } = report;
  const before = studies.flatMap((study) => study.sections(context));
  const modelCell = (run: string, id: string): DataCell =>
    context.model(run, id, context.severalRuns ? [run] : undefined);
  const ceilingsPart = section(
    'Reference ceilings',
    ceilings.length === 0 ? [] : [note(ceilingNote), ceilingsTable(ceilings, context)],
    {
      id: 'ceilings',
      name: 'Ceilings',
    },
  );
  return {
    before: [cardSection(report.cards, modelCell), ...before, variancePart(report, context), ceilingsPart],
    after: [callsPart(report, context), methodPart],
  };
}

const variancePart = ({ variance }: Report, { severalRuns }: ReportContext): Section =>
  section('Where the variance is', [varianceTable(variance, severalRuns)], { id: 'variance', name: 'Variance' });

const ceilingNote =
  "Results of the benchmark's own solutions on the same tests under the same limits. If a task's own reference " +
  'fails, a model can pass that task only by luck.';

const callsNote =
  'Estimated: the cost of calls that may have been billed but whose usage is unknown, because they were lost before ' +
  'their reply was stored or failed after they were sent. Simulated and replayed calls cost nothing.';

const callsPart = ({ calls, costs }: Report, context: ReportContext): Section =>
  section(
    'Calls and spend',
    calls.length === 0 ? [] : [note(callsNote), callsTable(calls, context), costTable(costs, context.severalRuns)],
    {
      id: 'calls',
      name: 'Calls and spend',
    },
  );

const methodPart = section('How to read this', countingMethod.map(paragraph), {
  id: 'method',
  name: 'How to read this',
});
