/** pass@1 of first answers to unchanged prompts, for cards: each task's share of answers that pass. */
import { excludedList } from '../excluded-list.ts';
import { isFirstAnswer } from '../first-answers.ts';
import { type CardMetric, ofPrompts, onSuite, type SaidEstimate } from '../../domain/card/card-metric.ts';
import { counted } from '../../domain/counted.ts';
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';
import type { RunDatabase } from '../database.ts';
import { ownRows, type Sides } from '../gate/compared.ts';
import { records } from '../records.ts';
import { percentEnd, percentNumber } from '../report/format.ts';
import { groupedAtATime, taskSlices } from '../slices/task-slices.ts';
import { countsSql } from '../answers/without-reference.ts';
import { quoteText } from '../views.ts';
import type { CardSource } from './card-source.ts';
import { type SharesOfAll, sharesByTask, sharesOfAll } from './task-shares.ts';

export const passMetric: CardMetric = {
  ...{ name: 'pass_at_1', title: 'pass@1', trait: 'correctness', direction: 'higher', unit: '%' },
  meaning: 'How many tasks the first answer to the unchanged prompt solves, in %',
  text: percentNumber,
  endText: percentEnd,
  says: (said) => `passes ${passedText(said)}${ofPrompts(said)}${onSuite(said)}`,
};

/** `100.0 % of the 97 of 200 tasks that could be judged (41.4 – 100.0 with the others)`. */
function passedText({ text, tasks, allTasks = tasks }: SaidEstimate): string {
  if (allTasks === tasks) return `${text} of ${counted(tasks, 'task')}`;
  const judged = `of the ${tasks} of ${counted(allTasks, 'task')} that could be judged`;
  return text.replace(/ \((?<range>.*)\)$/, ` ${judged} ($<range> with the others)`);
}

/**
 * As `compare` has it: all judged answers of a model to the prompts that every model has answered; and what that share
 * may be with the answers that could not be judged.
 * @param setting the only one that counts; null: all do @param prompts as `PassAnswers` has them
 */
export const firstPassesIn = (setting: string | null, prompts: string | null = null): CardSource => ({
  metrics: [passMetric],
  passes: { where: isFirstAnswer(setting), prompts },
  read: async (database, { sides, withoutReference = new Map() }) => {
    const first = `${answered(sides, setting)} AND ${countsSql(withoutReference)}`;
    const tasks = await records(database, tasksSql(first));
    const found = await answerShares(database, { where: first, sides: sides.length }, tasks);
    const ownTasks = new Map(tasks.map((row) => [sideName(row), numberOf(row, 'tasks')]));
    return found.suites().map((suite) => {
      const own = sides.map(({ manifest, model }) => found.of(suite, manifest.runId, model));
      const valuesOf = (column: 'passed' | 'least' | 'most') =>
        own.map((side) => sharesByTask(side.tasks, side[column]));
      return {
        ...{ metric: passMetric, condition: suite, range: { kind: 'bounded', lo: 0, hi: 100 } },
        values: valuesOf('passed'),
        ...(own.some(({ unjudged }) => unjudged > 0) && {
          extremes: { least: valuesOf('least'), most: valuesOf('most') },
        }),
        ownTasks: sides.map(({ manifest, model }, side) =>
          own[side]?.tasks.length === 0 ? 0 : (ownTasks.get(nameOf(suite, manifest.runId, model)) ?? 0),
        ),
      };
    });
  },
});

export const firstPasses = firstPassesIn(null);

const nameOf = (...parts: readonly string[]): string => JSON.stringify(parts);

const sideName = (row: Row): string => nameOf(textOf(row, 'suite'), textOf(row, 'run'), textOf(row, 'model'));

/** SQL condition for the verdicts on first answers. */
const answered = (sides: Sides['sides'], setting: string | null): string =>
  `(${sides.map((side) => `(${ownRows(side)})`).join(' OR ')}) AND ${isFirstAnswer(setting)}`;

