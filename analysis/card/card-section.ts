/** The cards in a report and in a comparison: a board of all models, a sentence for each, and how rankings agree. */
import { fewestModels, fewText } from '../../domain/card/agreement.ts';
import { counted } from '../../domain/counted.ts';
import { numberOf, numberOrNull, textOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';
import { levelText, missing } from '../report/format.ts';
import { type DataCell, type DataTable, note, type Part, type Section, section } from '../report/part.ts';
import { agreementTable } from './agreement-table.ts';
import type { Cards } from './card-source.ts';
import { rangeText, valueText } from './card-text.ts';
import { type MainMetric, mainMetrics, modelKey } from './main-entries.ts';

/** Names a model in a table. */
export type ModelCell = (run: string, model: string) => DataCell;

/** Longer lists of sentences are folded. */
const mostOpen = 12;

/** Empty for a single model in a single study: its study's own table has all of it. */
export function cardSection(cards: Cards, modelCell: ModelCell): Section {
  const shown = mainMetrics(cards.cards, cards.metrics);
  const models = orderedModels(cards, shown);
  const studies = new Set(cards.cards.map((row) => row['study']));
  const isOne = models.length < 2 && studies.size < 2;
  return section('Cards', isOne || shown.length === 0 ? [] : cardParts(cards, shown, models, modelCell), {
    ...{ id: 'cards', name: 'Cards' },
  });
}

const cardParts = (
  cards: Cards,
  shown: readonly MainMetric[],
  models: readonly Row[],
  modelCell: ModelCell,
): Part[] => [
  note(boardNote(cards.cards)),
  boardTable(shown, models, modelCell),
  sentenceTable(cards, models, modelCell),
  ...agreementParts(cards, models.length),
];

/** One row of each model, the best in the first metric first. */
function orderedModels({ cards }: Cards, [first]: readonly MainMetric[]): Row[] {
  const rankOf = (row: Row): number => numberOrNull(first?.rows.get(modelKey(row)) ?? {}, 'rank') ?? Infinity;
  return [...new Map(cards.map((row) => [modelKey(row), row])).values()].toSorted((a, b) =>
    order(rankOf(a), rankOf(b)),
  );
}

const order = (a: number, b: number): number => (a === b ? 0 : a - b);

function boardNote([first]: readonly Row[]): string {
  const level = first === undefined ? '' : levelText(numberOf(first, 'confidence'));
  return (
    `Each metric on the tasks that all its models share. Under a value are its ${level} interval, its rank group and ` +
    'its rank interval. Two models share a letter exactly if no difference between them was shown; all differences ' +
    'that are shown in a metric are right together, with this confidence. A metric of several studies is shown from ' +
    'the one with the most models, then the most tasks; table cards has all.'
  );
}

function boardTable(shown: readonly MainMetric[], models: readonly Row[], modelCell: ModelCell): DataTable {
  return {
    look: 'board',
    words: 1,
    heads: [
      'Model',
      ...shown.map(({ metric, study, condition, tasks }) => ({
        text: metric.unit === '' ? metric.title : `${metric.title}, ${metric.unit}`,
        under: [study, ...(condition === 'all' ? [] : [condition]), counted(tasks, 'task')].join(' · '),
      })),
    ],
    rows: models.map((row) => [
      modelCell(textOf(row, 'run'), textOf(row, 'model')),
      ...shown.map((main) => valueCell(main, main.rows.get(modelKey(row)))),
    ]),
  };
}

function valueCell({ metric }: MainMetric, row: Row | undefined): DataCell {
  if (row === undefined) return { text: missing, value: null };
  const range = rangeText(row, metric);
  const lines = [...(range === null ? [] : [range]), ...groupLine(row)];
  return { text: valueText(row, metric), value: numberOf(row, 'estimate'), under: lines };
}

/** `a · 1 – 3`. */
function groupLine(row: Row): string[] {
  if (row['rank'] === null || numberOf(row, 'n_models') < 2) return [];
  const [lo, hi] = [numberOf(row, 'rank_lo'), numberOf(row, 'rank_hi')];
  return [`${textOf(row, 'letters')} · ${lo === hi ? lo : `${lo} – ${hi}`}`];
}

function sentenceTable({ sentences }: Cards, models: readonly Row[], modelCell: ModelCell): DataTable {
  const said = new Map(sentences.map((one) => [modelKey({ run: one.run, model: one.model }), one.sentence]));
  return {
    title: 'What the intervals allow to say',
    note:
      'Ahead and behind count models that are shown to differ. Not told apart means that these tasks cannot tell, ' +
      'not that the models are equal.',
    words: 2,
    folded: models.length > mostOpen,
    heads: ['Model', 'In one sentence'],
    rows: models.map((row) => [
      modelCell(textOf(row, 'run'), textOf(row, 'model')),
      said.get(modelKey(row)) ?? missing,
    ]),
  };
}

function agreementParts({ card_agreement: agreement }: Cards, models: number): Part[] {
  if (agreement.length === 0) return [];
  const told = agreement.filter((row) => row['rho'] !== null);
  if (told.length > 0) return [agreementTable(told)];
  const most = Math.max(...agreement.map((row) => numberOf(row, 'n_models')));
  return [
    section('How far the rankings agree', [
      note(
        models < fewestModels || most < fewestModels
          ? `How far the rankings agree ${fewText(most)}.`
          : 'How far the rankings agree cannot be told: in each two of them all models are equal on one side.',
      ),
    ]),
  ];
}
