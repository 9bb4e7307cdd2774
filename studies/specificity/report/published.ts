/** Numbers from the paper's text, next to this report's values for models of the same name. */
import published from '../../../data/published/partialordereval.json' with { type: 'json' };
import { number } from '../../../analysis/report/cells.ts';
import { missing } from '../../../analysis/report/format.ts';
import { type DataTable, note, type Section, section } from '../../../analysis/report/part.ts';
import { numberOrNull } from '../../../domain/metrics/row-order.ts';
import type { SpecificityStudyReport } from './data.ts';

type Benchmark = keyof typeof published.tasks;
const benchmarks = Object.keys(published.tasks) as Benchmark[];

export const publishedPart = (studies: readonly SpecificityStudyReport[]): Section =>
  section('The paper’s results', [note(`${published.source}.`), originalsTable(studies), levelsTable]);

function originalsTable(studies: readonly SpecificityStudyReport[]): DataTable {
  const rows = studies.flatMap(({ curve }) => curve).filter((row) => row['augmentation'] === 'original');
  const here = (model: string): number | null =>
    numberOrNull(rows.find((row) => row['model'] === model) ?? {}, 'pass_at_1');
  return {
    n: 'As published; “here”: n is that of the original prompt on this page',
    words: 1,
    heads: ['Model', 'Size, B', ...benchmarks.map((name) => `pass@1 original, ${name}`), 'pass@1 original, here'],
    rows: published.models.map(({ model, size_b: size, original }) => [
      model,
      { text: String(size), value: size },
      ...benchmarks.map((name) => number(original[name])),
      number(here(model)),
    ]),
  };
}

const levelsTable: DataTable = {
  n: 'As published',
  words: 3,
  heads: ['Model', 'Benchmark', 'Prompt', 'pass@1', { text: 'Level', words: true }],
  rows: published.levels.map(({ model, benchmark, augmentation, pass_at_1: passed, note: level }) => [
    ...[model, benchmark, augmentation],
    number(passed),
    level === '' ? missing : level,
  ]),
};
