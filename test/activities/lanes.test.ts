/** Lanes and their pages, from a real ledger: what is handed out, in which order, and what is left out. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLanes, variantLane } from '../../activities/lanes.ts';
import type { Run } from '../../activities/runs/opened/run.ts';
import type { Runs } from '../../activities/runs/runs.ts';
import { openLedger } from '../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import type { RunRef } from '../../schemas/steps.ts';
import { studyOf } from '../../studies/index.ts';
import { newFolder } from './storage/ledger/ledger-fixture.ts';

interface Planned {
  readonly page: string;
  readonly study: string;
  readonly model: string;
  readonly phase?: 'variants';
}

const ref: RunRef = { runId: 'r', uuid: 'u', epoch: 1 };
const kinds: Readonly<Record<string, string>> = { moods: 'promptse', plain: 'pass', detail: 'specificity' };

const pagesOf = (study: string, model: string, count: number): Planned[] =>
  Array.from({ length: count }, (_, number) => ({ page: `${study}/${model}/r1p${number}`, study, model }));

/** A run of these pages, and the lanes of its sweep. `batch` names models asked in batches. */
async function planned(pages: readonly Planned[], batch: readonly string[] = []) {
  const ledger = openLedger(join(newFolder(), 'ledger.sqlite'));
  await ledger.addPages(pages.map(({ page, study, model }) => ({ page, study, model, cells: 1, revision: 1 })));
  await ledger.takeOver('a test');
  const studies = [...new Set(pages.map(({ study }) => study))].map((name) => ({
    name,
    kind: kinds[name] ?? 'pass',
    benchmark: 'tiny',
    settings: {},
  }));
  const models = [...new Set(pages.map(({ model }) => model))].map((id) => ({
    id,
    ...(batch.includes(id) && { mode: 'batch' }),
  }));
  const study = (name: string) => studies.find((one) => one.name === name);
  const run = {
    ledger,
    spec: { models, studies },
    study,
    variantPages: pages.filter(({ phase }) => phase === 'variants'),
    page: (name: string) => {
      const page = pages.find((one) => one.page === name) as Planned;
      const own = study(page.study) as Parameters<typeof studyOf>[0];
      return { study: own, kind: studyOf(own), phase: page.phase ?? 'study' };
    },
  } as unknown as Run;
  const runs = { open: () => Promise.resolve(run) } as unknown as Runs;
  const lanes = createLanes({
    runs,
    heartbeat: (work) => work(new AbortController().signal, { step: '1', attempt: 1 }),
  });
  const seal = async (page: string): Promise<void> =>
    void (await ledger.sealPage(await ledger.openUnit(page, 1), page, []));
  const names = async (model: string | null, after: string | undefined, limit: number) => {
    const next = await lanes.nextPages({ run: ref, model, after, limit });
    return [next.pages.map(({ page }) => page), next.after] as const;
  };
  return { run, ledger, lanes, seal, names };
}

test('a lane goes through the open pages of its model, study by study, each once', async () => {
  const { names, seal } = await planned([
    ...pagesOf('moods', 'a', 3),
    ...pagesOf('moods', 'b', 3),
    ...pagesOf('plain', 'a', 2),
    ...pagesOf('plain', 'b', 2),
  ]);
  await seal('moods/a/r1p1');
  expect(await names('a', undefined, 2)).toEqual([['moods/a/r1p0', 'moods/a/r1p2'], 'moods/a/r1p2']);
  expect(await names('a', 'moods/a/r1p2', 2)).toEqual([['plain/a/r1p0', 'plain/a/r1p1'], null]);
  expect(await names('a', 'moods/a/r1p0', 9)).toEqual([['moods/a/r1p2', 'plain/a/r1p0', 'plain/a/r1p1'], null]);
  expect(await names('a', 'plain/a/r1p1', 9)).toEqual([[], null]);
});

test.each([
  ['paused', null, { paused: 3 }],
  ['cancelled', null, { cancelled: 3 }],
  ['model_stopped', 'a', undefined],
] as const)('of a lane that is %s, further pages are counted or still run', async (reason, model, stopped) => {
  const { lanes, ledger } = await planned(pagesOf('plain', 'a', 4));
  await ledger.setStop(model, reason, 'a test');
  const next = await lanes.nextPages({ run: ref, model: 'a', after: 'plain/a/r1p0', limit: 2 });
  expect(next.stopped).toEqual(stopped);
  expect(next.pages).toHaveLength(stopped === undefined ? 2 : 0);
});

test('lanes of few pages come with them, as long as these are not many together', async () => {
  const few = Array.from({ length: 20 }, (_, number) => pagesOf('plain', `m${number}`, 4)).flat();
  const { lanes } = await planned([...few, ...pagesOf('plain', 'long', 5)]);
  const first = await lanes.nextLanes({ run: ref, limit: 18 });
  expect(first.lanes.map(({ few: own }) => own?.length ?? 0)).toEqual([...Array<number>(16).fill(4), 0, 0]);
  expect(first.after).toBe('m17');
  const next = await lanes.nextLanes({ run: ref, after: 'm17', limit: 18 });
  expect(next.lanes.map(({ model, few: own }) => [model, own?.length])).toEqual([
    ['m18', 4],
    ['m19', 4],
    ['long', undefined],
  ]);
  expect(next.after).toBeNull();
});

test('a study without all of its variants has no lane, whoever wrote them', async () => {
  const written: Planned[] = [0, 1].map((number) => ({
    page: `detail/w/v1p${number}`,
    study: 'detail',
    model: 'w',
    phase: 'variants',
  }));
  const { lanes, run, seal, names, ledger } = await planned([
    ...written,
    ...pagesOf('detail', 'a', 2),
    ...pagesOf('plain', 'a', 1),
  ]);
  expect(await variantLane(run)).toEqual({ model: null, few: written.map(({ page }) => ({ page, kind: 'posets' })) });
  await seal('detail/w/v1p0');
  await ledger.failPage('detail/w/v1p1', 'no draft');
  expect(await variantLane(run)).toBeNull();
  expect(await names('a', undefined, 9)).toEqual([['plain/a/r1p0'], null]);
  expect((await lanes.nextLanes({ run: ref, limit: 9 })).lanes.map(({ model }) => model)).toEqual(['a']);
  await ledger.reopenFailedPages();
  await seal('detail/w/v1p1');
  expect(await names('a', undefined, 9)).toEqual([['detail/a/r1p0', 'detail/a/r1p1', 'plain/a/r1p0'], null]);
});

test('lanes that wait for batches share 128 pages in flight', async () => {
  const { lanes } = await planned(
    [...pagesOf('plain', 'a', 5), ...pagesOf('plain', 'b', 5), ...pagesOf('plain', 'c', 5)],
    ['a', 'c'],
  );
  expect((await lanes.nextLanes({ run: ref, limit: 9 })).lanes).toEqual([
    { model: 'a', inFlight: 64 },
    { model: 'b' },
    { model: 'c', inFlight: 64 },
  ]);
});
