import { expect, test } from 'vitest';
import { type Table, tables } from '../../schemas/tables.ts';

/** Columns with the id of a model of the run. */
const naming = /^(model|.*_model|judge|labeller|rewriter|smallest|largest)$/;

const ofModels = Object.values(tables as Readonly<Record<string, Table>>).filter((table) =>
  Object.keys(table.columns).some((column) => naming.test(column)),
);

test('every table that names a model says in each row whether it is simulated', () => {
  expect(ofModels.length).toBeGreaterThan(35);
  const silent = ofModels.filter(({ columns }) => columns['simulated']?.type !== 'bool').map(({ name }) => name);
  expect(silent).toEqual([]);
});

test('that column is null only if no model is named', () => {
  const nullable = ofModels
    .filter(({ columns }) => columns['simulated']?.nullWhen !== undefined)
    .map(({ name }) => name);
  expect(nullable).toEqual(['settings']);
});
