/** The numbers of a gate's report, as text. */
import type { GateMetric } from './metrics.ts';

/** Short times get a third decimal. */
const decimals = (unit: string, value: number): number => (unit === 'ms' && Math.abs(value) < 10 ? 3 : 2);

/** Without the sign of a negative number that rounds to zero. */
export const numberText = (value: number | null, unit: string): string =>
  value === null ? '–' : value.toFixed(decimals(unit, value)).replace(/^-(0\.0+)$/, '$1');

export function signedText(value: number, unit: string): string {
  const text = numberText(value, unit);
  return value > 0 && Number(text) !== 0 ? `+${text}` : text;
}

/** An old or a new value, with its unit where that is not the one of differences. */
export const valueText = (value: number | null, { unit, valueUnit }: GateMetric): string =>
  value === null || valueUnit === undefined
    ? numberText(value, valueUnit ?? unit)
    : `${numberText(value, valueUnit)} ${valueUnit}`;

const inWords: Readonly<Record<string, string>> = {
  '%': 'points',
  '0 to 1': 'on the scale from 0 to 1',
  'of 2/3': 'on the scale up to 2/3',
  loops: 'on the scale from 0 to the most loops',
  steps: 'on the scale from 0 to all steps',
};

/** ASL and chain scores run from 0 to M, but do not count loops or steps. */
const headTexts: Readonly<Record<string, string>> = { loops: '0 to M', steps: '0 to M' };

/** A unit as the head of a column has it. */
export const unitHead = (unit: string): string => headTexts[unit] ?? unit;

/** `2 points`, `0.14 on the scale from 0 to 1`. */
export const withUnit = (number: string, unit: string): string => `${number} ${inWords[unit] ?? unit}`;

/** A confidence below 1 as `95 %`, with as many more decimals as it takes not to round it up to 100. */
export function confidenceText(level: number, digits: number): string {
  const rounded = Number((100 * level).toFixed(digits));
  return rounded < 100 || level >= 1 ? `${rounded} %` : confidenceText(level, digits + 1);
}
