/** The cards in a report and in a comparison: a board of all models, a sentence for each, and how rankings agree. */
import { fewestModels, fewText } from '../../domain/card/agreement.ts';
import { headline } from '../../domain/card/headline.ts';
import { subjectName, wordList } from '../../domain/card/sentence.ts';
import { numberOf, numberOrNull, textOf } from '../../domain/metrics/row-order.ts';
import { groupsIn } from '../../domain/statistics/ranks/compact-letters.ts';
import type { Row } from '../../schemas/tables.ts';
import { levelText, missing } from '../report/format.ts';
import { type DataTable, lead, note, type Part, paragraph, type Section, section } from '../report/part.ts';
import { agreementTable } from './agreement-table.ts';
import { apartElsewhere } from './apart-elsewhere.ts';
import { boardTable } from './card-board.ts';
import type { Evidence, ModelCell } from './card-cells.ts';
import type { Cards } from './card-source.ts';
import { isOfMain, type MainMetric, mainMetrics, modelKey, rankedRows } from './main-entries.ts';
import { otherwiseText } from './otherwise.ts';
import { repeatsText } from './repeated-prompts.ts';
import { smallestShown } from './smallest-shown.ts';
import { tradeOffs } from './trade-offs.ts';
import { unrankedText } from './unranked-text.ts';
import { worseText } from './worse-versions.ts';

/** Empty if no metric has a value. @param evidence none on a page without examples */
export function cardSection(cards: Cards, modelCell: ModelCell, evidence?: Evidence): Section {
  const shown = mainMetrics(cards.cards, cards.metrics, cards);
  const models = orderedModels(cards, shown);
  return section('All models', shown.length === 0 ? [] : cardParts(cards, shown, models, { modelCell, evidence }), {
    ...{ id: 'cards', name: 'All models' },
  });
}

const cardParts = (
  cards: Cards,
  shown: readonly MainMetric[],
  models: readonly Row[],
  { modelCell, evidence }: { readonly modelCell: ModelCell; readonly evidence: Evidence | undefined },
): Part[] => [
  lead(answerOf(cards, shown, models)),
  { ...boardTable(shown, models, modelCell, evidence), method: boardNote(cards.cards) },
  note(boardKey(shown)),
  tradeOffs(shown, models, modelCell),
  section('How to read the board', [paragraph(boardNote(cards.cards))], { folded: true }),
  section('In one sentence each', [sentenceTable(cards, models, modelCell)], { folded: true }),
  section('How far the rankings agree', agreementParts(cards, models.length), { folded: true }),
];

/** Whose estimate is best in what; of a single model, its own sentence. */
function answerOf(
  { cards, sentences, worse, answers = [] }: Cards,
  shown: readonly MainMetric[],
  models: readonly Row[],
): string {
  const isOfSeveral = new Set(models.map((row) => row['run'])).size > 1;
  const nameOf = (row: Row): string => `${textOf(row, 'model')}${isOfSeveral ? ` (${textOf(row, 'run')})` : ''}`;
  const firsts = new Map(shown.toReversed().map((main) => [main.metric.aspect ?? main.metric.trait, main] as const));
  const mains = [...firsts.values()].toReversed();
  const { common, studyOf } = studiesOf(mains);
  const standings = mains.map((main) => {
    const rows = rankedRows(main, models);
    return {
      main,
      subject: `${subjectName(main.metric, { ...main, study: studyOf(main) })}${repeatsText(main.repeats, main.tasks)}`,
      models: rows.map((row) => ({
        ...{ name: nameOf(row), rank: numberOf(row, 'rank'), groups: groupsIn(textOf(row, 'letters')) },
        ...{ better: numberOf(row, 'n_better'), worse: numberOf(row, 'n_worse') },
      })),
      smallest: smallestShown(main.metric, rows),
      apartIn: apartElsewhere(main, answers),
    };
  });
  const said = headline(standings, common, models.filter((row) => isUnjudged(row, cards)).map(nameOf));
  const without = models.length > 1 ? unrankedText(standings) : '';
  if (said === '') return without === '' ? (sentences[0]?.sentence ?? '') : without;
  const more = without === '' ? '' : ` ${without}`;
  return `${said}${otherwiseText(standings, { cards, answers }, nameOf)}${worseText(worse, nameOf)}${more}`;
}

