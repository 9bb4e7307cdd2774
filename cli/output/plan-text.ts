/**
 * What `plan` prints: a block of lines for the total and for each study, model and role, at most 80 columns wide.
 */
import { blockTable } from '../../analysis/report/text/blocks.ts';
import type { EstimatedLane, EstimatedRun, PlanEstimate } from '../../activities/estimate/estimate-plan.ts';
import type { UnlimitedCalls } from '../../activities/estimate/unlimited-calls.ts';
import { usdTextUp } from '../../analysis/report/format.ts';
import type { Range } from '../../studies/forecast.ts';
import { plain } from './terminal.ts';

const widestName = 24;

/** With what the command prints below it, a plan takes at most this many lines. */
const screenLines = 20;
const fewestLines = 14;
const lanesInShort = 4;
const notesInShort = 3;
const headlinesInShort = 2;

/**
 * The total first. A plan that does not fit on a screen has a line for each of its most expensive lanes, and its first
 * notes; `all` shows every lane and the assumptions of the estimate.
 * @param below number of lines that are printed below it
 */
export function planText(estimate: PlanEstimate, { all = false, below = 0 } = {}): string {
  const whole = wholePlan(estimate);
  const room = Math.max(fewestLines, screenLines - below);
  return (all || whole.length <= room ? whole : shortPlan(estimate, room)).join('\n');
}

function wholePlan({ lanes, run, unlimited, headlines, warnings, assumptions }: PlanEstimate): string[] {
  return [
    ...tableLines(run, lanes, unlimited),
    ...notes(headlines),
    ...assumptions.map((line) => `assumed: ${plain(line)}`),
    ...notes(warnings),
  ];
}

function shortPlan({ lanes, run, unlimited, headlines, warnings }: PlanEstimate, room: number): string[] {
  const head = [...tableLines(run, [], unlimited), ...notes(firstFew(headlines, headlinesInShort))];
  const left = room - head.length - 1;
  const shown = Math.max(1, Math.min(lanesInShort, lanes.length, left - Math.min(warnings.length, notesInShort + 1)));
  return [...head, ...shortLanes(lanes, shown), ...notes(firstFew(warnings, Math.max(1, left - shown)))];
}

const notes = (lines: readonly string[]): string[] => lines.map((line) => `note: ${plain(line)}`);

function tableLines(run: EstimatedRun, lanes: readonly EstimatedLane[], unlimited: UnlimitedCalls): string[] {
  const blocks = [block(['all of it'], run), ...lanes.map((lane) => block(laneName(lane), lane))];
  const table = blockTable(['study, model', '', 'reused', 'minimum', 'expected', 'maximum'], blocks, 2);
  const meaning =
    'reused: already answered, not asked again; the other columns: what is still to be asked, and its cost';
  return [...table.split('\n'), meaning, ...conditionOf(unlimited)];
}

const conditionOf = ({ otherwiseUsd }: UnlimitedCalls): string[] =>
  otherwiseUsd === null
    ? []
    : [`maximum: unless a model thinks; without maxTokens then, a call may cost ${usdTextUp(otherwiseUsd)}`];

/** One line for each of the lanes with the highest expected cost in dollars, or else in calls. */
function shortLanes(lanes: readonly EstimatedLane[], most: number): string[] {
  const dearest = lanes.toSorted(
    (a, b) => (b.usd?.expected ?? 0) - (a.usd?.expected ?? 0) || b.newCalls.expected - a.newCalls.expected,
  );
  const line = (lane: EstimatedLane): string => {
    const usd = usdTexts(lane)[1];
    return (
      `  ${laneName(lane).join(', ')}: ${countOf(lane.newCalls.expected, 'call')}, ${usd}, ` +
      `${shortDuration(lane.timeSeconds.expected)}`
    );
  };
  const which = most < lanes.length ? `the largest ${most} of ${lanes.length}` : `the ${lanes.length}`;
  return [
    `expected, for ${which} studies and models (--all shows all, and the assumptions):`,
    ...dearest.slice(0, most).map(line),
  ];
}

/** At most that many lines, of which the last gives the number of the others. */
const firstFew = (lines: readonly string[], most: number): string[] =>
  lines.length <= most
    ? [...lines]
    : [...lines.slice(0, most - 1), `and ${lines.length - most + 1} more notes; --all shows them`];

function laneName({ study, model, role, answeringModel, cells, sealedCells }: EstimatedLane): string[] {
  const who =
    role === 'study'
      ? [answeringModel]
      : [...(model === null ? ['for all models'] : [model]), `${role}: ${answeringModel}`];
  const extent = `${countOf(cells, 'cell')}${sealedCells > 0 ? `, ${counted(sealedCells)} done` : ''}`;
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

/** No calls cost nothing: the share of a call that was rounded away is not shown as less than a cent. */
const usdTexts = ({ usd, newCalls }: EstimatedRun): string[] => {
  const { low = null, expected = null, high = null } = usd ?? {};
  const text = (calls: number, cost: number | null, shown = dollars): string =>
    calls === 0 ? dollars(0) : cost === null ? 'unknown' : shown(cost);
  return [text(newCalls.minimum, low), text(newCalls.expected, expected), text(newCalls.maximum, high, dollarsUp)];
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
/** Of a maximum. */
const dollarsUp = (usd: number): string => dollars(usd < 0.005 ? usd : Math.ceil(usd * 100 - 1e-7) / 100);
const countOf = (count: number, noun: string): string => `${counted(count)} ${noun}${count === 1 ? '' : 's'}`;

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
