import { expect, test } from 'vitest';
import { conclusionsTable } from '../../analysis/multiverse/parts.ts';
import { curvesOf, type Finding } from '../../domain/multiverse/finding.ts';

/** Four universes: two of them wholly below 0, two with 0 inside. */
const findings = (own: number): Finding[] =>
  [own, -0.02, -0.3, -0.3].map((estimate, index) => ({
    options: { suites: String(index) },
    estimate,
    interval: { lo: estimate - 0.1, hi: estimate + 0.1 },
    subject: { study: 's', benchmark: 't', metric: 'pass_at_1', dimension: '', workflow: '', model: 'a', other: 'b' },
    isOwn: index === 0,
    unit: '',
    direction: null,
    isSigned: true,
    tasks: 9,
    notAsked: 0,
    simulated: false,
  }));

const sharesOf = (own: number): unknown[] => {
  const curves = curvesOf(findings(own));
  const [row] = conclusionsTable({ study: 's', models: ['a', 'b'], curves, choices: [] }).rows;
  return (row as readonly (string | { readonly text: string })[])
    .slice(7, 9)
    .map((cell) => (typeof cell === 'string' ? cell : cell.text));
};

// Red before: "0 %" and "0 %", as if no universe were on any side, where half of them are.
test('where the own estimate is 0, no share of universes is said to be on its side', () => {
  expect(sharesOf(0)).toEqual(['–', '–']);
  expect(sharesOf(-0.01)).toEqual(['100 %', '50 %']);
});
