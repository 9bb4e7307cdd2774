/** Why tasks ended, by reason and loop: over all models of a study, and in a folded table for each model. */
import { count } from '../../../analysis/report/cells.ts';
import { exampleLink } from '../../../analysis/report/examples/link.ts';
import {
  type DataCell,
  type DataRow,
  type DataTable,
  note,
  type Part,
  type Section,
  section,
} from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import type { Ending } from './endings.ts';
import { sameStudy, studiesOf, studyName } from './study-name.ts';

const about =
  'Number of tasks by the reason that ended them and the loop in which they ended; darker cells have more tasks. ' +
  'Tasks that survived all loops are not included. A number opens the examples behind it.';

export function failuresSection(endings: readonly Ending[], context: ReportContext): Section {
  const studies = studiesOf(endings).map((study) => {
    const own = endings.filter((other) => sameStudy(study, other));
    return section(studyName(study, context), studyTables(own, context));
  });
  const parts = studies.length === 0 ? [] : [note(about), ...studies];
  return section('Failures by reason and loop', parts, { id: 'failures', name: 'Failures' });
}

function studyTables(endings: readonly Ending[], { model }: ReportContext): Part[] {
  const loops = loopsOf(endings);
  const models = [...Map.groupBy(endings, ({ model: id }) => id)];
  const counts = [...loops.map((loop) => `loop ${loop}`), 'All'].map((text) => ({ text, count: true }));
  const heads = ['Reason', ...counts];
  const all: DataTable = {
    title: models.length > 1 ? 'All models' : (models[0]?.[0] ?? ''),
    words: 1,
    heads,
    rows: reasonRows(endings, loops),
    totals: [['All', ...countCells(endings, loops)]],
  };
  const single: DataTable = {
    title: 'Model by model',
    words: 2,
    heads: ['Model', ...heads],
    rows: models.flatMap(([id, own]) => reasonRows(own, loops).map((row) => [model(own[0]?.run ?? '', id), ...row])),
    folded: true,
  };
  return models.length > 1 ? [all, single] : [all];
}

const loopsOf = (endings: readonly Ending[]): number[] =>
  Array.from({ length: Math.max(...endings.map(({ loop }) => loop)) }, (_, index) => index + 1);

/** The most frequent reason first. */
function reasonRows(endings: readonly Ending[], loops: readonly number[]): DataRow[] {
  const reasons = [...Map.groupBy(endings, ({ reason, excluded }) => (excluded ? `${reason} (excluded)` : reason))];
  const most = Math.max(...reasons.flatMap(([, own]) => loops.map((loop) => cellsIn(own, loop))));
  return reasons
    .toSorted(([, a], [, b]) => cellsOf(b) - cellsOf(a))
    .map(([reason, own]) => [reason.replaceAll('_', ' '), ...countCells(own, loops, most)]);
}

/** Counts per loop, then the total. @param most the count with the darkest colour; without it cells have no colour */
const countCells = (endings: readonly Ending[], loops: readonly number[], most?: number): DataCell[] => [
  ...loops.map((loop) => {
    const cells = cellsIn(endings, loop);
    return most === undefined || cells === 0
      ? count(cells)
      : {
          ...count(cells),
          tone: { good: false, strength: 8 + (42 * cells) / most },
          link: examplesOf(endings.filter((ending) => ending.loop === loop)),
        };
  }),
  count(cellsOf(endings)),
];

/** @param endings with one reason, in one loop */
function examplesOf(endings: readonly Ending[]): string {
  const [{ run, study, model, reason, excluded, loop }] = endings as readonly [Ending];
  const oneModel = endings.every((ending) => ending.model === model);
  return exampleLink({
    run,
    study,
    ...(oneModel ? { model } : {}),
    variant: 'original',
    setting: 'default',
    outcome: excluded ? `excluded: ${reason}` : reason,
    loops: reason === 'no_summary' ? loop : loop - 1,
  });
}

const cellsIn = (endings: readonly Ending[], loop: number): number =>
  cellsOf(endings.filter((ending) => ending.loop === loop));
const cellsOf = (endings: readonly Ending[]): number => endings.reduce((sum, { cells }) => sum + cells, 0);
