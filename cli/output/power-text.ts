/** What `power` and `plan --detect` print. */
import { count, number } from '../../analysis/report/cells.ts';
import { decimals, missing, shareText, usdText } from '../../analysis/report/format.ts';
import type { DataCell, DataTable } from '../../analysis/report/part.ts';
import { tableLines } from '../../analysis/report/text/terminal.ts';
import type { ObservedComparison } from '../../analysis/power/observed-comparison.ts';
import { counted } from '../../domain/counted.ts';
import { nameList } from '../../domain/name-list.ts';
import type { NamedDesign, PowerAdvice, PowerQuestion } from '../../domain/statistics/power/advice.ts';
import type { AnswerSpread } from '../../domain/statistics/power/answer-spread.ts';
import { mostTasks } from '../../domain/statistics/power/comparison-design.ts';
import type { ObservedSpread } from '../../domain/statistics/power/observed-spread.ts';
import { smallestText } from './smallest-text.ts';
import { plain } from './terminal.ts';

/** The variances that a question was answered with. */
export interface VarianceSource {
  readonly spread: AnswerSpread;
  /** Null if they were stated. */
  readonly from: ObservedComparison | null;
}

export interface PowerAnswer {
  readonly question: PowerQuestion;
  readonly source: VarianceSource;
  readonly advice: PowerAdvice;
  /** Tasks that there are; null: as many as needed. */
  readonly tasks: number | null;
  /** Whether designs were compared by cost; else by answers. */
  readonly isPriced: boolean;
}

export function powerText(answer: PowerAnswer): string {
  const { source } = answer;
  return [
    verdict(answer),
    tableLines(designTable(answer), plain),
    `power: for ${points(answer.question.difference)}; sees from: the smallest difference with the wanted power${
      answer.isPriced ? '; USD: both models' : ''
    }`,
    ...varianceLines(source),
    ...(source.from?.notes ?? []).map((line) => `note: ${plain(line)}`),
  ].join('\n');
}

const points = (difference: number): string => `${Number((100 * difference).toPrecision(10))} points`;

function verdict({ question, advice, tasks, isPriced }: PowerAnswer): string {
  const wanted = `to see ${points(question.difference)} with ${shareText(question.power)} power`;
  const cheapest = advice.designs.find(({ name }) => name === 'cheapest');
  if (cheapest !== undefined)
    return (
      `${wanted}: ${counted(cheapest.tasks, 'task')}, ${sizeText(cheapest)} ` +
      `(${isPriced ? 'the cheapest split' : 'the fewest answers'})`
    );
  const answers = ({ repetitions, samples }: NamedDesign): number => repetitions * samples;
  const [seen] = advice.designs
    .filter(({ name }) => name !== 'planned')
    .toSorted((one, two) => (one.smallest ?? 1) - (two.smallest ?? 1) || answers(one) - answers(two));
  const best = seen === undefined ? '' : `: ${bestText(seen, smallestText({ question, advice }))}`;
  const there = tasks ?? mostTasks;
  return `${wanted}, ${counted(there, 'task')} ${there === 1 ? 'is' : 'are'} too few${best}`;
}

const bestText = (seen: NamedDesign, textOf: (design: NamedDesign) => string): string =>
  seen.smallest === null
    ? 'no difference is shown, however many answers there are'
    : `at best they show ${textOf(seen)}, with ${sizeText(seen)}`;

const sizeText = ({ repetitions, samples }: NamedDesign): string =>
  [counted(repetitions, 'repetition'), ...(samples === 1 ? [] : [counted(samples, 'sample')])].join(' x ');

function designTable({ question, advice, isPriced }: PowerAnswer): DataTable {
  const seenFrom = smallestText({ question, advice });
  const hasSamples = advice.designs.some(({ samples }) => samples > 1);
  return {
    words: 1,
    heads: [
      ...['design', 'tasks', 'repetitions'],
      ...(hasSamples ? ['samples'] : []),
      ...(isPriced ? ['USD'] : []),
      ...['power', 'sees from'],
    ],
    rows: advice.designs.map((design) => [
      ...[design.name, count(design.tasks), count(design.repetitions)],
      ...(hasSamples ? [count(design.samples)] : []),
      ...(isPriced ? [usdCell(design.usd)] : []),
      { text: shareText(design.power), value: design.power },
      { text: seenFrom(design), value: design.smallest },
    ]),
  };
}

const usdCell = (usd: number | null): DataCell => ({ text: usd === null ? missing : usdText(usd), value: usd });

function varianceLines({ spread, from }: VarianceSource): string[] {
  if (from === null) {
    const parts = [`between tasks ${number(spread.between).text}`, `total ${number(spread.total).text}`];
    return [`variances, stated: ${parts.join(', ')}, shared ${number(spread.shared).text}`];
  }
  const { run, study, models, tasks, answers, observed } = from;
  const asked = `${counted(models.length, 'model')} (${nameList(models)})`;
  const base = `${asked}, ${counted(tasks, 'task')}, ${counted(answers, 'answer')}`;
  return [plain(`variances, from run ${run}, study ${study.name}: ${base}`), `  ${partsText(observed)}`];
}

function partsText({ between, within, correlation, spread }: ObservedSpread): string {
  const text = (name: string, estimate: ObservedSpread['between']): string =>
    estimate === null
      ? `${name} unknown`
      : `${name} ${decimals(estimate.value)}${
          estimate.interval === null ? '' : ` (${decimals(estimate.interval.lo)} to ${decimals(estimate.interval.hi)})`
        }`;
  return [
    text('between tasks', between),
    text('within a task', within),
    text('correlation of two models', correlation),
    `of one answer ${decimals(spread.total)}`,
  ].join(', ');
}

/** The answer as JSON. */
export function powerDocument({ question, source, advice, tasks }: PowerAnswer) {
  const { from, spread } = source;
  return {
    detectPoints: 100 * question.difference,
    power: question.power,
    alpha: question.alpha,
    tasks,
    reachable: advice.isReachable,
    designs: advice.designs.map(({ smallest, ...design }) => ({
      ...design,
      smallestPoints: smallest === null ? null : 100 * smallest,
    })),
    variances: {
      ...spread,
      ...(from === null
        ? { from: 'stated' }
        : {
            from: from.run,
            study: from.study.name,
            setting: from.setting,
            models: from.models,
            tasks: from.tasks,
            answers: from.answers,
            estimates: {
              between: from.observed.between,
              within: from.observed.within,
              correlation: from.observed.correlation,
            },
          }),
    },
    notes: from?.notes ?? [],
  };
}
