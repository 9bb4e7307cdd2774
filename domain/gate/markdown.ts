/** A gate's result as Markdown, for a pull request or a job's summary. */
import { adviceOf } from './advice.ts';
import { conditionName, type GateCheck, type GateResult } from './evaluate.ts';
import { gateMetric } from './metrics.ts';
import { flipsOf } from './flips.ts';
import { confidenceText, numberText, signedText, unitHead, valueText } from './numbers.ts';
import { percentText } from './percent-text.ts';
import { unjudgedText } from './unjudged-text.ts';

const head = [
  'Outcome',
  'Metric',
  'Benchmark',
  'Dimension',
  'Old',
  'New',
  'Change',
  'Interval',
  'Allowed loss',
  'Tasks',
  'Lost',
  'Gained',
];

/** @param title what was compared, e.g. the two versions' names */
export function gateMarkdown(title: string, { outcome, rules }: GateResult): string {
  const rows = rules.flatMap(({ rule, checks }) => (checks.length === 0 ? [nothing(rule.metric)] : checks.map(cells)));
  const table = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(escaped).join(' | ')} |`);
  const more = rules
    .flatMap((one) => [...one.checks.flatMap(remarks), percentText(one)])
    .filter((line) => line !== null);
  const list = more.length === 0 ? '' : `\n${[...new Set(more)].map((line) => `- ${escaped(line)}`).join('\n')}\n`;
  return `## ${escaped(title)}: ${outcome}\n\n${table.join('\n')}\n${list}`;
}

const nothing = (metric: string): string[] =>
  head.map((_, index) => ['inconclusive', metric, 'nothing to compare'][index] ?? '');

/** Which tasks changed, and how many tasks an inconclusive check would need. */
function remarks(check: GateCheck): string[] {
  const parts = [unjudgedText(check), ...flipsOf(check), adviceOf(check)].filter((part) => part !== null);
  const { benchmark, dimension } = check.subject;
  return parts.length === 0 ? [] : [`${metricName(check)}, ${benchmark}, ${dimension}: ${parts.join('; ')}`];
}

const metricName = ({ subject: { metric, suite } }: GateCheck): string =>
  suite === null ? metric : `${metric} (${suite})`;

function cells(check: GateCheck): string[] {
  const { subject, outcome, old, now, interval, margin, level, tasks } = check;
  const metric = gateMetric(subject.metric);
  const { unit } = metric;
  const change = check.difference ?? (old === null || now === null ? null : now - old);
  const range =
    interval === null
      ? '–'
      : `${signedText(interval.lo, unit)} to ${signedText(interval.hi, unit)} at ${confidenceText(level, 2)}`;
  return [
    outcome,
    `${metricName(check)}, ${unitHead(unit)}`,
    subject.benchmark,
    conditionName(subject),
    valueText(old, metric),
    valueText(now, metric),
    change === null ? '–' : signedText(change, unit),
    range,
    numberText(margin, unit),
    ...[tasks?.n, tasks?.lost, tasks?.gained].map((count) => String(count ?? '–')),
  ];
}

const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
