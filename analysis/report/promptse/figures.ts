/** The figures of the paper's four questions, over a study's own models. */
import type { AffectGroup } from '../../../domain/metrics/promptse/affect.ts';
import type { Estimate } from '../../estimate.ts';
import type { ModelAffect } from '../../promptse/affect.ts';
import type { PromptseBoardRow } from '../../promptse-board.ts';
import type { StudyQuestions } from '../../promptse-questions.ts';
import { type Html, html } from '../html.ts';
import { type ChartLine, lineSvg } from '../line-chart.ts';
import type { ModelColors } from '../model-colors.ts';
import { scatterSvg, type ScatterPoint } from '../scatter-chart.ts';
import { modelColor } from '../style.ts';

export interface FigureInput {
  readonly questions: StudyQuestions;
  /** Board rows of the study, of both methods. */
  readonly board: readonly PromptseBoardRow[];
  readonly colorOf: ModelColors;
}

const figure = (
  caption: string,
  note: string,
  svg: Html,
): Html => html`<figure><figcaption><span class="name">${caption}</span><span>${note}</span></figcaption>${svg}</figure>
`;

const panels = (figures: readonly Html[]): Html => (figures.length === 0 ? html`` : html`<div class="panels">${figures}</div>`);

const distanceAxis = { title: 'distance', format: '.1f', ticks: [0.1, 0.2, 0.3] } as const;
const fromOriginal = { title: 'distance (0: the original)', format: '.1f', ticks: [0, 0.1, 0.2, 0.3] } as const;
const byModel = 'one line per model';

const methodRows = (board: readonly PromptseBoardRow[], method: 'full' | 'light') =>
  board.filter((row) => row.method === method && row.aucE !== null);
const methodName = { full: 'PromptSE', light: 'PromptSELight' } as const;

/** Figures 1a and 1b, for both methods. */
export async function structureFigures({ board, colorOf }: FigureInput): Promise<Html> {
  const figures: Html[] = [];
  for (const method of ['full', 'light'] as const) {
    const rows = methodRows(board, method);
    if (rows.length < 2) continue;
    const point = (row: PromptseBoardRow, x: number): ScatterPoint => ({
      x,
      y: row.aucE?.value ?? 0,
      name: row.model,
      color: colorOf(row.model),
    });
    const y = { title: 'AUC-E', format: '.2f' };
    const passes = rows.map((row) => point(row, row.passAt1?.value ?? 0));
    const svg = await scatterSvg({ points: passes, x: { title: 'pass@1', format: '~%' }, y, lines: 'medians' });
    figures.push(figure('Performance and stability', `${methodName[method]}; dashes: medians`, svg));
    const sized = rows.flatMap((row) => (row.sizeB === null ? [] : [point(row, row.sizeB)]));
    if (sized.length < 2) continue;
    const sizes = await scatterSvg({ points: sized, x: { title: 'parameters, B', format: '~g', log: true }, y, lines: 'none' });
    figures.push(figure('Size and stability', methodName[method], sizes));
  }
  return panels(figures);
}

/** Figures 2a, 2c and 2d. */
export async function distanceFigures({ questions, board, colorOf }: FigureInput): Promise<Html> {
  const rows = methodRows(board, 'full').length > 0 ? methodRows(board, 'full') : methodRows(board, 'light');
  if (rows.length === 0) return html``;
  const method = rows[0]?.method ?? 'light';
  const named = rows.length <= 8;
  const at = [0.1, 0.2, 0.3];
  const elasticity = await lineSvg({
    lines: rows.map((row) => ({
      name: row.model,
      color: colorOf(row.model),
      points: row.elasticity.flatMap((one, index) => banded(at[index] ?? 0, one)),
    })),
    ...{ x: distanceAxis, y: { title: 'E(d)', format: '.2f' }, marked: true, named },
  });
  const score = method === 'full' ? 'SoftExec' : 'Pass rate';
  const changes = await lineSvg({
    lines: rows.map((row) => ({ name: row.model, color: colorOf(row.model), points: changesOf(row) })),
    ...{ x: fromOriginal, y: { title: `${score} − original’s`, format: '+.2f' }, marked: true, named, level: 0 },
  });
  const figures = [
    figure('Elasticity by distance', `${methodName[method]}, ${byModel}`, elasticity),
    figure(`Change of ${score === 'SoftExec' ? score : 'pass rate'}`, byModel, changes),
  ];
  const groups = [...new Set(questions.deltas.size?.spreads.flatMap(({ group }) => group ?? []))];
  if (groups.length > 0) {
    const lines = groups.map((name, index): ChartLine => ({ name, color: modelColor(index), points: spreadsOf(questions, name) }));
    const svg = await lineSvg({ lines, x: distanceAxis, y: { title: 'mean |Δ pass|', format: '.2f' }, marked: true, named: true });
    figures.push(figure('|Δ pass| by size', 'one line per size', svg));
  }
  return panels(figures);
}

const banded = (x: number, one: Estimate | null): ChartLine['points'] => (one === null ? [] : [{ x, y: one.value, ...one.interval }]);

const changesOf = ({ scoreOriginal, scores }: PromptseBoardRow): ChartLine['points'] =>
  scoreOriginal === null
    ? []
    : [
        { x: 0, y: 0 },
        ...scores.flatMap((score, index) => (score === null ? [] : [{ x: (index + 1) / 10, y: score.value - scoreOriginal.value }])),
      ];

const spreadsOf = ({ deltas }: StudyQuestions, name: string): ChartLine['points'] =>
  (deltas.size?.spreads ?? []).flatMap(({ group, distance, meanAbsolute }) =>
    group === name && distance !== null ? [{ x: distance, y: meanAbsolute }] : [],
  );