/** Whether a model has answers, and no task with a value in any metric but cost and time. */
function isUnjudged(model: Row, cards: readonly Row[]): boolean {
  const own = cards.filter((row) => modelKey(row) === modelKey(model) && row['trait'] !== 'cost');
  return (
    own.length > 0 && own.every((row) => row['estimate'] === null && (numberOrNull(row, 'n_own_tasks') ?? 0) === 0)
  );
}

/** A study is named where another has the metric too: once if it is the same for all. */
function studiesOf(mains: readonly MainMetric[]): {
  readonly common: string | null;
  readonly studyOf: (main: MainMetric) => string | null;
} {
  const isNamed = mains.some(({ elsewhere }) => elsewhere.size > 0);
  const common = isNamed && new Set(mains.map(({ study }) => study)).size === 1 ? (mains[0]?.study ?? null) : null;
  return {
    common,
    studyOf: ({ study, elsewhere }) => (common === null && elsewhere.size > 0 ? study : null),
  };
}

/** One row of each model, the best in the first metric first. */
function orderedModels({ cards }: Cards, [first]: readonly MainMetric[]): Row[] {
  const rankOf = (row: Row): number => {
    const own = first?.rows.get(modelKey(row));
    return first !== undefined && own !== undefined && isOfMain(first, own)
      ? (numberOrNull(own, 'rank') ?? Infinity)
      : Infinity;
  };
  return [...new Map(cards.map((row) => [modelKey(row), row])).values()].toSorted((a, b) =>
    order(rankOf(a), rankOf(b)),
  );
}

const order = (a: number, b: number): number => (a === b ? 0 : a - b);

/** What one must know to read the board at all. */
function boardKey(shown: readonly MainMetric[]): string {
  const level = levelText(numberOf([...(shown[0]?.rows.values() ?? [])][0] ?? { confidence: 0.95 }, 'confidence'));
  const lower = shown.filter(({ metric }) => metric.direction === 'lower');
  const less = lower.map(({ metric }) => metric.title.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()));
  return (
    `With each value its ${level} interval. Models that share a letter are not told apart.` +
    (less.length === 0 ? '' : ` Less is better in ${wordList(less)}.`)
  );
}

function boardNote([first]: readonly Row[]): string {
  const level = first === undefined ? '' : levelText(numberOf(first, 'confidence'));
  return (
    'Each metric on the tasks that all its models share; cost and time on all tasks for which a model paid itself. ' +
    'Costs are compared in pairs on the tasks that two models share, and have no ranks where the number of a task’s ' +
    'questions follows from the answers, or where runs have other settings. Times are not ranked, because one slow ' +
    `moment of an endpoint slows many calls in a row. Under a value are its ${level} interval, with all that answers ` +
    'that could not be judged allow, its rank group and its rank interval. Two models share a letter exactly if no ' +
    'difference between them was shown; all differences that are shown in a metric are right together, with this ' +
    'confidence, in each study by itself. A metric of several studies is shown from the one with the most models, ' +
    'then the most tasks with different prompts, then the most answers of a model; table cards has all.'
  );
}

function sentenceTable({ sentences }: Cards, models: readonly Row[], modelCell: ModelCell): DataTable {
  const said = new Map(sentences.map((one) => [modelKey({ run: one.run, model: one.model }), one.sentence]));
  return {
    note:
      'Ahead and behind count models that are shown to differ. Not told apart means that these tasks cannot tell, ' +
      'not that the models are equal.',
    words: 2,
    heads: ['Model', 'In one sentence'],
    rows: models.map((row) => {
      // The address belongs to the row of the board.
      const { id: _, ...name } = modelCell(textOf(row, 'run'), textOf(row, 'model'));
      return [name, said.get(modelKey(row)) ?? missing];
    }),
  };
}

function agreementParts({ card_agreement: agreement }: Cards, models: number): Part[] {
  if (agreement.length === 0) return [];
  const told = agreement.filter((row) => row['rho'] !== null);
  if (told.length > 0) return [agreementTable(told)];
  const most = Math.max(...agreement.map((row) => numberOf(row, 'n_models')));
  return [
    note(
      models < fewestModels || most < fewestModels
        ? `How far the rankings agree ${fewText(most)}.`
        : 'How far the rankings agree cannot be told: in each two of them all models are equal on one side.',
    ),
  ];
}
