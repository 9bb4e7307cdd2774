import { expect, test } from 'vitest';
import { grownVersions, refuseOtherVersions, versionsOf } from '../../../activities/runs/run-versions.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { specSchema } from '../../../schemas/spec.ts';

const specText = {
  name: 'r',
  models: [{ id: 'm', provider: 'simulated' }],
  benchmarks: { mbpp: { format: 'mbpp-plus', path: 'MbppPlus.jsonl.gz' } },
  studies: [{ name: 'loops', kind: 'evaloop', benchmark: 'mbpp' }],
};
const spec = specSchema.parse(specText);
const now = versionsOf(spec);
const refuse = (versions: Manifest['versions']) => () =>
  refuseOtherVersions({ spec, versions, runId: 'r', programVersion: '0.1.0' });

test('a run of this version, and one of version 0.1, can be continued', () => {
  expect(refuse(now)).not.toThrow();
  const { tables: _tables, extraction: _extraction, ...earlier } = now;
  expect(refuse(earlier)).not.toThrow();
});

// Red in version 0.1: versions were written over and never compared.
test.each([
  [
    'prompts of study loops',
    { ...now, prompts: { loops: 'evaloop-0' } },
    `evaloop-0 in the run, ${now.prompts['loops']}`,
  ],
  ['scoring', { ...now, scorer: 'verdict-0' }, `verdict-0 in the run, ${now.scorer}`],
  ['tables', { ...now, tables: 'tables-9' }, `tables-9 in the run, ${now.tables}`],
])('a run with other %s is refused with the difference and what to do', (what, versions, difference) => {
  expect(refuse(versions)).toThrow(`  - ${what}: ${difference} in this version`);
  expect(refuse(versions)).toThrow(/made by another version of evenkeel \(0\.1\.0, .*npx evenkeel@0\.1\.0.*--run ID/s);
});

test('a run keeps its versions when its spec grows, and a new study gets the current ones', () => {
  const old = { ...now, prompts: { loops: 'evaloop-0' }, scorer: 'verdict-0', prices: 'list 1' };
  const larger = specSchema.parse({
    ...specText,
    studies: [...specText.studies, { name: 'more', kind: 'evaloop', benchmark: 'mbpp' }],
  });
  expect(grownVersions(old, larger)).toMatchObject({
    prompts: { loops: 'evaloop-0', more: now.prompts['loops'] },
    scorer: 'verdict-0',
    prices: 'list 1',
  });
});
