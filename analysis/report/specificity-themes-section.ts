/** Themes of the summaries (section 5): figure 5, counts, agreement and what passing goes with. */
import type { Row } from '../../schemas/tables.ts';
import { countText, missing } from './format.ts';
import { type Html, html } from './html.ts';
import { lineSvg } from './line-chart.ts';
import { modelColor } from './style.ts';
import type { SpecificityStudyReport } from './specificity-data.ts';

const shown = 10;

export async function themesSection({ themes: { counts, agreement, passing } }: SpecificityStudyReport): Promise<Html> {
  if (counts.length === 0) return html``;
  const top = topThemes(counts);
  const limits = [...new Set(counts.map((row) => Number(row['level'])))].toSorted((a, b) => a - b);
  const unread = counts.length === 0 ? 0 : Math.max(...agreement.map((row) => Number(row['n'])));
  return html`<h3>What the summaries say (figure 5)</h3>
<p class="note">Summaries with each theme by word limit; the ten themes with the greatest mean count. A summary counts by the share of the labelling runs that found the theme; under each count the 95 % interval of its share, in percent of the summaries (their number heads the column). ${countText(unread)} summaries were read in both of the first two runs.</p>
<div class="panels">${await figure(counts, top, limits)}</div>
<div class="wide"><table><thead><tr><th>Theme</th>${limits.map((limit) => html`<th class="n">${limit}<br><span class="range">of ${promptsAt(counts, limit)}</span></th>`)}<th class="n">Krippendorff’s alpha</th><th class="n">Cohen’s kappa</th></tr></thead><tbody>
${themeIds(counts).map((id) => themeRow(id, counts, agreement, limits, top.indexOf(id)))}</tbody></table></div>
${passingTable(passing, top)}`;
}

const themeIds = (counts: readonly Row[]): string[] => [...new Set(counts.map((row) => String(row['theme'])))];

/** By the mean over word limits of the number of summaries with the theme. */
function topThemes(counts: readonly Row[]): string[] {
  const total = (id: string): number => counts.filter((row) => row['theme'] === id).reduce((sum, row) => sum + Number(row['n_with']), 0);
  return themeIds(counts)
    .map((id) => [id, total(id)] as const)
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, shown)
    .map(([id]) => id);
}

async function figure(counts: readonly Row[], top: readonly string[], limits: readonly number[]): Promise<Html> {
  const of = (id: string): Row[] => counts.filter((row) => row['theme'] === id).toSorted((a, b) => Number(a['level']) - Number(b['level']));
  const lines = top.map((id, index) => ({
    name: id,
    color: modelColor(index),
    // Colours repeat from the ninth on.
    dashed: index >= 8,
    points: of(id).map((row) => ({ x: Number(row['level']), y: Number(row['n_with']) })),
  }));
  const chart = await lineSvg({
    lines,
    x: { title: 'word limit', format: 'd', ticks: [...limits] },
    y: { title: 'summaries', format: 'd' },
    marked: true,
    named: false,
  });
  const legend = top.map(
    (id, index) =>
      html`<span class="dot" style="background:${modelColor(index)}"></span>${id} ${String(of(id)[0]?.['name'])}${index >= 8 ? ' (dashes)' : ''}<br>`,
  );
  return html`<figure>${chart}</figure><figure><p class="note">${legend}</p></figure>`;
}

function themeRow(id: string, counts: readonly Row[], agreement: readonly Row[], limits: readonly number[], place: number): Html {
  const own = counts.filter((row) => row['theme'] === id);
  const agreed = agreement.find((row) => row['theme'] === id);
  const mark = place === -1 ? '' : ` (top ${place + 1})`;
  return html`<tr><td>${id} ${String(own[0]?.['name'])}${mark}</td>${limits.map((limit) => countCell(own.find((row) => row['level'] === limit)))}${['alpha', 'kappa'].map((name) => withRange(agreed, name))}</tr>
`;
}

const promptsAt = (counts: readonly Row[], limit: number): string =>
  countText(Math.max(0, ...counts.filter((row) => row['level'] === limit).map((row) => Number(row['n_prompts']))));

function countCell(row: Row | undefined): Html {
  const [lo, hi] = [row?.['share_lo'], row?.['share_hi']].map((end) => (typeof end === 'number' ? (100 * end).toFixed(0) : null));
  const range = lo == null || hi == null ? html`` : html`<br><span class="range">${lo} – ${hi} %</span>`;
  return html`<td class="n">${number(row?.['n_with'], 1)}${range}</td>`;
}

function withRange(row: Row | undefined, name: string): Html {
  const [lo, hi] = [row?.[`${name}_lo`], row?.[`${name}_hi`]];
  const range =
    typeof lo !== 'number' || typeof hi !== 'number' ? html`` : html`<br><span class="range">${number(lo, 3)} – ${number(hi, 3)}</span>`;
  return html`<td class="n">${number(row?.[name], 3)}${range}</td>`;
}

const number = (value: Row[string] | undefined, digits: number): string => (typeof value === 'number' ? value.toFixed(digits) : missing);

function passingTable(passing: readonly Row[], top: readonly string[]): Html {
  const rows = passing.filter((row) => top.includes(String(row['theme'])) && row['difference'] !== null);
  if (rows.length === 0) return html``;
  return html`<h3>What passing goes with</h3><p class="note">Pass rates of summaries with and without each of the ten themes, and their difference at equal word limits. An association: no theme was put in by chance, and what one summary says the others of its task say too. All themes are in table theme_passing.</p>
<div class="wide"><table><thead><tr><th>Model</th><th>Theme</th><th class="n">With</th><th class="n">Without</th><th class="n">Difference</th><th class="n">n with</th><th class="n">n without</th><th class="n">Tasks</th></tr></thead><tbody>
${rows.map(
  (row) =>
    html`<tr><td>${String(row['model'])}</td><td>${String(row['theme'])} ${String(row['name'])}</td>${['pass_with', 'pass_without', 'difference'].map((name) => withRange(row, name))}<td class="n">${String(row['n_with'])}</td><td class="n">${String(row['n_without'])}</td><td class="n">${String(row['n_tasks'] ?? missing)}</td></tr>
`,
)}</tbody></table></div>`;
}
