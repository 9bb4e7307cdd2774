/** The paper's four questions as tables: structure, size, the light method, emotions. */
import published from '../../data/published/promptse.json' with { type: 'json' };
import type { Closeness, SizeEffect, Structure } from '../../domain/metrics/promptse-questions.ts';
import type { TestResult } from '../../domain/statistics/test-result.ts';
import type { EmotionEffect, StudyQuestions } from '../promptse-questions.ts';
import { countText, missing, shareText } from './format.ts';
import { type Html, html } from './html.ts';

export const questionsSection = (questions: readonly StudyQuestions[]): Html => html`${questions.map(studySection)}`;

const studySection = ({ study, structure, sizes, models, tasks, emotions }: StudyQuestions): Html =>
  html`<section><h3>Study ${study}: performance and stability</h3>
<p class="note">Rank correlation of pass@1 and AUC-E over models, and models by median split. The paper prints ${published.rq1.spearman} (p ${published.rq1.p}, 95 % from ${published.rq1.ci95.join(' to ')}) and quadrants ${published.rq1.quadrants.join(', ')}.</p>
<div class="wide"><table><thead><tr><th>Method</th><th class="n">Models</th><th class="n">Spearman</th><th class="n">p</th><th class="n">95 % interval</th><th class="n">high, steady</th><th class="n">high, touchy</th><th class="n">low, steady</th><th class="n">low, touchy</th></tr></thead><tbody>
${structureRow('PromptSE', structure.full)}${structureRow('PromptSELight', structure.light)}</tbody></table></div></section>
${sizes === null ? html`` : sizesSection(sizes)}${closenessSection(models, tasks)}${emotionsSection(emotions)}`;

const number = (value: number | null | undefined): string => (value == null ? missing : value.toFixed(3));
const statistic = (test: TestResult): Html => html`<td class="n">${number(test.statistic)}</td><td class="n">${number(test.p)}</td>`;

const structureRow = (name: string, { spearman, interval, quadrants }: Structure): Html =>
  html`<tr><td>${name}</td><td class="n">${spearman.n}</td>${statistic(spearman)}<td class="n">${interval === null ? missing : `${number(interval.lo)} – ${number(interval.hi)}`}</td>${quadrants.map((count) => html`<td class="n">${count}</td>`)}</tr>
`;

function sizesSection({ spreads, kruskalWallis, epsilonSquared, pairs }: SizeEffect): Html {
  const h =
    kruskalWallis.statistic === null
      ? html`Not tested: ${kruskalWallis.reason}.`
      : html`Kruskal–Wallis H ${number(kruskalWallis.statistic)}, p ${number(kruskalWallis.p)}, epsilon squared ${number(epsilonSquared)}, over N = ${kruskalWallis.n}.`;
  return html`<section><h3>|Δ pass| by model size</h3>
<p class="note">One value per model, task and distance: |mean pass rate of the variants minus that of the original|. tiny below 3 B, small below 10, medium below 20. ${h}</p>
<div class="wide"><table><thead><tr><th>Size</th><th class="n">n</th><th class="n">Mean</th><th class="n">Variance</th><th class="n">Falls</th></tr></thead><tbody>
${spreads.map(
  ({
    group,
    n,
    meanAbsolute,
    variance,
    shareNegative,
  }) => html`<tr><td>${group}</td><td class="n">${countText(n)}</td><td class="n">${number(meanAbsolute)}</td><td class="n">${number(variance)}</td><td class="n">${shareText(shareNegative)}</td></tr>
`,
)}</tbody></table></div>
${
  pairs.length === 0
    ? html``
    : html`<div class="wide"><table><thead><tr><th>Sizes</th><th class="n">Mann–Whitney U</th><th class="n">p</th><th class="n">p, corrected (BH)</th><th class="n">Cliff’s delta</th></tr></thead><tbody>
${pairs.map(
  ({
    groups,
    test,
    corrected,
    cliffsDelta,
  }) => html`<tr><td>${groups.join(', ')}</td>${statistic(test)}<td class="n">${number(corrected)}</td><td class="n">${number(cliffsDelta)}</td></tr>
`,
)}</tbody></table></div>`
}</section>`;
}

function closenessSection(models: Closeness | null, tasks: StudyQuestions['tasks']): Html {
  if (models === null && tasks.length === 0) return html``;
  const { rq3 } = published;
  return html`<section><h3>PromptSELight beside PromptSE</h3>
<p class="note">Light as a prediction of full: AUC-E over models, elasticity over tasks and distances of each model. The paper prints, over ${published.setup.models} models, Pearson ${rq3.pearson}, Spearman ${rq3.spearman}, Kendall ${rq3.kendall}, MAE ${rq3.mae}, RMSE ${rq3.rmse}, R² ${rq3.r2}.</p>
<div class="wide"><table><thead><tr><th>Over</th><th class="n">n</th><th class="n">Pearson</th><th class="n">Spearman</th><th class="n">Kendall</th><th class="n">MAE</th><th class="n">RMSE</th><th class="n">R²</th><th class="n">sMAPE</th></tr></thead><tbody>
${models === null ? html`` : closenessRow('models', models)}${tasks.map(({ model, closeness }) => closenessRow(`tasks of ${model}`, closeness))}</tbody></table></div></section>`;
}

const closenessRow = (name: string, { pearson, spearman, kendall, errors }: Closeness): Html =>
  html`<tr><td>${name}</td><td class="n">${countText(pearson.n)}</td>${[pearson.statistic, spearman.statistic, kendall.statistic, errors?.mae, errors?.rmse, errors?.r2, errors?.smape].map((value) => html`<td class="n">${number(value)}</td>`)}</tr>
`;

function emotionsSection(emotions: readonly EmotionEffect[]): Html {
  if (emotions.length === 0) return html``;
  return html`<section><h3>Emotions</h3>
<p class="note">Confidence of a sample is exp of its mean token log-probability; ECE over ten bins; sure failures at 0.9 and more, unsure successes at 0.5 and less, over all samples. The original’s row has no Δ.</p>
<div class="wide"><table><thead><tr><th data-sort="text">Model</th><th data-sort="text">Emotion</th><th class="n" data-sort="number">Prompts</th><th class="n" data-sort="number">Pass rate</th><th class="n" data-sort="number">Mean |Δ pass|</th><th class="n" data-sort="number">1 − ECE</th><th class="n" data-sort="number">Sure failures</th><th class="n" data-sort="number">Unsure successes</th></tr></thead><tbody>
${emotions.map(emotionRow)}</tbody></table></div></section>`;
}

const emotionRow = (row: EmotionEffect): Html =>
  html`<tr><td>${row.model}</td><td>${row.emotion ?? 'original'}</td><td class="n" data-v="${row.n}">${countText(row.n)}</td>${sortable(row.passRate, shareText(row.passRate))}${sortable(row.meanAbsoluteDelta, number(row.meanAbsoluteDelta))}${sortable(row.calibrationError, row.calibrationError === null ? missing : number(1 - row.calibrationError))}${sortable(row.sureFailures, shareText(row.sureFailures))}${sortable(row.unsureSuccesses, shareText(row.unsureSuccesses))}</tr>
`;

const sortable = (value: number | null, shown: string): Html => html`<td class="n" data-v="${value ?? ''}">${shown}</td>`;
