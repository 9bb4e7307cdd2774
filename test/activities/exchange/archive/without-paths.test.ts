import { expect, test } from 'vitest';
import { specWithoutPaths, textWithoutPaths } from '../../../../activities/exchange/archive/without-paths.ts';
import { specSchema } from '../../../../schemas/spec.ts';

const written = `name: s # see ~/notes and /home/ada/notes
providers: { here: { kind: openai, baseUrl: "http://127.0.0.1:9/v1" } }
models:
  - { id: a, provider: replay, file: /data/ada/answers.jsonl }
  - { id: b, provider: replay, file: replies/b.jsonl }
benchmarks:
  x:
    format: evenkeel
    path: ../../ada/tasks.jsonl
    suites: [base, { name: et, format: humaneval-et, path: '~/et.jsonl' }]
`;
const spec = specSchema.parse({
  name: 's',
  providers: { here: { kind: 'openai', baseUrl: 'http://127.0.0.1:9/v1' } },
  models: [
    { id: 'a', provider: 'replay', file: '/data/ada/answers.jsonl' },
    { id: 'b', provider: 'replay', file: 'replies/b.jsonl' },
  ],
  benchmarks: {
    x: {
      format: 'evenkeel',
      path: '../../ada/tasks.jsonl',
      suites: ['base', { name: 'et', format: 'humaneval-et', path: '~/et.jsonl' }],
    },
  },
  studies: [{ name: 'plain', kind: 'pass', benchmark: 'x' }],
});

test('paths that tell where a file lies become their last name, in the spec and in its text', () => {
  const { spec: now, specText } = specWithoutPaths({ spec, specText: written });
  expect(now.models.map(({ file }) => file)).toEqual(['answers.jsonl', 'replies/b.jsonl']);
  expect(now.benchmarks['x']).toMatchObject({
    path: 'tasks.jsonl',
    suites: ['base', { name: 'et', format: 'humaneval-et', path: 'et.jsonl' }],
  });
  expect(specText).not.toMatch(/ada/);
  expect(specText).toContain('http://127.0.0.1:9/v1');
  expect({ ...now, models: spec.models, benchmarks: spec.benchmarks }).toEqual(spec);
});

test('a text keeps the last name of a folder', () => {
  expect(textWithoutPaths('/srv/runs/nightly/ledger.sqlite: disk I/O error', ['/srv/runs/nightly'])).toBe(
    'nightly/ledger.sqlite: disk I/O error',
  );
});
