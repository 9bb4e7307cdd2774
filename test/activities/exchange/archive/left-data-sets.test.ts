import { expect, test } from 'vitest';
import { readCatalogue } from '../../../../activities/benchmarks/catalogue.ts';
import { dataSetFacts } from '../../../../activities/exchange/archive/left-data-sets.ts';
import type { Manifest } from '../../../../schemas/manifest.ts';

const catalogue = readCatalogue(new URL('../../../../data/benchmarks', import.meta.url).pathname);
const sha256Of = (name: string): string => catalogue.find((entry) => entry.name === name)?.file.sha256 ?? '';

/** Only what the function reads. */
const manifestOf = (benchmarks: unknown, spec: unknown = {}): Manifest =>
  ({ benchmarks, spec: { benchmarks: spec } }) as unknown as Manifest;
const file = (sourceSha256: string, format: string, joinedSha256 = {}) => ({ sourceSha256, format, joinedSha256 });

const ofRun = manifestOf(
  {
    he: file(sha256Of('humaneval'), 'humaneval', { et: sha256Of('humaneval-et') }),
    plus: file(sha256Of('mbpp-plus'), 'mbpp-plus'),
    mine: file('0'.repeat(64), 'evenkeel'),
  },
  { he: { suites: ['base', { name: 'et', format: 'humaneval-et' }] } },
);

test('tests without a licence are left out, and nothing else of their benchmark', () => {
  const { left, unknown } = dataSetFacts(ofRun, catalogue, 'unlicensed');
  expect(left).toEqual([
    { benchmark: 'he', suites: ['et'], chosen: false, why: expect.stringContaining('none stated') },
  ]);
  expect(unknown).toEqual(['mine']);
});

test('another edition of a file without a licence counts as that file', () => {
  const edited = manifestOf({ et: file('1'.repeat(64), 'mbpp-et') });
  expect(dataSetFacts(edited, catalogue, 'unlicensed').left).toMatchObject([{ benchmark: 'et', suites: null }]);
});

test('all or none, if the user says so', () => {
  expect(dataSetFacts(ofRun, catalogue, 'all').left.map(({ benchmark }) => benchmark)).toEqual(['he', 'plus', 'mine']);
  expect(dataSetFacts(ofRun, catalogue, 'none').left).toEqual([]);
});
