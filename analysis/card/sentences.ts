/** One sentence per model, from rows of `cards`. */
import { openMethod } from '../../domain/statistics/intervals/bounded-mean.ts';
import { type CardMetric, unitAfter } from '../../domain/card/card-metric.ts';
import { type BehindOn, cardSentence, type SentencePart } from '../../domain/card/sentence.ts';
import { numberOf, numberOrNull, textOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';
import type { KnownStudies, SaidModel, WorseVersion } from './card-source.ts';
import { rangeText, valueText } from './card-text.ts';
import { isBehind, isOfMain, type MainMetric, mainMetrics, modelKey, namedSuite, suiteOf } from './main-entries.ts';
import { repeatsAmong, repeatsText } from './repeated-prompts.ts';
import { promptsOf } from './study-answers.ts';
import { worseOf } from './worse-versions.ts';

/** In the order of the models' first rows. A model of several runs is named with its run. */
export function cardSentences(
  cards: readonly Row[],
  metrics: readonly CardMetric[],
  worse: readonly WorseVersion[] = [],
  known: KnownStudies = {},
): SaidModel[] {
  const shown = mainMetrics(cards, metrics, known);
  const isOfSeveral = new Set(cards.map((row) => row['run'])).size > 1;
  const models = new Map(cards.map((row) => [modelKey(row), row]));
  return [...models].map(([key, row]) => {
    const parts = shown.flatMap((main) => {
      const { metric, rows, elsewhere } = main;
      const own = rows.get(key);
      if (own === undefined) return [];
      const study = elsewhere.size === 0 ? null : textOf(own, 'study');
      const tasks = numberOf(own, 'n_tasks');
      const repeats = repeatsText(repeatsAmong(known.repeated ?? [], textOf(own, 'study'), tasks), tasks);
      const part = partOf(own, metric, suiteOf(own, cards), worse);
      const isOpen = own['method'] === openMethod && isOfMain(main, own) && tasks < main.tasks;
      const said = { ...part.said, prompts: promptsOf(own, known.answers), ...(isOpen && { allTasks: main.tasks }) };
      return [{ ...part, said, place: part.place && { ...part.place, behindOn: behindOn(main, own) }, study, repeats }];
    });
    const [run, model, simulated] = [textOf(row, 'run'), textOf(row, 'model'), row['simulated'] === true];
    const sentence = cardSentence(isOfSeveral ? `${model} (${run})` : model, simulated, parts);
    return { run, model, simulated, sentence };
  });
}

/** The other suites of the study that is shown on which the model of a row is shown to be behind. */
const behindOn = (main: MainMetric, own: Row): BehindOn[] =>
  main.otherSuites
    .filter((row) => isOfMain(main, own) && modelKey(row) === modelKey(own) && isBehind(row))
    .map((row) => ({ suite: namedSuite(row), better: numberOf(row, 'n_better'), models: numberOf(row, 'n_models') }));

function partOf(row: Row, metric: CardMetric, suite: string | null, worse: readonly WorseVersion[]): SentencePart {
  const [lo, hi] = [numberOrNull(row, 'estimate_lo'), numberOrNull(row, 'estimate_hi')];
  const range = rangeText(row, metric);
  const value = valueText(row, metric);
  const withUnit = `${value}${unitAfter(metric)}`;
  return {
    metric,
    said: {
      value: numberOf(row, 'estimate'),
      interval: lo === null ? null : { lo, hi },
      text: range === null ? withUnit : `${withUnit} (${range})`,
      ...(row['named_lo'] !== null && { loText: textOf(row, 'named_lo') }),
      ...{ tasks: numberOf(row, 'n_tasks'), ownTasks: numberOf(row, 'n_own_tasks') },
      ...{ condition: textOf(row, 'condition'), suite },
      ...(metric.trait === 'versions' && { worse: worseOf(row, worse) }),
    },
    place:
      row['rank'] === null
        ? null
        : {
            ...{ better: numberOf(row, 'n_better'), worse: numberOf(row, 'n_worse') },
            models: numberOf(row, 'n_models'),
          },
  };
}
