/**
 * The results of the reproduction for docs/reproductions.md: a table of models, and the differing tasks with causes.
 */
import type { RecordedDifference } from '../../studies/study-importer.ts';
import { wrappedMarkdown } from '../../domain/markdown-lines.ts';
import type { NewTable } from '../measured/save.ts';

/** Processor time of a program on its slowest suite, and of the reference on that suite. */
export interface SuiteSeconds {
  readonly program: number;
  readonly reference: number;
}

/** `seconds`: processor time of the first program that failed for the authors and passes here. */
export type TimedDifference = RecordedDifference & { readonly seconds: SuiteSeconds | null };

export interface ModelResult {
  readonly model: string;
  /** ASL, with the authors' judge. */
  readonly published: number;
  /** Least and greatest ASL that the recorded counts allow, whatever the judge's scores. */
  readonly allowed: { readonly low: number; readonly high: number };
  /** The same range for the verdicts of this run. */
  readonly here: number;
  readonly n: number;
  readonly excluded: number;
  readonly differences: readonly TimedDifference[];
}

export const tolerance = 0.02;

const isWithin = ({ published, here }: ModelResult): boolean => Math.abs(here - published) <= tolerance + 1e-9;

export function reproductionMarkdown(results: readonly ModelResult[]): string {
  const rows = [columns, columns.map(() => '---'), ...byDifference(results).map(modelCells)];
  return [
    wrappedMarkdown(summaryText(results)),
    '',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    ...noteLines(results),
    '',
    '## Tasks with a different number of loops',
    '',
    'Recorded → here, then the models.',
    '',
    ...taskEntries(results).map((entry) => wrappedMarkdown(entry, '- ')),
    '',
  ].join('\n');
}

const columns = [
  'model',
  'published ASL',
  'recorded counts allow',
  'here, s = 1',
  'difference',
  'tasks that differ',
] as const;

/** By name of the block in docs/reproductions.md. */
export function reproductionTables(results: readonly ModelResult[]): Readonly<Record<string, NewTable>> {
  const apart = byDifference(results);
  return {
    'evaloop-unreachable': {
      title: 'recordings that no similarities bring to the published score',
      columns: columns.slice(0, 3),
      rows: apart.filter(isUnreachable).map((result) => modelCells(result).slice(0, 3)),
    },
    'evaloop-recordings': {
      title: 'recordings judged again',
      columns,
      note: summaryText(results),
      rows: apart.map(modelCells),
    },
    'evaloop-tasks': {
      title: 'tasks with a different number of loops',
      rows: taskEntries(results).map((entry) => [entry]),
    },
  };
}

function summaryText(results: readonly ModelResult[]): string {
  const within = results.filter(isWithin).length;
  const differing = results.reduce((sum, { differences }) => sum + differences.length, 0);
  const tasks = results.reduce((sum, { n }) => sum + n, 0);
  return (
    `${within} of ${results.length} models have an ASL within ${tolerance} of the published one; ${differing} ` +
    `of ${tasks} tasks sustain a different number of loops than recorded.`
  );
}

/** The largest difference first. */
const byDifference = (results: readonly ModelResult[]): readonly ModelResult[] =>
  results.toSorted((a, b) => Math.abs(b.here - b.published) - Math.abs(a.here - a.published));

function modelCells(result: ModelResult): string[] {
  const { model, published, allowed, here, differences } = result;
  const range = `${allowed.low.toFixed(3)} to ${allowed.high.toFixed(3)}`;
  const gap = `${(here - published).toFixed(3)}${markOf(result)}`;
  return [model, published.toFixed(3), range, here.toFixed(3), gap, String(differences.length)];
}

/** The published figures have three digits. */
const isUnreachable = ({ published, allowed }: ModelResult): boolean =>
  published < allowed.low - 0.0005 || published > allowed.high + 0.0005;

const marks = { none: '', unreachable: ' (a)', apart: ' (b)' } as const;

const markOf = (result: ModelResult): string =>
  isWithin(result) ? marks.none : isUnreachable(result) ? marks.unreachable : marks.apart;

/** Explanations of the marks used in the table. */
function noteLines(results: readonly ModelResult[]): string[] {
  const used = new Set(results.map(markOf));
  const notes = [
    [
      marks.unreachable,
      'no similarity gives the published figure from these counts, so it belongs to another run than the recording.',
    ],
    [marks.apart, `more than ${tolerance} from the published figure.`],
  ] as const;
  return notes.flatMap(([mark, text]) => (used.has(mark) ? ['', wrappedMarkdown(`${mark.trim()} ${text}`)] : []));
}

/** One entry for each task and cause, the most common first. */
function taskEntries(results: readonly ModelResult[]): string[] {
  const all = results.flatMap(({ model, differences }) => differences.map((difference) => ({ model, ...difference })));
  const groups = [...Map.groupBy(all, ({ taskId, reason }) => `${taskId}\n${causeOf(reason)}`).values()];
  return groups
    .toSorted(
      (a, b) => b.length - a.length || (a[0]?.taskId ?? '').localeCompare(b[0]?.taskId ?? '', 'en', { numeric: true }),
    )
    .map((group) => {
      const [first] = group;
      const cause = `${causeOf(first?.reason ?? '')}${timeText(group)}`;
      return `**${first?.taskId}**, ${countText(group.length)}: ${cause}. ${modelsText(group)}.`;
    });
}

const countText = (models: number): string => (models === 1 ? '1 model' : `${models} models`);

const modelsText = (
  group: readonly { readonly model: string; readonly recorded: number; readonly here: number }[],
): string =>
  [...Map.groupBy(group, ({ recorded, here }) => `${recorded} → ${here}`)]
    .map(([loops, models]) => `${loops}: ${models.map(({ model }) => model).join(', ')}`)
    .join('; ');

/** Times are shown for time limits, where the authors' machine decided. */
function timeText(
  group: readonly { readonly here: number; readonly recorded: number; readonly seconds: SuiteSeconds | null }[],
): string {
  const times = group.flatMap(({ here, recorded, seconds }) => (here > recorded && seconds !== null ? [seconds] : []));
  if (times.length === 0) return '';
  const programs = times.map(({ program }) => program).sort((a, b) => a - b);
  const range = [...new Set([programs[0], programs.at(-1)].map((value) => (value ?? 0).toFixed(2)))].join(' to ');
  return `, in ${range} s of processor time; the reference takes ${(times[0]?.reference ?? 0).toFixed(2)} s`;
}

/** Without the loop number, which the counts already tell. */
const causeOf = (reason: string): string =>
  reason.replace(/the code of loop \d+ /, 'the next program ').replaceAll('\n', ' ');
