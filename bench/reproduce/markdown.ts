/** What the reproduction came to, for docs/reproductions.md: a table of models, and every task that came out otherwise, with its cause. */
import type { RecordedDifference } from '../../analysis/recorded-loops.ts';

/** Processor time of a program on its slowest suite, and time of the benchmark's own there. */
export interface SuiteSeconds {
  readonly program: number;
  readonly reference: number;
}

/** `seconds` of the first program that failed there and passes here. */
export type TimedDifference = RecordedDifference & { readonly seconds: SuiteSeconds | null };

export interface ModelResult {
  readonly model: string;
  /** ASL, with the authors' judge. */
  readonly published: number;
  /** Least and greatest ASL that the recorded counts allow, whatever the judge says. */
  readonly allowed: { readonly low: number; readonly high: number };
  /** The same of the verdicts made here. */
  readonly here: number;
  readonly n: number;
  readonly excluded: number;
  readonly differences: readonly TimedDifference[];
}

export const tolerance = 0.02;

const isWithin = ({ published, here }: ModelResult): boolean => Math.abs(here - published) <= tolerance + 1e-9;

export function reproductionMarkdown(results: readonly ModelResult[]): string {
  const within = results.filter(isWithin).length;
  const apart = results.toSorted((a, b) => Math.abs(b.here - b.published) - Math.abs(a.here - a.published));
  const differing = results.reduce((sum, { differences }) => sum + differences.length, 0);
  return [
    `${within} of ${results.length} models come to an ASL within ${tolerance} of the published one; ${differing} of ` +
      `${results.reduce((sum, { n }) => sum + n, 0)} tasks sustain another number of loops than recorded.`,
    '',
    '| model | published ASL | recorded counts allow | here, s = 1 | here - published | tasks that differ |',
    '|---|---|---|---|---|---|',
    ...apart.map(modelRow),
    '',
    '## Tasks that come out otherwise',
    '',
    '| task | models | recorded → here (loops) | cause |',
    '|---|---|---|---|',
    ...taskRows(results),
    '',
  ].join('\n');
}

const modelRow = (result: ModelResult): string => {
  const { model, published, allowed, here, differences } = result;
  const gap = `${(here - published).toFixed(3)}${isWithin(result) ? '' : apartText(result)}`;
  return `| ${model} | ${published.toFixed(3)} | ${allowed.low.toFixed(3)} to ${allowed.high.toFixed(3)} | ${here.toFixed(3)} | ${gap} | ${differences.length} |`;
};

/** The published figures have three digits. */
const apartText = ({ published, allowed }: ModelResult): string =>
  published < allowed.low - 0.0005 || published > allowed.high + 0.0005
    ? ': no similarity gives the published figure from these counts, so it is of another run than the recording'
    : ': apart';

/** One row for each task and cause, the commonest first. */
function taskRows(results: readonly ModelResult[]): string[] {
  const all = results.flatMap(({ model, differences }) => differences.map((difference) => ({ model, ...difference })));
  const groups = [...Map.groupBy(all, ({ taskId, reason }) => `${taskId}\n${causeOf(reason)}`).values()];
  return groups
    .toSorted((a, b) => b.length - a.length || (a[0]?.taskId ?? '').localeCompare(b[0]?.taskId ?? '', 'en', { numeric: true }))
    .map((group) => {
      const counts = group.map(({ model, recorded, here }) => `${model} ${recorded} → ${here}`).join(', ');
      const [first] = group;
      const cause = causeOf(first?.reason ?? '').replaceAll('|', '\\|');
      return `| ${first?.taskId} | ${group.length} | ${counts} | ${cause}${timeText(group)} |`;
    });
}

/** A limit of time is what the authors' tests have and a machine decides. */
function timeText(group: readonly { readonly here: number; readonly recorded: number; readonly seconds: SuiteSeconds | null }[]): string {
  const times = group.flatMap(({ here, recorded, seconds }) => (here > recorded && seconds !== null ? [seconds] : []));
  if (times.length === 0) return '';
  const programs = times.map(({ program }) => program).sort((a, b) => a - b);
  const range = [...new Set([programs[0], programs.at(-1)].map((value) => (value ?? 0).toFixed(2)))].join(' to ');
  return `, in ${range} s of processor time; the reference takes ${(times[0]?.reference ?? 0).toFixed(2)} s`;
}

/** Without the loop, which the counts say. */
const causeOf = (reason: string): string => reason.replace(/the code of loop \d+ /, 'the next program ').replaceAll('\n', ' ');
