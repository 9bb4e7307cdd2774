import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import { simulatedProfile } from '../../../simulator/profile.ts';

const doc = readFileSync(new URL('../../../docs/providers.md', import.meta.url), 'utf8');

test('the spec in docs/providers.md is one that is accepted', () => {
  const accounts = /```yaml\n(.*?)```/s.exec(doc)?.[1] ?? '';
  const rest =
    'benchmarks: { b: { format: evenkeel, path: t.jsonl } }\nstudies: [{ name: s, kind: evaloop, benchmark: b }]\n';
  const spec = parseSpec(`name: doc\n${accounts}${rest}`, 'doc.yaml');
  expect(spec.models.map(({ id }) => id)).toEqual(['gpt-4o', 'o3-mini']);
  expect(spec.providers['oai']?.limits).toEqual({ requestsPerMinute: 500, tokensPerMinute: 200_000, concurrency: 32 });
});

test('docs/providers.md names every mishap that the simulator has', () => {
  const listed = [...doc.matchAll(/`faults: \{ (.*?) \}`/g)].flatMap(([, names]) => names?.split(', ') ?? []);
  expect(listed.sort()).toEqual(Object.keys(simulatedProfile().faults).sort());
});
