/**
 * A gate's result as JUnit XML: one suite for each rule, one case for each check,
 * so that CI systems show them as tests.
 */
import { adviceOf } from './advice.ts';
import { conditionName, type GateCheck, type GateResult, type RuleResult } from './evaluate.ts';
import { flipsOf } from './flips.ts';
import { gateMetric } from './metrics.ts';
import { numberText, signedText, valueText, withUnit } from './numbers.ts';
import { percentText } from './percent-text.ts';
import { unjudgedText } from './unjudged-text.ts';

/** A result with the names of the compared versions. */
export interface TitledResult {
  readonly title: string;
  readonly result: GateResult;
}

/**
 * Failed checks are failures and inconclusive ones errors: neither passed.
 * @param missing reasons why the gate cannot pass whatever the checks say, each reported as an error
 * @param notes remarks on the whole gate: output of the first suite, since many CI systems drop a suite without cases
 */
export function gateJunit(
  comparisons: readonly TitledResult[],
  missing: readonly string[] = [],
  notes: readonly string[] = [],
): string {
  const parts = comparisons.flatMap(({ title, result }) => result.rules.map((rule) => ({ title, rule })));
  const rules = parts.map(({ title, rule }, index) => suite(title, rule, index === 0 ? notes : []));
  const suites = [...rules, ...(missing.length === 0 ? [] : [completeness(missing)])].join('\n');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="evenkeel gate">\n${suites}\n</testsuites>\n`;
}

function suite(title: string, result: RuleResult, notes: readonly string[]): string {
  const { rule, checks } = result;
  const cases = checks.length === 0 ? [nothing(rule.metric)] : checks.map(testCase);
  const count = (outcome: string): number => checks.filter((check) => check.outcome === outcome).length;
  const errors = checks.length === 0 ? 1 : count('inconclusive');
  const totals = `tests="${cases.length}" failures="${count('failed')}" errors="${errors}"`;
  const open = `  <testsuite name="${escaped(`${title}: ${rule.metric}`)}" ${totals}>`;
  const said = [percentText(result), ...notes].filter((line) => line !== null);
  const out = said.length === 0 ? [] : [`    ${outputOf(said)}`];
  return [open, ...cases, ...out, '  </testsuite>'].join('\n');
}

const outputOf = (lines: readonly string[]): string => `<system-out>${escaped(lines.join('\n'))}</system-out>`;

const nothing = (metric: string): string =>
  `    <testcase classname="${escaped(metric)}" name="comparison"><error message="nothing to compare"/></testcase>`;

function completeness(missing: readonly string[]): string {
  const cases = missing.map(
    (text) => `    <testcase classname="completeness" name="cells"><error message="${escaped(text)}"/></testcase>`,
  );
  return (
    `  <testsuite name="completeness" tests="${cases.length}" failures="0" errors="${cases.length}">\n` +
    `${cases.join('\n')}\n  </testsuite>`
  );
}

function testCase(check: GateCheck): string {
  const { metric, benchmark, suite: tests } = check.subject;
  const name = escaped([benchmark, tests, conditionName(check.subject)].filter((part) => part !== null).join(' / '));
  const open = `    <testcase classname="${escaped(metric)}" name="${name}"`;
  const kind = { passed: null, failed: 'failure', inconclusive: 'error' }[check.outcome];
  const fault = kind === null ? '' : `<${kind} message="${escaped(message(check))}"/>`;
  const advice = kind === null ? adviceOf(check) : null;
  const evidence = [taskCounts(check), unjudgedText(check), ...flipsOf(check), advice].filter((line) => line !== null);
  const out = evidence.length === 0 ? '' : outputOf(evidence);
  return fault + out === '' ? `${open}/>` : `${open}>${fault}${out}</testcase>`;
}

function taskCounts({ tasks }: GateCheck): string | null {
  if (tasks === undefined) return null;
  return tasks.lost === null
    ? `${tasks.n} tasks compared`
    : `${tasks.n} tasks compared: ${tasks.lost} lost, ${tasks.gained} gained`;
}

const message = (check: GateCheck): string =>
  [`${check.outcome}: ${foundText(check)}`, adviceOf(check)].filter((part) => part !== null).join('; ');

function foundText({ subject, old, now, interval, margin }: GateCheck): string {
  if (interval === null || margin === null) return 'no comparison could be made';
  const metric = gateMetric(subject.metric);
  const { unit } = metric;
  const change = `change between ${signedText(interval.lo, unit)} and ${signedText(interval.hi, unit)}`;
  const loss = `allowed loss ${withUnit(numberText(margin, unit), unit)}`;
  return `from ${valueText(old, metric)} to ${valueText(now, metric)}, ${change}, ${loss}`;
}

const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * Escapes text, and removes what XML 1.0 does not allow even escaped: lone surrogates, U+FFFE and U+FFFF, and control
 * characters other than tab and line ends.
 */
function escaped(text: string): string {
  const known = [...text.toWellFormed()].filter(
    (sign) => (sign >= ' ' && sign !== '\ufffe' && sign !== '\uffff') || '\t\n\r'.includes(sign),
  );
  return known.map((sign) => names[sign] ?? sign).join('');
}
