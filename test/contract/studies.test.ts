/** Every kind of study in the registry fulfils the contract. */
import { expect, test } from 'vitest';
import { parseSpec } from '../../domain/spec/parse-spec.ts';
import type { SpecStudy } from '../../schemas/spec.ts';
import { pageStepNames, rulesOf, studyKinds, studyOf } from '../../studies/index.ts';
import { resultsOf } from '../../studies/results.ts';
import * as workflows from '../../workflows/index.ts';

const settings: Partial<Record<SpecStudy['kind'], string>> = {
  'evaloop-translation': '{ through: [b, b] }',
  'robunfr-regression': '{ pairs: [[a, a2]] }',
  pass: '{ ks: [1] }',
};

const specOf = (kind: SpecStudy['kind']) =>
  parseSpec(
    `name: contract
models: [{ id: a, provider: simulated }, { id: a2, provider: simulated }]
benchmarks: { b: { format: evenkeel, path: x } }
studies: [{ name: s, kind: ${kind}, benchmark: b, settings: ${settings[kind] ?? '{}'} }]
`,
    'contract.yaml',
  );

test.each(studyKinds)('%s', (kind) => {
  const spec = specOf(kind);
  const [study] = spec.studies as [SpecStudy];
  const [asking, rules] = [studyOf(study), rulesOf(study)];
  expect(asking.kind).toBe(kind);
  expect(Object.keys(workflows)).toContain(asking.workflow ?? kind);
  expect(Object.keys(asking.pageSteps).length).toBeGreaterThan(0);
  for (const step of Object.keys(asking.pageSteps)) expect(pageStepNames).toContain(step);
  // A setting that is named in a rule but not in the schema would never be found.
  const known = Object.keys(study.settings);
  const roles = rules.roleSettings?.(study) ?? [];
  for (const setting of [...(rules.additive ?? []), ...roles.map((role) => role.setting)])
    expect(known).toContain(setting);
  const depth = rules.depth?.(study);
  if (depth !== undefined) expect(rules.additive).toContain(depth.setting);
  // Models with a role are named in a setting.
  const played = asking.roles(study).map(({ model }) => model);
  expect(roles.map(({ model }) => model)).toEqual(expect.arrayContaining(played));
  expect(rules.faults?.(study, spec) ?? []).toEqual([]);
  expect(resultsOf(spec)).toHaveLength(1);
});
