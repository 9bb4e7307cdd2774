/** A gate's result as Markdown, for a pull request or a job's summary. */
import { solutionMetrics } from '../metrics/solution-metrics.ts';
import { conditionName, type GateCheck, type GateResult } from './evaluate.ts';

const head = ['Outcome', 'Metric', 'Benchmark', 'Dimension', 'Old', 'New', 'Change', 'Interval', 'Allowed loss'];

/** @param title what was compared, e.g. the two versions' names */
export function gateMarkdown(title: string, { outcome, rules }: GateResult): string {
  const rows = rules.flatMap(({ rule, checks }) =>
    checks.length === 0 ? [['inconclusive', rule.metric, 'nothing to compare', '', '', '', '', '', '']] : checks.map(cells),
  );
  const table = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(escaped).join(' | ')} |`);
  return `## ${escaped(title)}: ${outcome}\n\n${table.join('\n')}\n`;
}

function cells({ subject, outcome, old, now, interval, margin, level }: GateCheck): string[] {
  const { unit } = solutionMetrics[subject.metric];
  const change = old === null || now === null ? null : now - old;
  const range = interval === null ? '–' : `${signed(interval.lo, unit)} to ${signed(interval.hi, unit)} at ${percent(level)}`;
  const metric = subject.suite === null ? subject.metric : `${subject.metric} (${subject.suite})`;
  return [
    outcome,
    `${metric}, ${unit}`,
    subject.benchmark,
    conditionName(subject),
    number(old, unit),
    number(now, unit),
    change === null ? '–' : signed(change, unit),
    range,
    number(margin, unit),
  ];
}

/** Short times are told apart by their third decimal. */
const decimals = (unit: string, value: number): number => (unit === 'ms' && Math.abs(value) < 10 ? 3 : 2);
/** Without the sign of a negative number that rounds to nothing. */
const number = (value: number | null, unit: string): string =>
  value === null ? '–' : value.toFixed(decimals(unit, value)).replace(/^-(0\.0+)$/, '$1');
function signed(value: number, unit: string): string {
  const text = number(value, unit);
  return value > 0 && Number(text) !== 0 ? `+${text}` : text;
}
const percent = (level: number): string => `${Number((100 * level).toFixed(2))} %`;
const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
