/** The report's part on PartialOrderEval: curves, sufficient levels, violations, sizes, prompt sets, and the paper's values beside them. */
import published from '../../data/published/partialordereval.json' with { type: 'json' };
import { type Curve, curveNames, curves } from '../../domain/metrics/specificity-scores.ts';
import type { Row } from '../../schemas/tables.ts';
import { countText, decimals, missing, pText, shareText } from './format.ts';
import { type Html, html } from './html.ts';
import type { ModelColors } from './model-colors.ts';
import { modelName } from './model-name.ts';
import { type CurveSeries, curveSvg, pointOf } from './specificity-charts.ts';
import type { SpecificityReport, SpecificityStudyReport } from './specificity-data.ts';
import { driversSection } from './specificity-drivers-section.ts';
import { themesSection } from './specificity-themes-section.ts';
import { setsSection } from './specificity-sets-section.ts';

export const specificityMethod = [
  'PartialOrderEval asks every task in prompts of different detail: minimal (preamble and signature only), the benchmark’s original, a maximally detailed description, and what is made of that one: summaries of at most so many words, samples of its paragraphs, and the description with a block of its sentences masked. Preamble, signature and imports are the same in all of them.',
  'pass@1 of a level is the mean over tasks; where a level has several prompts for a task, the task’s score is the share of them that passed. Intervals are Gaffke’s bounds over tasks: they assume nothing but scores between 0 and 1, hold 95 % with few tasks and near 0 and 1, and are Clopper and Pearson’s where each task has one prompt. A level is sufficient when its pass@1 is within x of the maximal prompt’s; the interval of the smallest one runs from the first level that is not shown to be insufficient to the first that is shown to suffice.',
  'More detail should never hurt. Every pair of levels of which one has less detail is tested, paired by task: McNemar’s exact test where each has one prompt, otherwise the sign-flip test, which swaps the two levels within tasks. All pairs of a model are one family, adjusted by Holm and by Benjamini and Hochberg. The original is outside of the order.',
  'Where the check model is also under study, the maximal prompts were chosen by its own success: its values at all levels but minimal and original are too good, and are marked.',
] as const;

/** Nothing where no run has such a study. */
export async function specificitySection({ studies }: SpecificityReport, colorOf: ModelColors, severalRuns: boolean): Promise<Html> {
  if (studies.length === 0) return html``;
  const sections = await Promise.all(studies.map((study) => studySection(study, colorOf, severalRuns)));
  return html`<div id="detail">${sections}${publishedSection(studies)}
<section><h3>How to read the curves</h3>${specificityMethod.map((paragraph) => html`<p>${paragraph}</p>`)}</section></div>`;
}

async function studySection(study: SpecificityStudyReport, colorOf: ModelColors, severalRuns: boolean): Promise<Html> {
  const where = severalRuns ? `${study.benchmark}, run ${study.run}` : study.benchmark;
  if (study.curve.length === 0)
    return html`<section><h2>Study ${study.study}: prompt detail</h2><p class="note">${where}: no page is sealed yet.</p></section>`;
  return html`<section><h2>Study ${study.study}: prompt detail</h2>
<p class="note">PartialOrderEval on ${where}; ${String(study.curve[0]?.['interval_method'])}.</p>${checkNote(study)}
${summaryTable(study, colorOf)}
${await figures(study, colorOf)}${driversSection(study)}${violations(study)}${positions(study)}${sizes(study)}${await themesSection(study)}${setsSection(study)}</section>`;
}

function checkNote({ check }: SpecificityStudyReport): Html {
  if (check === null) return html`<p class="note">No model checked the maximal prompts.</p>`;
  const share = check.tasks === 0 ? 0 : check.solved / check.tasks;
  const verdict = share >= check.threshold ? 'the benchmark is accepted' : 'the benchmark is not accepted';
  return html`<p class="note">${check.checker} solves ${countText(check.solved)} of ${countText(check.tasks)} tasks from their maximal prompts (${shareText(share)}; threshold ${shareText(check.threshold)}): ${verdict}.</p>`;
}

const modelsOf = ({ curve }: SpecificityStudyReport): string[] => [...new Set(curve.map((row) => String(row['model'])))];
const number = (row: Row | undefined, column: string): number | null => (typeof row?.[column] === 'number' ? row[column] : null);
const text = (row: Row, column: string): string => (row[column] === null || row[column] === undefined ? missing : String(row[column]));
const isSimulated = ({ curve }: SpecificityStudyReport, model: string): boolean =>
  curve.some((row) => row['model'] === model && row['simulated'] === true);

