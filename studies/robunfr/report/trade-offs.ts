/** What requirements and updates gain in quality or time and lose in pass: one plot per measure. */
import type { Figure, LegendEntry, Panel } from '../../../analysis/report/part.ts';
import type { ReportContext } from '../../../analysis/report/study-report.ts';
import type { NfrRow, RegressionRow } from '../results/board.ts';
import { type SolutionMetricName, solutionMetrics } from '../../../domain/metrics/solution-metrics.ts';
import { groupsBy } from './groups.ts';
import { isPlain, measureName } from './names.ts';
import { pointShapes, type TradeOffPoint, tradeOffSvg } from './trade-off-chart.ts';

/** Changes of one condition in percent, by metric; pass by suite. */
interface Changes {
  /** Model; points of one model have the same colour. */
  readonly who: string;
  readonly dimension: string;
  readonly hollow: boolean;
  readonly color: string;
  readonly rows: readonly { readonly metric: string; readonly suite: string | null; readonly percent: number }[];
}

/** Time is wall time; times of passing solutions would give nearly the same plot. */
const plotted = [
  'code_smell',
  'unreadability',
  'exception_handling',
  'wall_ms',
] as const satisfies readonly SolutionMetricName[];

/** Requirements against Function-Only; no panels if only pass was measured. */
export function requirementTradeOffs(rows: readonly NfrRow[], { colorOf }: ReportContext): Figure {
  const asked = rows.filter((row) => !isPlain(row));
  const conditions = groupsBy(asked, ({ model, workflow, dimension }) => [model, workflow, dimension]).map(
    (own): Changes => ({
      who: own[0].model,
      dimension: own[0].dimension,
      hollow: own[0].workflow === 'nfr-enhanced',
      color: colorOf(own[0].model),
      rows: own.flatMap(({ metric, suite, deltaPercent }) =>
        deltaPercent === null ? [] : [{ metric, suite, percent: deltaPercent.value }],
      ),
    }),
  );
  return { ...tradeOffFigure(conditions, 'Function-Only'), title: 'Trade-offs between pass and quality or time' };
}

/** The new version against the old one. */
export function updateTradeOffs(rows: readonly RegressionRow[], { colorOf }: ReportContext): Figure {
  const conditions = groupsBy(rows, ({ dimension }) => [dimension]).map(
    (own): Changes => ({
      who: own[0].now,
      dimension: own[0].dimension,
      hollow: false,
      color: colorOf(own[0].now),
      rows: own.flatMap(({ metric, suite, deltaPercent }) =>
        deltaPercent === null ? [] : [{ metric, suite, percent: deltaPercent }],
      ),
    }),
  );
  return tradeOffFigure(conditions, 'the old version');
}

function tradeOffFigure(conditions: readonly Changes[], baseline: string): Figure {
  const dimensions = [...new Set(conditions.map(({ dimension }) => dimension))];
  const shapes = dimensions.map((dimension) => `${marks[shapeOf(dimensions, dimension)]} ${dimension}`).join(', ');
  const hollow = conditions.some((condition) => condition.hollow) ? '; hollow: NFR-Enhanced' : '';
  return {
    kind: 'figure',
    note: `Changes from ${baseline} in percent. Shapes: ${shapes}${hollow}. The tinted corner is better in both.`,
    legend: legendOf(conditions),
    panels: plotted.flatMap((metric) => panelOf(metric, conditions, dimensions)),
  };
}

const legendOf = (conditions: readonly Changes[]): LegendEntry[] => [
  ...new Map(conditions.map(({ who, color }) => [who, { color, text: who }])).values(),
];

/** Empty if no condition has both changes. */
function panelOf(
  metric: (typeof plotted)[number],
  conditions: readonly Changes[],
  dimensions: readonly string[],
): Panel[] {
  const suite = conditions.flatMap(({ rows }) => rows).find((row) => row.metric === 'pass_at_1')?.suite ?? null;
  const points = conditions.flatMap(({ rows, dimension, color, hollow }): TradeOffPoint[] => {
    const x = rows.find((row) => row.metric === 'pass_at_1' && row.suite === suite)?.percent;
    const y = rows.find((row) => row.metric === metric)?.percent;
    return x === undefined || y === undefined ? [] : [{ x, y, color, hollow, shape: shapeOf(dimensions, dimension) }];
  });
  if (points.length === 0) return [];
  const good = solutionMetrics[metric].direction === 'higher' ? ('up' as const) : ('down' as const);
  const name = measureName({ metric, suite: null });
  const axis = (what: string) => ({ title: `change of ${what}, %`, format: '.3~g' });
  const chart = () => tradeOffSvg(points, axis(`pass@1 ${suite ?? ''}`), { ...axis(name), good });
  return [{ caption: `pass and ${name}`, aside: `good: right and ${good}`, chart }];
}

type Shape = (typeof pointShapes)[number];
const shapeOf = (dimensions: readonly string[], dimension: string): Shape =>
  pointShapes[dimensions.indexOf(dimension) % pointShapes.length] ?? 'circle';

const marks: Readonly<Record<Shape, string>> = {
  circle: '●',
  square: '■',
  'triangle-up': '▲',
  diamond: '◆',
  cross: '✚',
  'triangle-down': '▼',
  'triangle-right': '▶',
  'triangle-left': '◀',
};
