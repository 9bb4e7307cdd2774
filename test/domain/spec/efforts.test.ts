import { expect, test } from 'vitest';
import { effortOf, familyOf, writtenIndex } from '../../../domain/spec/efforts.ts';
import { parseSpec } from '../../../domain/spec/parse-spec.ts';
import { specSchema } from '../../../schemas/spec.ts';

const spec = (studies: string) =>
  parseSpec(
    `name: n
models: [{ id: a, provider: simulated }]
benchmarks: { b: { format: evenkeel, path: p } }
studies:
${studies}`,
    's.yaml',
  );

const several = spec(`
  - { name: first, kind: pass, benchmark: b }
  - { name: loops, kind: evaloop, benchmark: b, settings: { efforts: [minimal, high], maxLoops: 3 } }
  - { name: alone, kind: promptse, benchmark: b, settings: { efforts: [low] } }
  - { name: ways, kind: robunfr-workflows, benchmark: b, settings: { efforts: [low, high, max] } }`);

test('a study at several efforts becomes one for each, with all its settings; one effort keeps the name', () => {
  expect(several.studies.map((study) => [study.name, effortOf(study), familyOf(study)])).toEqual([
    ['first', null, 'first'],
    ['loops-minimal', 'minimal', 'loops'],
    ['loops-high', 'high', 'loops'],
    ['alone', 'low', 'alone'],
    ['ways-low', 'low', 'ways'],
    ['ways-high', 'high', 'ways'],
    ['ways-max', 'max', 'ways'],
  ]);
  expect(several.studies[2]?.settings).toMatchObject({ efforts: ['high'], maxLoops: 3 });
});

test('the studies of a run are valid as they are, and are not divided again', () => {
  expect(specSchema.parse(JSON.parse(JSON.stringify(several))).studies).toEqual(several.studies);
  expect(parseSpec(JSON.stringify(several), 'run.json').studies).toEqual(several.studies);
});

test('each study knows its place in the spec as written', () => {
  expect(several.studies.map((_, index) => writtenIndex(several, index))).toEqual([0, 1, 1, 2, 3, 3, 3]);
});
