/** Reasoning effort against cost: a curve for each study and model, and the table behind it. */
import { boundedMeanMethod } from '../../../domain/statistics/intervals/bounded-mean.ts';
import type { EffortPoint } from './effort-curve.ts';
import { count, estimatedShare, number } from '../cells.ts';
import { lineSvg } from '../charts/line-chart.ts';
import { missing, usdText } from '../format.ts';
import { type DataCell, type DataTable, type Figure, type Section, section } from '../part.ts';
import type { ReportContext } from '../study-report.ts';

export const effortSection = (points: readonly EffortPoint[], context: ReportContext): Section =>
  section('Reasoning effort and its cost', [curves(points, context), effortTable(points, context)], {
    ...{ id: 'efforts', name: 'Efforts' },
  });

/** What an answer costs: USD where all calls have a price that is not 0, else tokens. */
function costOf(points: readonly EffortPoint[]): { title: string; of: (point: EffortPoint) => number } {
  const isPaid = points.every(({ usd }) => usd !== null && usd > 0);
  return isPaid
    ? { title: 'USD per answer', of: ({ usd, asked }) => (usd ?? 0) / Math.max(1, asked) }
    : { title: 'output tokens per answer', of: tokensPerAnswer };
}

const tokensPerAnswer = ({ outputTokens, asked }: EffortPoint): number => outputTokens / Math.max(1, asked);

function curves(points: readonly EffortPoint[], { colorOf, severalRuns }: ReportContext): Figure {
  const studies = Map.groupBy(
    points.filter(({ solved, asked }) => solved !== null && asked > 0),
    ({ run, study }) => (severalRuns ? `${run}, ${study}` : study),
  );
  return {
    kind: 'figure',
    note:
      'A point for each effort, with its interval as a band; further right costs more. An effort whose answers all ' +
      'are another study’s or run’s has no cost of its own, and no point.',
    panels: [...studies].map(([caption, own]) => {
      const { title, of } = costOf(own);
      const lines = [...Map.groupBy(own, ({ model }) => model)].map(([name, line]) => ({
        name,
        color: colorOf(name),
        points: line
          .map((point) => ({ x: of(point), y: point.solved ?? 0, ...point.interval }))
          .toSorted((a, b) => a.x - b.x),
      }));
      const axes = { x: { title, format: '~s' }, y: { title: 'share solved', format: '.0%' } };
      return { caption, chart: () => lineSvg({ lines, ...axes, marked: true, named: true }) };
    }),
  };
}

function effortTable(points: readonly EffortPoint[], { model, severalRuns }: ReportContext): DataTable {
  return {
    title: 'Share solved and cost at each effort',
    note:
      'Solved: mean, over the n tasks that were judged at all efforts of the model, of the share of first programs ' +
      'that pass. Tokens and USD include all calls made for a ' +
      'model, and are divided by the answers that these brought: those that another study or run asked for are in ' +
      `neither. 95 % intervals: ${boundedMeanMethod}, with all that tasks that were not judged allow.`,
    words: severalRuns ? 4 : 3,
    heads: [
      ...(severalRuns ? ['Run'] : []),
      ...['Study', 'Model', 'Effort', 'solved', 'n', 'answers asked', 'output tokens per answer', 'of them thoughts'],
      ...['USD', 'USD per answer'],
    ],
    rows: points.map((point) => [
      ...(severalRuns ? [point.run] : []),
      ...[point.study, model(point.run, point.model), point.effort],
      estimatedShare(point.solved === null ? null : { value: point.solved, interval: point.interval }),
      ...[count(point.nTasks), count(point.asked)],
      ...[point.outputTokens, point.reasoningTokens].map((tokens) =>
        perAnswer(tokens, point, (each) => number(each, 0)),
      ),
      ...[usdCell(point.usd), perAnswer(point.usd, point, usdCell)],
    ]),
  };
}

/** Unknown if no answer was asked. */
const perAnswer = (total: number | null, { asked }: EffortPoint, cellOf: (each: number | null) => DataCell): DataCell =>
  cellOf(total === null || asked === 0 ? null : total / asked);

const usdCell = (usd: number | null) => ({ text: usd === null ? missing : usdText(usd), value: usd });