function withRange(row: Row | undefined, column: string): Html {
  const [value, lo, hi] = [column, `${column}_lo`, `${column}_hi`].map((name) => number(row, name)) as [
    number | null,
    number | null,
    number | null,
  ];
  const range = lo === null || hi === null ? html`` : html`<br><span class="range">${decimals(lo)} – ${decimals(hi)}</span>`;
  return html`<td class="n" data-v="${value ?? ''}">${value === null ? missing : decimals(value)}${range}</td>`;
}

const levelCell = (row: Row, column: string): Html =>
  html`<td class="n">${text(row, column)}<br><span class="range">${text(row, `${column}_lo`)} – ${text(row, `${column}_hi`)}</span></td>`;

/** One row per model: the ends of its curves, then the smallest sufficient level of each. */
function summaryTable(study: SpecificityStudyReport, colorOf: ModelColors): Html {
  const hasSizes = study.summary.some((row) => number(row, 'size_b') !== null);
  const models = modelsOf(study).map((model) => ({ model, own: study.summary.filter((row) => row['model'] === model) }));
  const ends = models.map(({ model, own }) => {
    const at = (augmentation: string): Row | undefined =>
      study.curve.find((row) => row['model'] === model && row['augmentation'] === augmentation && row['draw'] === null);
    const first = own[0] ?? {};
    const size = number(first, 'size_b');
    const family = text(first, 'family');
    const mark = first['own_check'] === true ? html`<br><small>was the check model</small>` : html``;
    const name = modelName(model, colorOf(model), isSimulated(study, model));
    return html`<tr><td class="name" data-v="${model}">${name}<small>${family === missing ? '' : family}</small>${mark}</td>
${hasSizes ? html`<td class="n" data-v="${size ?? ''}">${size ?? missing}</td>` : html``}${withRange(at('minimal'), 'pass_at_1')}${withRange(at('original'), 'pass_at_1')}${withRange(at('maximal'), 'pass_at_1')}${withRange(first, 'maximal_to_original')}<td class="n">${pText(number(first, 'maximal_to_original_p'))}</td><td class="n">${text(first, 'n')}</td></tr>
`;
  });
  const levels = models.map(({ model, own }) => {
    const of = (curve: Curve): Row => own.find((row) => row['augmentation'] === curve) ?? {};
    const name = modelName(model, colorOf(model), isSimulated(study, model));
    return html`<tr><td class="name" data-v="${model}">${name}</td>${curveNames.map((curve) => levelCell(of(curve), 'sufficient'))}${curveNames.map((curve) => levelCell(of(curve), 'reaches_original'))}</tr>
`;
  });
  const within = number(study.summary[0], 'within') ?? 0;
  return html`<div class="wide"><table class="board"><thead><tr>
<th data-sort="text">Model</th>${hasSizes ? html`<th class="n" data-sort="number">Size, B</th>` : html``}<th class="n" data-sort="number">pass@1 minimal</th><th class="n" data-sort="number">original</th><th class="n" data-sort="number">maximal</th><th class="n" data-sort="number">maximal − original</th><th class="n">p</th><th class="n">n of both</th>
</tr></thead><tbody>${ends}</tbody></table></div>
<p class="note">Under each value its 95 % interval. p: McNemar’s exact test of maximal against original (the sign-flip test where tasks were asked several times). n of both: tasks with a score at every level of the first curve and of the original.</p>
<h3>Least detail that suffices</h3>
<div class="wide"><table class="board"><thead><tr>
<th>Model</th><th class="n">Words at most</th><th class="n">Paragraphs kept</th><th class="n">Sentences masked</th><th class="n">As the original: words</th><th class="n">paragraphs</th><th class="n">masked</th>
</tr></thead><tbody>${levels}</tbody></table></div>
<p class="note">The level with least detail whose pass@1 is within ${within} of the maximal prompt’s; under it the levels at the ends of its interval. As the original: the level with least detail whose pass@1 reaches the original’s.</p>`;
}

const axisTitle = { summary: 'words at most', paragraphs: 'share of paragraphs kept', mask: 'share of sentences masked' } as const;
const figureName = {
  summary: 'Summaries (figure 3)',
  paragraphs: 'Paragraph sampling (figure 4)',
  mask: 'Sentence-block masking (figure 4)',
} as const;

