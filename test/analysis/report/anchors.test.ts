import { expect, test } from 'vitest';
import { withAnchors } from '../../../analysis/report/html/anchors.ts';
import { type Part, section } from '../../../analysis/report/part.ts';

const idsOf = (parts: readonly Part[]): unknown[] =>
  parts.flatMap((part) => ['id' in part ? part.id : undefined, ...(part.kind === 'section' ? idsOf(part.parts) : [])]);

test('titles become addresses, one each; a given id stays, and what has no title gets none', () => {
  const table = { title: 'Überblick: 50 % & <more>', words: 1, heads: ['a'], rows: [['b']] };
  const parts = [
    section('Study x', [table, { ...table, id: 'own' }, section(undefined, [table])], {}),
    section('—', [{ kind: 'note' as const, text: 'n' }]),
  ];
  expect(idsOf(withAnchors('loops', parts))).toEqual([
    ...['loops/study-x', 'loops/u-berblick-50-more', 'own', undefined, 'loops/u-berblick-50-more-2'],
    ...['loops/part', undefined],
  ]);
});
