import { expect, test } from 'vitest';
import { withSharedCells } from '../../../activities/runs/shared-cells.ts';
import type { Cell, Page } from '../../../schemas/plan.ts';

const cells = (change: Partial<Cell> = {}): Cell[] =>
  ['MBPP/2', 'MBPP/3'].map((taskId) => ({
    taskId,
    language: 'python',
    variant: 'original',
    setting: 'default',
    repetition: 0,
    ...change,
  }));
const page = (study: string, model: string, number: string, own = cells()): Page => ({
  page: `${study}/${model}/${number}`,
  study,
  model,
  cells: own,
});

test('pages of several models that ask the same hold one list, and every other page its own', () => {
  const pages = [
    page('loops', 'a', 'r1p0000'),
    page('loops', 'b', 'r1p0000'),
    page('loops', 'b', 'r1p0001'),
    page('moods', 'a', 'r1p0000'),
    ...(['taskId', 'language', 'variant', 'setting'] as const).map((field) =>
      page('loops', field, 'r1p0000', cells({ [field]: 'other' })),
    ),
    page('loops', 'repeated', 'r1p0000', cells({ repetition: 1 })),
    page('loops', 'short', 'r1p0000', cells().slice(0, 1)),
  ];
  const { pages: shared } = withSharedCells({ revision: 1, pages });
  expect(shared).toEqual(pages);
  expect(shared[1]?.cells).toBe(pages[0]?.cells);
  expect(new Set(shared.map((one) => one.cells)).size).toBe(pages.length - 1);
});