/** Verdicts on the first answers of several sides. */
interface FirstAnswers {
  /** SQL condition. */
  readonly where: string;
  readonly sides: number;
}

const isJudged = `outcome NOT IN (${excludedList})`;

/** The number of tasks of each side with a judged answer, by suite. */
const tasksSql = (where: string): string => `
  SELECT run, model, suite, count(DISTINCT task_id)::INT AS tasks FROM verdicts
  WHERE ${where} AND ${isJudged} GROUP BY ALL`;

/** The repetitions and draws of each setting that all sides have. */
const placesSql = ({ where, sides }: FirstAnswers): string => `
  SELECT setting, repetition, sample FROM verdicts WHERE ${where} GROUP BY ALL
  HAVING count(DISTINCT (run, model)) = ${sides} ORDER BY ALL`;

/** Some tasks at a time, so that DuckDB holds only their answers. In the order of the tasks. */
async function answerShares(database: RunDatabase, first: FirstAnswers, own: readonly Row[]): Promise<SharesOfAll> {
  const found = sharesOfAll();
  const places = await records(database, placesSql(first));
  if (own.length === 0 || places.length === 0) return found;
  const list = (rows: readonly Row[], valuesOf: (row: Row) => readonly (string | number)[]): string =>
    rows.map((row) => `(${valuesOf(row).join(', ')})`).join(', ');
  const counts = Map.groupBy(own, (row) => textOf(row, 'suite'));
  const [present, asked] = [
    list(own, (row) => [
      ...['suite', 'run', 'model'].map((column) => quoteText(textOf(row, column))),
      counts.get(textOf(row, 'suite'))?.length ?? 0,
    ]),
    list(places, (row) => [quoteText(textOf(row, 'setting')), numberOf(row, 'repetition'), numberOf(row, 'sample')]),
  ];
  for (const tasks of await taskSlices(database, first.where, groupedAtATime))
    for (const row of await records(database, sharesSql(`${first.where} AND ${tasks}`, present, asked))) found.add(row);
  return found;
}

const prompt = 'suite, task_id, setting';

/**
 * By side, suite and task: percent of the judged answers that pass, over the prompts for which all sides have an
 * answer; and with the other answers failed, and passed. A prompt counts by its places.
 * @param where SQL condition on `verdicts` @param present by suite and side, the number of sides, as SQL values
 * @param places setting, repetition and sample, as SQL values
 */
const sharesSql = (where: string, present: string, places: string): string => `
  WITH present AS (SELECT * FROM (VALUES ${present}) AS found (suite, run, model, sides)),
  places AS (SELECT * FROM (VALUES ${places}) AS found (setting, repetition, sample)),
  weights AS (SELECT setting, count(*) AS weight FROM places GROUP BY ALL),
  asked AS (
    SELECT run, model, ${prompt}, sides, count(*) AS answers, count(*) FILTER (${isJudged}) AS judged,
      count(*) FILTER (outcome = 'pass') AS passed
    FROM verdicts JOIN places USING (setting, repetition, sample) JOIN present USING (suite, run, model)
    WHERE ${where} GROUP BY ALL),
  shared AS (
    SELECT *, count(*) OVER (PARTITION BY ${prompt}) = sides AS is_asked FROM asked JOIN weights USING (setting))
  SELECT run, model, suite, task_id, sum(answers - judged)::INT AS unjudged,
    ${weighted('passed / judged', 'is_asked AND judged > 0')} AS passed,
    ${weighted('passed / answers', 'is_asked')} AS least,
    ${weighted('(passed + answers - judged) / answers', 'is_asked')} AS most
  FROM shared GROUP BY ALL ORDER BY ALL`;

const weighted = (share: string, where: string): string =>
  `100 * sum(weight * ${share}) FILTER (${where}) / sum(weight) FILTER (${where})`;
