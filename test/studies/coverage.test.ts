/** How many planned cells are sealed, from a manifest made by hand. */
import { expect, test } from 'vitest';
import { slug } from '../../domain/ids.ts';
import { parseSpec } from '../../domain/spec/parse-spec.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { runCoverage } from '../../studies/coverage.ts';

type Part = Manifest['parts'][number];

const [loops, moods] = [`${slug('Loops 1')}/m-1`, `${slug('moods')}/m-1`];

const spec = parseSpec(
  `name: r
models: [{ id: m, provider: simulated }]
benchmarks: { b: { format: evenkeel, path: x } }
studies:
  - { name: Loops 1, kind: evaloop, benchmark: b }
  - { name: moods, kind: promptse, benchmark: b, settings: { variants: 3, samples: 2, rewriter: rules } }
`,
  'spec.yaml',
);

const part = (table: string, page: string, rows: number, more: Partial<Part> = {}): Part => ({
  ...{ path: `${table}/${page}`, table, page, rows, bytes: 1, sha256: 'a', schemaVersion: 1, revision: 1 },
  ...more,
});

const coverageOf = (parts: readonly Part[]) =>
  runCoverage({
    manifests: [{ runId: 'r', spec, plan: [{ cells: 100 }, { cells: 20 }], parts } as unknown as Manifest],
  });

test('cells are the rows of their pages in the tables with one row a cell, also in merged parts', () => {
  const pages = { [`${moods}/r1p0000`]: 30, [`${moods}/r1p0001`]: 12 };
  // By hand: 10 loops, 30 + 12 prompts, 5 variants that a model worded; other tables and studies have no cells.
  expect(
    coverageOf([
      part('loops', `${loops}/r1p0000`, 10),
      part('samples', `${loops}/r1p0000`, 190),
      part('prompt_scores', `${moods}/r1p0000-r1p0001`, 42, { pages }),
      part('verdicts', `${moods}/r1p0000-r1p0001`, 84, { pages }),
      part('variants', `${moods}/v1p0000`, 5),
      part('variants', 'run', 50),
      part('loops', 'other/m-1/r1p0000', 3),
    ]),
  ).toEqual([{ run: 'r', planned: 120, sealed: 57, missing: 63 }]);
});

test('of a page that was asked more the newest part counts', () => {
  const page = `${loops}/r1p0000`;
  const older = part('loops', page, 10);
  const newer = part('loops', page, 10, { revision: 2 });
  for (const parts of [
    [older, newer],
    [newer, older],
  ])
    expect(coverageOf(parts)).toMatchObject([{ sealed: 10 }]);
  expect(coverageOf([])).toMatchObject([{ sealed: 0, missing: 120 }]);
});