/** Figure 3a. */
export async function lightFigures({ board, colorOf }: FigureInput): Promise<Html> {
  const light = new Map(methodRows(board, 'light').map((row) => [row.model, row.aucE?.value ?? 0]));
  const points = methodRows(board, 'full').flatMap((row) => {
    const x = light.get(row.model);
    return x === undefined ? [] : [{ x, y: row.aucE?.value ?? 0, name: row.model, color: colorOf(row.model) }];
  });
  if (points.length < 2) return html``;
  const [x, y] = [
    { title: 'AUC-E, PromptSELight', format: '.2f' },
    { title: 'AUC-E, PromptSE', format: '.2f' },
  ];
  return panels([figure('Light and full', 'dashes: equal', await scatterSvg({ points, x, y, lines: 'equal' }))]);
}

/** Figures 3c, 3d, the calibration's drift over distance, and confidence along the answers. */
export async function affectFigures({ questions, board, colorOf }: FigureInput): Promise<Html> {
  const { affect } = questions;
  const of = (one: ModelAffect, by: AffectGroup['by']): AffectGroup | undefined => one.groups.find((group) => group.by === by);
  const aucE = new Map([...methodRows(board, 'light'), ...methodRows(board, 'full')].map((row) => [row.model, row]));
  const points = (
    x: (group: AffectGroup) => number | null,
    y: (group: AffectGroup) => number | null,
    facts?: (model: string) => string,
  ): ScatterPoint[] =>
    affect.flatMap((one) => {
      const group = of(one, 'variants');
      const [a, b] = group === undefined ? [null, null] : [x(group), y(group)];
      return a === null || b === null
        ? []
        : [{ x: a, y: b, name: one.model, ...(facts && { facts: facts(one.model) }), color: colorOf(one.model) }];
    });
  const factsOf = (model: string): string => {
    const row = aucE.get(model);
    return [row?.family, row?.sizeB == null ? null : `${row.sizeB} B`, row?.aucE?.value.toFixed(2)]
      .filter((part) => part != null)
      .join(', ');
  };
  const sensitive = points(
    ({ passRate }) => passRate?.value ?? null,
    ({ meanAbsoluteDelta }) => meanAbsoluteDelta?.value ?? null,
    factsOf,
  );
  const unsure = points(
    ({ sureFailures }) => sureFailures?.value ?? null,
    ({ unsureSuccesses }) => unsureSuccesses?.value ?? null,
  );
  const figures: Html[] = [];
  if (sensitive.length > 1) {
    const axes = { x: { title: 'pass rate under emotions', format: '~%' }, y: { title: 'mean |Δ pass|', format: '.2f' } };
    figures.push(
      figure('Performance and sensitivity', 'family, size, AUC-E', await scatterSvg({ points: sensitive, ...axes, lines: 'none' })),
    );
  }
  if (unsure.length > 1) {
    const axes = { x: { title: 'sure failures', format: '~%' }, y: { title: 'unsure successes', format: '~%' } };
    figures.push(
      figure('Over- and underconfidence', 'shares of all samples', await scatterSvg({ points: unsure, ...axes, lines: 'none' })),
    );
  }
  const drift = affect
    .map(({ model, groups }) => ({ name: model, color: colorOf(model), points: driftOf(groups) }))
    .filter((line) => line.points.length > 0);
  if (drift.length > 0) {
    const y = { title: 'ECE', format: '.2f' };
    figures.push(
      figure(
        'Calibration over distance',
        byModel,
        await lineSvg({ lines: drift, x: fromOriginal, y, marked: true, named: drift.length <= 8 }),
      ),
    );
  }
  return html`${panels(figures)}${await trajectoryPanels(affect, colorOf)}`;
}

const driftOf = (groups: readonly AffectGroup[]): ChartLine['points'] =>
  groups
    .filter(({ by }) => by === 'original' || by === 'distance')
    .flatMap(({ by, name, calibration }) => (calibration === null ? [] : banded(by === 'original' ? 0 : Number(name), calibration)));

/** More models are in the JSON form only. */
const mostTrajectories = 16;
/** Positions that fewer than this share of the answers reach are too few to compare. */
const reached = 0.1;

async function trajectoryPanels(affect: readonly ModelAffect[], colorOf: ModelColors): Promise<Html> {
  const given = affect.filter(({ passing, failing }) => passing.length + failing.length > 0);
  if (given.length === 0) return html``;
  const figures = given.slice(0, mostTrajectories).map(async ({ model, passing, failing }) => {
    const color = colorOf(model);
    const lines = [
      { name: 'passing', color, points: commonPart(passing) },
      { name: 'failing', color, dashed: true, points: commonPart(failing) },
    ].filter(({ points }) => points.length > 0);
    const [x, y] = [
      { title: 'token', format: 'd' },
      { title: 'mean log-probability', format: '.3~f' },
    ];
    return figure(model, 'dashes: failing', await lineSvg({ lines, x, y, marked: false, named: false }));
  });
  const more = given.length > mostTrajectories ? ` Of ${mostTrajectories} of ${given.length} models; the JSON form has all.` : '';
  return html`<h4>Confidence along the answers</h4>
<p class="note">Mean log-probability of the token at each position, samples that pass (line) and fail (dashes), as far as a tenth of them reach; bands: 95 %, Gaffke’s bounds over tasks, down to as far again below the lowest task as the tasks lie apart.${more}</p>${panels(await Promise.all(figures))}`;
}

function commonPart(points: ModelAffect['passing']): ChartLine['points'] {
  const most = Math.max(0, ...points.map(({ n }) => n));
  return points.filter(({ n }) => n >= reached * most).map(({ position, mean, interval }) => ({ x: position, y: mean, ...interval }));
}