/** Figures 3 and 4: a chart per augmentation; figure 6: one per model. */
async function figures(study: SpecificityStudyReport, colorOf: ModelColors): Promise<Html> {
  const models = modelsOf(study);
  const byAugmentation = await Promise.all(
    curveNames.map(async (curve) => {
      const levels = levelsOf(study, curve);
      const series = models.map((model) => levelSeries(study, model, curve, levels, colorOf(model)));
      return html`<figure><figcaption><span class="name">${figureName[curve]}</span></figcaption>${await curveSvg(
        series,
        levels.map(({ name }) => name),
        axisTitle[curve],
      )}</figure>
`;
    }),
  );
  const byModel = await Promise.all(
    models.map(async (model) => {
      const series = curveNames.map((curve, index): CurveSeries => wordSeries(study, model, curve, curveColors[index] as string));
      return html`<figure><figcaption><span class="name">${modelName(model, colorOf(model), isSimulated(study, model))}</span></figcaption>${await curveSvg(series, null, 'mean words of the description')}</figure>
`;
    }),
  );
  return html`<h3>pass@1 by detail</h3><p class="note">Colours are those of the models; bands are intervals, dashes the original prompt’s pass@1. From left to right: more detail.</p>
<div class="panels">${byAugmentation}</div>
<h3>All curves of each model by words (figure 6)</h3><p class="note">${curveNames.map((curve, index) => html`<span class="dot" style="background:${curveColors[index] as string}"></span>${figureName[curve].replace(/ \(.*/, '')}${index < curveNames.length - 1 ? ', ' : ''}`)}; dashes: the original.</p>
<div class="panels">${byModel}</div>`;
}

const curveColors = ['var(--model-0)', 'var(--model-1)', 'var(--model-3)'] as const;

interface NamedLevel {
  readonly name: string;
  readonly augmentation: string;
  readonly level: number | null;
}

/** From minimal to maximal. */
function levelsOf({ curve: rows }: SpecificityStudyReport, curve: Curve): NamedLevel[] {
  const found = [
    ...new Set(rows.flatMap((row) => (row['augmentation'] === curve && typeof row['level'] === 'number' ? [row['level']] : []))),
  ];
  const inner = found.toSorted((a, b) => curves[curve] * (a - b)).map((level) => ({ name: String(level), augmentation: curve, level }));
  const end = (augmentation: string): NamedLevel => ({ name: augmentation, augmentation, level: null });
  return [end('minimal'), ...inner, end('maximal')];
}

const rowAt = ({ curve }: SpecificityStudyReport, model: string, { augmentation, level }: Omit<NamedLevel, 'name'>): Row | undefined =>
  curve.find((row) => row['model'] === model && row['augmentation'] === augmentation && row['level'] === level && row['draw'] === null);

const originalOf = (study: SpecificityStudyReport, model: string): number | null =>
  number(rowAt(study, model, { augmentation: 'original', level: null }), 'pass_at_1');

function levelSeries(
  study: SpecificityStudyReport,
  model: string,
  _curve: Curve,
  levels: readonly NamedLevel[],
  color: string,
): CurveSeries {
  const points = levels.flatMap((level) => {
    const row = rowAt(study, model, level);
    return (row && pointOf(row, level.name)) ?? [];
  });
  return { name: model, color, points, rule: originalOf(study, model) };
}

function wordSeries(study: SpecificityStudyReport, model: string, curve: Curve, color: string): CurveSeries {
  const points = levelsOf(study, curve).flatMap((level) => {
    const row = rowAt(study, model, level);
    const words = number(row, 'words');
    return (row && words !== null && pointOf(row, words)) || [];
  });
  return { name: curve, color, points, rule: originalOf(study, model) };
}

const mostViolations = 60;

function violations({ pairs }: SpecificityStudyReport): Html {
  const found = pairs.filter((row) => row['violates'] === true);
  const sorted = found.toSorted((a, b) => (number(a, 'p') ?? 1) - (number(b, 'p') ?? 1));
  const significant = found.filter((row) => (number(row, 'p_holm') ?? 1) < 0.05).length;
  const note = html`<p class="note">More detail came with a lower pass@1 in ${countText(found.length)} of ${countText(pairs.length)} pairs of levels; ${countText(significant)} of these have p < 0.05 after Holm.</p>`;
  if (found.length === 0) return html`<h3>Monotonicity</h3>${note}`;
  return html`<h3>Monotonicity</h3>${note}<div class="wide"><table><thead><tr><th>Model</th><th>Curve</th><th class="n">Less detail</th><th class="n">More detail</th><th class="n">pass@1 less</th><th class="n">more</th><th class="n">Difference</th><th>Test</th><th class="n">p</th><th class="n">Holm</th><th class="n">BH</th><th class="n">n</th></tr></thead><tbody>
${sorted.slice(0, mostViolations).map(
  (row) =>
    html`<tr><td>${text(row, 'model')}</td><td>${text(row, 'augmentation')}</td><td class="n">${text(row, 'lower')}</td><td class="n">${text(row, 'upper')}</td>${['lower_pass_at_1', 'upper_pass_at_1', 'difference'].map((column) => withRange(row, column))}<td>${text(row, 'test')}</td>${['p', 'p_holm', 'p_bh'].map((column) => html`<td class="n">${pText(number(row, column))}</td>`)}<td class="n">${text(row, 'n')}</td></tr>
`,
)}</tbody></table></div>${found.length > mostViolations ? html`<p class="note">The ${mostViolations} with the smallest p; all are in table specificity_pairs.</p>` : html``}`;
}

function positions({ curve }: SpecificityStudyReport): Html {
  const rows = curve.filter((row) => row['draw'] !== null);
  if (rows.length === 0) return html``;
  const places = [...new Set(rows.map((row) => Number(row['draw'])))].toSorted((a, b) => a - b);
  const levels = [...Map.groupBy(rows, (row) => JSON.stringify([row['model'], row['level']])).values()];
  return html`<h3>Where masking hurts</h3><p class="note">pass@1 with the masked block at each place, from the beginning to the end of the description; under it its interval, the difference to the mean of all places with its interval, and the number of tasks.</p>
<div class="wide"><table><thead><tr><th>Model</th><th class="n">Masked</th>${places.map((place) => html`<th class="n">Place ${place}</th>`)}</tr></thead><tbody>
${levels.map(
  (group) =>
    html`<tr><td>${text(group[0] ?? {}, 'model')}</td><td class="n">${text(group[0] ?? {}, 'level')}</td>${places.map((place) => placeCell(group.find((row) => row['draw'] === place)))}</tr>
`,
)}</tbody></table></div>`;
}

function placeCell(row: Row | undefined): Html {
  const [difference, lo, hi] = ['to_level', 'to_level_lo', 'to_level_hi'].map((column) => number(row, column));
  const signed = (value: number | null | undefined): string =>
    value === null || value === undefined ? missing : `${value >= 0 ? '+' : ''}${decimals(value)}`;
  const [from, to] = ['pass_at_1_lo', 'pass_at_1_hi'].map((column) => number(row, column)?.toFixed(3) ?? missing) as [string, string];
  return html`<td class="n">${number(row, 'pass_at_1')?.toFixed(3) ?? missing}<br><span class="range">${from} – ${to}</span><br><span class="range">${signed(difference)} (${signed(lo)} – ${signed(hi)})</span><br><span class="range">n ${row === undefined ? missing : text(row, 'n')}</span></td>`;
}

function sizes({ sizes: rows }: SpecificityStudyReport): Html {
  if (rows.length === 0) return html``;
  return html`<h3>By size</h3><p class="note">The gap between the largest and the smallest model of a family at each level, over tasks that both have. Each model’s smallest sufficient level stands beside its size in the first table.</p>
<div class="wide"><table><thead><tr><th>Family</th><th>Smallest</th><th>Largest</th><th>Augmentation</th><th class="n">Level</th><th class="n">pass@1 smallest</th><th class="n">largest</th><th class="n">Gap</th><th class="n">n</th></tr></thead><tbody>
${rows.map(
  (row) =>
    html`<tr><td>${text(row, 'family')}</td><td>${text(row, 'smallest')}</td><td>${text(row, 'largest')}</td><td>${text(row, 'augmentation')}</td><td class="n">${text(row, 'level')}</td>${['smallest_pass_at_1', 'largest_pass_at_1', 'gap'].map((column) => withRange(row, column))}<td class="n">${text(row, 'n')}</td></tr>
`,
)}</tbody></table></div>`;
}

/** Only what the paper's text prints, beside our values of models with the same name. */
function publishedSection(studies: readonly SpecificityStudyReport[]): Html {
  const benchmarks = Object.keys(published.tasks) as (keyof typeof published.tasks)[];
  const ours = (model: string): Row | undefined =>
    studies.flatMap(({ curve }) => curve).find((row) => row['model'] === model && row['augmentation'] === 'original');
  return html`<section><h3>What the paper prints</h3><p class="note">${published.source}.</p>
<div class="wide"><table><thead><tr><th>Model</th><th class="n">Size, B</th>${benchmarks.map((name) => html`<th class="n">Original, ${name}</th>`)}<th class="n">Original here</th></tr></thead><tbody>
${published.models.map(
  ({ model, size_b: size, original }) =>
    html`<tr><td>${model}</td><td class="n">${size}</td>${benchmarks.map((name) => html`<td class="n">${decimals(original[name])}</td>`)}<td class="n">${number(ours(model), 'pass_at_1')?.toFixed(3) ?? missing}</td></tr>
`,
)}</tbody></table></div>
<div class="wide"><table><thead><tr><th>Model</th><th>Benchmark</th><th>Prompt</th><th class="n">pass@1</th><th>Level</th></tr></thead><tbody>
${published.levels.map(
  (row) =>
    html`<tr><td>${row.model}</td><td>${row.benchmark}</td><td>${row.augmentation}</td><td class="n">${decimals(row.pass_at_1)}</td><td>${row.note === '' ? missing : row.note}</td></tr>
`,
)}</tbody></table></div></section>`;
}
