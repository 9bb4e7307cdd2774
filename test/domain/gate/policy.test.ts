import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { gateMetricNames } from '../../../domain/gate/metrics.ts';
import { gatePolicySchema } from '../../../domain/gate/policy.ts';

const faults = (policy: unknown): string[] => {
  const result = gatePolicySchema.safeParse(policy);
  return result.success ? [] : result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
};

test('a rule only needs a metric; the default confidence is 0.95', () => {
  expect(gatePolicySchema.parse({ rules: [{ metric: 'pass_at_1' }] })).toEqual({
    confidence: 0.95,
    unjudged: 'inconclusive',
    rules: [{ metric: 'pass_at_1' }],
  });
});

test.each([
  ['no rules', { rules: [] }, 'rules: expected at least one rule'],
  [
    'both margins',
    { rules: [{ metric: 'wall_ms', margin: 1, marginPercent: 5 }] },
    'rules.0: give margin or marginPercent, not both',
  ],
  [
    'a suite of a density',
    { rules: [{ metric: 'code_smell', suite: 'base' }] },
    'rules.0: suite is only allowed with pass_at_1',
  ],
  [
    'a percentage of a ratio',
    { rules: [{ metric: 'cpu_ratio', marginPercent: 5 }] },
    'rules.0.marginPercent: does not work with cpu_ratio; give margin, in % of time',
  ],
  [
    'a percentage as confidence',
    { confidence: 95, rules: [{ metric: 'pass_at_1' }] },
    'confidence: must be below 1, for example 0.95',
  ],
])('%s are refused', (_, policy, fault) => {
  expect(faults(policy)).toEqual([fault]);
});

test('an unknown metric, an unknown key and a negative margin are refused', () => {
  expect(faults({ rules: [{ metric: 'pass' }] })).toHaveLength(1);
  expect(faults({ rules: [{ metric: 'pass_at_1', threshold: 3 }] })).toHaveLength(1);
  expect(faults({ rules: [{ metric: 'pass_at_1', margin: -3 }] })).toHaveLength(1);
});

test('docs/ci.md explains every metric, and its examples are policies', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/ci.md'), 'utf8');
  expect(gateMetricNames.filter((name) => !text.includes(`\`${name.replace(/_passing$/, '')}\``))).toEqual([]);
  const rules = [...text.matchAll(/^ {2}- \{ metric: .*\}/gm)].map(([line]) => parse(line.trim().slice(2)) as unknown);
  expect(rules.length).toBeGreaterThan(5);
  expect(faults({ rules })).toEqual([]);
});
