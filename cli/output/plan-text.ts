/**
 * What `plan` prints: a block of lines for the total and for each study, model and role, at most 80 columns wide.
 */
import { blockTable } from '../../analysis/report/text/blocks.ts';
import type { EstimatedLane, EstimatedRun, PlanEstimate } from '../../activities/estimate/estimate-plan.ts';
import type { Range } from '../../studies/forecast.ts';
import { plain } from './terminal.ts';

const widestName = 24;

/**
 * A plan of at most this many lanes is shown in full. Of a larger one, the most expensive lanes get a line each, as
 * many as fit on a screen with the total.
 */
const lanesInFull = 4;
const lanesInShort = 4;
const notesInShort = 3;

/** The total first. @param all shows every lane of a large plan too, and the assumptions of the estimate */
export function planText(estimate: PlanEstimate, all = false): string {
  const { lanes, run, headlines, warnings, assumptions } = estimate;
  const isWhole = all || lanes.length <= lanesInFull;
  return [
    ...headlines.map((line) => `note: ${plain(line)}`),
    tableText(run, isWhole ? lanes : []),
    'reused: already answered, not asked again; the other columns: what is still to be asked, and its cost',
    ...(isWhole ? [] : shortLanes(lanes)),
    ...(isWhole ? assumptions.map((line) => `assumed: ${plain(line)}`) : []),
    ...(isWhole ? warnings : firstFew(warnings, notesInShort)).map((line) => `note: ${plain(line)}`),
  ].join('\n');
}

function tableText(run: EstimatedRun, lanes: readonly EstimatedLane[]): string {
  const blocks = [block(['all of it'], run), ...lanes.map((lane) => block(laneName(lane), lane))];
  return blockTable(['study, model', '', 'reused', 'minimum', 'expected', 'maximum'], blocks, 2);
}

/** One line for each of the lanes with the highest expected cost in dollars, or else in calls. */
function shortLanes(lanes: readonly EstimatedLane[]): string[] {
  const dearest = lanes.toSorted(
    (a, b) => (b.usd?.expected ?? 0) - (a.usd?.expected ?? 0) || b.newCalls.expected - a.newCalls.expected,
  );
  const line = (lane: EstimatedLane): string => {
    const usd = usdTexts(lane)[1];
    return (
      `  ${laneName(lane).join(', ')}: ${counted(lane.newCalls.expected)} calls, ${usd}, ` +
      `${shortDuration(lane.timeSeconds.expected)}`
    );
  };
  return [
    `expected, for the largest of ${lanes.length} studies and models (--all shows all, and the assumptions):`,
    ...dearest.slice(0, lanesInShort).map(line),
  ];
}

const firstFew = (lines: readonly string[], most: number): string[] =>
  lines.length <= most
    ? [...lines]
    : [...lines.slice(0, most), `and ${lines.length - most} more notes; --all shows them`];

function laneName({ study, model, role, answeringModel, cells, sealedCells }: EstimatedLane): string[] {
  const who =
    role === 'study'
      ? [answeringModel]
      : [...(model === null ? ['for all models'] : [model]), `${role}: ${answeringModel}`];
  const extent = `${counted(cells)} cells${sealedCells > 0 ? `, ${counted(sealedCells)} done` : ''}`;
  return [study, ...who, ...(role === 'study' ? [extent] : [])].map((line) => shortened(plain(line)));
}

const block = (name: readonly string[], row: EstimatedRun): string[] => {
  const lines = [
    ['calls', counted(row.reusedCalls), ...texts(row.newCalls, counted)],
    ['tokens', compact(row.reusedTokens), ...texts(row.newTokens, compact)],
    ['USD', dollars(row.spentUsd), ...usdTexts(row)],
    ['time', '', ...texts(row.timeSeconds, shortDuration)],
    ...(row.measuringSeconds.maximum > 0 ? [['  measuring', '', ...texts(row.measuringSeconds, shortDuration)]] : []),
    ['disk', '', ...texts(row.diskBytes, bytes)],
  ];
  const column = (index: number): string => lines.map((line) => line[index] ?? '').join('\n');
  return [name.join('\n'), ...[0, 1, 2, 3, 4].map(column)];
};

const texts = ({ minimum, expected, maximum }: Range, text: (value: number) => string): string[] =>
  [minimum, expected, maximum].map(text);

const usdTexts = ({ usd, newCalls }: EstimatedRun): string[] => {
  if (usd !== null) return [usd.low, usd.expected, usd.high].map(dollars);
  return newCalls.maximum === 0 ? ['$0', '$0', '$0'] : ['unknown', 'unknown', 'unknown'];
};

/** About two digits, as precise as the estimate: 5 s, 1.2 min, 16 min, 2.2 h, 32 h, 4.1 days. */
function shortDuration(seconds: number): string {
  const units = [
    [86_400 * 2, 86_400, ' days'],
    [3600, 3600, ' h'],
    [60, 60, ' min'],
  ] as const;
  const [, length, unit] = units.find(([from]) => seconds >= from) ?? [0, 1, ' s'];
  const value = seconds / length;
  return `${length === 1 || value >= 10 ? Math.round(value) : value.toFixed(1)}${unit}`;
}

const dollars = (usd: number): string => (usd === 0 ? '$0' : usd < 0.005 ? '<$0.01' : `$${usd.toFixed(2)}`);
const counted = (count: number): string => (count < 1e7 ? count.toLocaleString('en-US') : compact(count));
const compact = (count: number): string => scaled(count, ['', 'k', 'M', 'G', 'T']);
const bytes = (count: number): string => scaled(count, [' B', ' kB', ' MB', ' GB', ' TB']);

/** Three significant digits from a thousand on, all digits below. */
function scaled(count: number, units: readonly string[]): string {
  if (count < 1000) return `${Math.round(count)}${units[0] ?? ''}`;
  const rounded = Number(count.toPrecision(3));
  const power = Math.min(units.length - 1, Math.floor(Math.log10(rounded) / 3));
  return `${(rounded / 1000 ** power).toPrecision(3)}${units[power] ?? ''}`;
}

const shortened = (name: string): string => (name.length <= widestName ? name : `${name.slice(0, widestName - 1)}…`);
