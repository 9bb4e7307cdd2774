/** The pages of every report: an overview, one for each kind of study, calls and spend, and the method. */
import { acrossParts } from '../across/across-parts.ts';
import { cardSection } from '../card/card-section.ts';
import { agreementPage } from './agreement/agreement-page.ts';
import { callsTable } from './calls-table.ts';
import { evidenceLink } from './examples/evidence.ts';
import { slugOf } from './html/anchors.ts';
import { modelNotes } from './notes/model-notes.ts';
import { textOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';
import { acrossMeanings, callMeanings, ceilingMeanings, varianceMeanings } from './meanings/common-meanings.ts';
import { withMeanings } from './meanings/glossary.ts';
import { ceilingsTable, excludedCasesText } from './ceilings-table.ts';
import { effortSection } from './efforts/effort-section.ts';
import { costTable } from './cost-table.ts';
import { countingMethod } from './method.ts';
import { type DataCell, isEmpty, note, type Part, paragraph, type Section, section } from './part.ts';
import type { Report } from './report.ts';
import type { Page, ReportContext, StudyReport } from './study-report.ts';
import { varianceTable } from './variance-table.ts';

/** In page order, without those that have nothing to show; the examples go between `before` and `after`. */
export interface ReportPages {
  readonly overview: Page;
  readonly studies: readonly Page[];
  readonly after: readonly Page[];
}

export function reportPages(report: Report, context: ReportContext): ReportPages {
  const studies = report.studies.map((study) => ({ ...study.page, parts: studyParts(study, context) }));
  return {
    overview: overviewPage(report, context),
    studies: studies.filter(isFilled),
    after: [agreementPage(report.agreement, context), callsPage(report, context), methodPage(report, context)].filter(
      isFilled,
    ),
  };
}

function studyParts(study: StudyReport, context: ReportContext): Part[] {
  const parts = study.sections(context);
  return parts.every(isEmpty) ? [...parts] : [...(study.notes ?? []).map(note), ...parts];
}

/** For formats without pages. */
export const pageParts = (pages: readonly Page[]): Part[] => pages.flatMap(({ parts }) => parts);

export const isFilled = ({ parts }: Page): boolean => !parts.every(isEmpty);

/** What pass@1 of a card is over. */
const firstAnswers = { variant: 'original' } as const;

function overviewPage(report: Report, context: ReportContext): Page {
  const evidence = (row: Row): string | undefined => {
    const [run, study, model] = ['run', 'study', 'model'].map((name) => textOf(row, name)) as [string, string, string];
    return evidenceLink({ run, study, model, ...(row['metric'] === 'pass_at_1' ? firstAnswers : {}) }, context);
  };
  return {
    ...{ name: 'overview', title: 'Overview' },
    parts: [
      ...(report.across === null ? [] : withMeanings(acrossParts(report.across, context), acrossMeanings)),
      cardSection(report.cards, boardCells(report, context), evidence),
      effortSection(report.efforts, context),
      ...withMeanings([variancePart(report, context)], varianceMeanings),
    ],
  };
}

/** The first cell of a model's row on the board, with an address and with what else must be known of the model. */
function boardCells(report: Report, context: ReportContext): (run: string, id: string) => DataCell {
  const notes = modelNotes(report);
  const ids = new Map<string, string>();
  return (run, id) => {
    const cell = context.model(run, id, context.severalRuns ? [run] : undefined);
    const key = JSON.stringify([run, id]);
    const slug = ids.get(key) ?? uniqueSlug(context.severalRuns ? `${run} ${id}` : id, [...ids.values()]);
    ids.set(key, slug);
    const own = notes.filter((one) => one.run === run && one.model === id);
    return cell.model === undefined ? cell : { ...cell, id: slug, model: { ...cell.model, notes: own } };
  };
}

function uniqueSlug(name: string, taken: readonly string[]): string {
  const slug = `models/${slugOf(name)}`;
  const free = (count: number): string => (taken.includes(`${slug}-${count}`) ? free(count + 1) : `${slug}-${count}`);
  return taken.includes(slug) ? free(2) : slug;
}

const variancePart = ({ variance }: Report, { severalRuns }: ReportContext): Section =>
  section('Where the variance is', [varianceTable(variance, severalRuns)], { id: 'variance', folded: true });

const callsNote =
  'Estimated: the cost of calls that may have been billed but whose usage is unknown, because they were lost before ' +
  'their reply was stored, failed after they were sent, or were answered without usage. Simulated and ' +
  'replayed calls cost nothing.';

const callsPage = ({ calls, costs }: Report, context: ReportContext): Page => ({
  ...{ name: 'calls', title: 'Calls and spend' },
  parts:
    calls.length === 0
      ? []
      : withMeanings(
          [
            section(undefined, [note(callsNote), callsTable(calls, context), costTable(costs, context.severalRuns)], {
              id: 'calls',
            }),
          ],
          callMeanings,
        ),
});

const methodPage = ({ ceilings }: Report, context: ReportContext): Page => ({
  ...{ name: 'method', title: 'Method' },
  parts: [
    section('How to read this', countingMethod.map(paragraph), { id: 'method' }),
    ...withMeanings([ceilingsPart(ceilings, context)], ceilingMeanings),
  ],
});

const ceilingsPart = (ceilings: Report['ceilings'], context: ReportContext): Section =>
  section('Reference ceilings', ceilings.length === 0 ? [] : ceilingNotesAndTable(ceilings, context), {
    ...{ id: 'ceilings', name: 'Ceilings' },
  });

function ceilingNotesAndTable(ceilings: Report['ceilings'], context: ReportContext): Part[] {
  const cases = excludedCasesText(ceilings);
  return [note(ceilingNote), ceilingsTable(ceilings, context), ...(cases === null ? [] : [note(cases)])];
}

const ceilingNote =
  "Results of the benchmark's own solutions on the same tests under the same limits. If a task's own reference " +
  'fails, it, the suite or a limit of evenkeel is at fault: a model can be expected to pass that task only if the ' +
  'reference is. Tasks without a reference, or with one that could not be judged, ' +
  'are left out of the ceiling.';
