/** What requirements, and updates, gain in quality or time and pay in pass: a plot for each measure. */
import { type SolutionMetricName, solutionMetrics } from '../../../domain/metrics/solution-metrics.ts';
import type { NfrRow, RegressionRow } from '../../robunfr-board.ts';
import { type Html, html } from '../html.ts';
import type { ModelColors } from '../model-colors.ts';
import { measureName } from '../robunfr-data.ts';
import { pointShapes, tradeOffSvg } from '../trade-off-chart.ts';

/** Changes of one condition in percent, by metric; pass by suite. */
interface Changes {
  /** What has the same colour. */
  readonly who: string;
  readonly dimension: string;
  readonly hollow: boolean;
  readonly color: string;
  readonly rows: readonly { readonly metric: string; readonly suite: string | null; readonly percent: number }[];
}

/** Passing ones apart would repeat the same plot; time is wall time. */
const plotted = ['code_smell', 'unreadability', 'exception_handling', 'wall_ms'] as const satisfies readonly SolutionMetricName[];

/** Requirements against Function-Only; nothing where only pass was measured. */
export function requirementTradeOffs(rows: readonly NfrRow[], colorOf: ModelColors): Promise<Html> {
  const asked = rows.filter(({ dimension }) => dimension !== 'function-only');
  const conditions = Map.groupBy(asked, ({ model, workflow, dimension }) => JSON.stringify([model, workflow, dimension]));
  return panels(
    [...conditions.values()].flatMap((own) => {
      const [first] = own;
      if (first === undefined) return [];
      return [
        {
          who: first.model,
          dimension: first.dimension,
          hollow: first.workflow === 'nfr-enhanced',
          color: colorOf(first.model),
          rows: own.flatMap(({ metric, suite, deltaPercent }) =>
            deltaPercent === null ? [] : [{ metric, suite, percent: deltaPercent.value }],
          ),
        },
      ];
    }),
    'Function-Only',
  );
}

/** The new version against the old one. */
export function updateTradeOffs(rows: readonly RegressionRow[], colorOf: ModelColors): Promise<Html> {
  const conditions = Map.groupBy(rows, ({ dimension }) => dimension);
  return panels(
    [...conditions].map(([dimension, own]) => ({
      who: own[0]?.now ?? '',
      dimension,
      hollow: false,
      color: colorOf(own[0]?.now ?? ''),
      rows: own.flatMap(({ metric, suite, deltaPercent }) => (deltaPercent === null ? [] : [{ metric, suite, percent: deltaPercent }])),
    })),
    'the old version',
  );
}

async function panels(conditions: readonly Changes[], baseline: string): Promise<Html> {
  const suite = conditions.flatMap(({ rows }) => rows).find(({ metric }) => metric === 'pass_at_1')?.suite ?? null;
  const dimensions = [...new Set(conditions.map(({ dimension }) => dimension))];
  const figures: Html[] = [];
  for (const metric of plotted) {
    const points = conditions.flatMap(({ rows, dimension, ...condition }) => {
      const pass = rows.find((row) => row.metric === 'pass_at_1' && row.suite === suite)?.percent;
      const other = rows.find((row) => row.metric === metric)?.percent;
      if (pass === undefined || other === undefined) return [];
      return [{ x: pass, y: other, color: condition.color, hollow: condition.hollow, shape: shapeOf(dimensions, dimension) }];
    });
    if (points.length === 0) continue;
    const good = solutionMetrics[metric].direction === 'higher' ? ('up' as const) : ('down' as const);
    const name = measureName({ metric, suite: null });
    const y = { title: `change of ${name}, %`, format: '.3~g', good };
    const svg = await tradeOffSvg(points, { title: `change of pass@1 ${suite ?? ''}, %`, format: '.3~g' }, y);
    figures.push(
      html`<figure role="img" aria-label="${`Change of pass and of ${name}: ${points.length} conditions; the numbers are in the tables`}"><figcaption><span class="name">pass and ${name}</span><span>good: right and ${good}</span></figcaption>${svg}</figure>`,
    );
  }
  if (figures.length === 0) return html``;
  return html`<p class="note">Changes against ${baseline} in percent. Colour: ${[...new Set(conditions.map(({ who, color }) => JSON.stringify([who, color])))].map(legendOf)} Shape: ${dimensions.map((dimension) => `${marks[shapeOf(dimensions, dimension)]} ${dimension}`).join(', ')}${conditions.some(({ hollow }) => hollow) ? '; hollow: NFR-Enhanced' : ''}. The tinted corner is better in both.</p>
<div class="panels">${figures}</div>`;
}

function legendOf(pair: string): Html {
  const [who, color] = JSON.parse(pair) as [string, string];
  return html`<span class="legend"><span class="dot" style="background:${color}"></span>${who}</span>`;
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
