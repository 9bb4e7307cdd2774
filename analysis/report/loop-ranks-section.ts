/** The report's part on rankings: ASL against pass@1, other settings, another ranking, the published models, groups. */
import leaderboard from '../../data/published/evaloop-leaderboard.json' with { type: 'json' };
import sampling from '../../data/published/evaloop-sampling.json' with { type: 'json' };
import summaryPrompts from '../../data/published/evaloop-summary-prompts.json' with { type: 'json' };
import temperatures from '../../data/published/evaloop-temperatures.json' with { type: 'json' };
import { rankChanges } from '../../domain/statistics/rank-changes.ts';
import type { Estimate } from '../estimate.ts';
import type { ExternalComparison } from '../external-ranking.ts';
import type { LoopQuestions } from '../loop-questions.ts';
import type { LoopRanks, Standing } from '../loop-ranks.ts';
import type { GreedyAndSampled, LoopReliability } from '../loop-reliability.ts';
import { intervalText, missing, shareText, three } from './format.ts';
import { rankChangeLines } from './rank-change-lines.ts';
import { type Html, html } from './html.ts';
import { intervalBar } from './interval-bar.ts';
import type { ModelColors } from './model-colors.ts';
import type { ModelNaming } from './model-name.ts';

export function loopRanksSection(questions: LoopQuestions, colorOf: ModelColors, named: ModelNaming): Html {
  const { ranks, standings, external, reliability, sampled } = questions;
  if (ranks.length + standings.length === 0) return html``;
  return html`<section id="ranks"><h2>Rankings by loops</h2>${ranks.map((one) => ranksTable(one, colorOf, named))}${ranks.map(groupsTable)}
${reliability.map((one) => reliabilityTable(one, named))}${sampledTable(sampled, named)}${external.map((one) => externalTable(one, named))}${standingsTable(standings, colorOf, named)}</section>`;
}

const placeText = (place: number): string => String(Number(place.toFixed(1)));

/** Of the published models: counted from their places in table 2. */
function paperChanges(): string {
  const { models, changed, meanAbsolute, large, pairs, reversed } = rankChanges(
    leaderboard.rows.map(({ place, rise }) => place + rise),
    leaderboard.rows.map(({ place }) => place),
  );
  const percent = (count: number, of: number): string => `${((100 * count) / of).toPrecision(3)} %`;
  return `The paper’s ${models} models: ${percent(changed, models)} change, ${meanAbsolute} places on average, ${percent(large, models)} by 10 or more, ${percent(reversed, pairs)} of pairs reversed.`;
}

function ranksTable(ranks: LoopRanks, colorOf: ModelColors, named: ModelNaming): Html {
  const { run, study, tasks, models, pairs, extremes } = ranks;
  const furthest = extremes === null ? '' : ` Furthest up ${placeText(extremes[0])}, furthest down ${placeText(-extremes[1])}.`;
  return html`<h3>Study ${study}: from pass@1 to ASL</h3>
<p class="note">Over the ${tasks} tasks that count under every model, ASL with every s = 1. A place’s interval runs from one more than the models that are surely ahead on the same tasks to all but those surely behind (paired t between any two, Bonferroni). The other ranges are of draws of tasks with replacement (of Spearman and Kendall: jackknife over models); a draw moves models by itself, so shares of changed places lie above 0 however alike two rankings are. “Ahead of next” is the share of draws in which the order of two neighbours is as shown.${furthest} ${paperChanges()}</p>
<div class="wide"><table><thead><tr><th>ASL against pass@1</th><th class="n"></th><th class="n">95 %</th></tr></thead><tbody>${rankChangeLines(
    ranks,
  ).map(
    ([name, value, interval]) => html`<tr><td>${name}</td><td class="n">${value}</td><td class="n">${interval}</td></tr>`,
  )}</tbody></table></div>
<div class="wide"><table class="board"><thead><tr><th>Model</th><th class="n">Place by ASL</th><th>95 % interval</th><th class="n">Ahead of next</th><th class="n">Place by pass@1</th><th class="n">ASL, s = 1</th><th class="n">pass@1</th></tr></thead><tbody>
${models.map(
  (row) =>
    html`<tr><td class="name">${named(run, row.model)}</td><td class="n">${placeText(row.aslPlace)}<br><span class="range">${intervalText(row.aslPlaceInterval, placeText)}</span></td><td class="bars">${intervalBar({ value: row.aslPlace, interval: row.aslPlaceInterval }, models.length, colorOf(row.model))}</td><td class="n">${row.aheadOfNext === null ? missing : shareText(row.aheadOfNext)}</td><td class="n">${placeText(row.passPlace)}<br><span class="range">${intervalText(row.passPlaceInterval, placeText)}</span></td><td class="n">${three(row.aslUnweighted)}<br><span class="range">${intervalText(row.aslInterval, three)}</span></td><td class="n">${shareText(row.passAt1)}<br><span class="range">${intervalText(row.passAt1Interval, shareText)}</span></td></tr>
`,
)}</tbody></table></div>${pairsTable(run, models.length, pairs, named)}`;
}

/** More models have pairs by the hundred, and the run's table for them. */
const mostPaired = 12;

function pairsTable(run: string, models: number, pairs: LoopRanks['pairs'], named: ModelNaming): Html {
  if (models < 3 || models > mostPaired) return html``;
  return html`<details><summary>How sure the order of any two models is</summary><p class="note">Share of the draws in which the first is ahead of the second by ASL; reversed: pass@1 has them the other way round.</p>
<div class="wide"><table><thead><tr><th>Model</th><th>before</th><th class="n">Ahead</th><th>Reversed</th></tr></thead><tbody>
${pairs.map(({ model, other, ahead, reversed }) => html`<tr><td class="name">${named(run, model)}</td><td class="name">${named(run, other)}</td><td class="n">${shareText(ahead)}</td><td>${reversed ? 'reversed' : ''}</td></tr>`)}</tbody></table></div></details>`;
}

const range = (estimate: Estimate | null, text: (value: number) => string): Html =>
  html`<br><span class="range">${intervalText(estimate?.interval ?? null, text)}</span>`;

function groupsTable({ study, tasks, groups }: LoopRanks): Html {
  if (groups.length === 0) return html``;
  return html`<h3>Study ${study}: groups of models</h3><p class="note">Means over a group’s models on the ${tasks} tasks that count under every model, with 95 % intervals over tasks (Gaffke’s bounds); rise is the places won from pass@1 to ASL, with its range in draws of tasks.</p>
<div class="wide"><table><thead><tr><th>By</th><th>Group</th><th class="n">Models</th><th class="n">ASL, s = 1</th><th class="n">Drop</th><th class="n">Rise</th></tr></thead><tbody>
${groups.map(({ by, group, models, asl, drop, rise }) => html`<tr><td>${by}</td><td>${group}</td><td class="n">${models}</td><td class="n">${three(asl?.value)}${range(asl, three)}</td><td class="n">${shareText(drop?.value ?? null)}${range(drop, shareText)}</td><td class="n">${rise?.value.toFixed(1) ?? missing}${range(rise, placeText)}</td></tr>`)}</tbody></table></div>`;
}

function reliabilityTable({ run, study, over, settings, judged, reliability }: LoopReliability, named: ModelNaming): Html {
  const { models, leftOut, spearman, interval, bySetting, kendallW, kendallWInterval, icc, iccIntervals } = reliability;
  const published = over === 'temperatures' ? temperatures : summaryPrompts;
  const out = leftOut.length === 0 ? '' : ` Without a score somewhere, so not ranked: ${leftOut.join(', ')}.`;
  return html`<h3>Study ${study}: ranks under other ${over}</h3>
<p class="note">Places by ASL${judged ? '' : ' with every s = 1'}; the baseline is not in the average. Spearman of baseline and average place ${three(spearman)} (${intervalText(interval, three)}; the paper, ${published.rows.length} models: ${published.spearman}); Kendall’s W over all settings ${three(kendallW)} (${intervalText(kendallWInterval, three)}); ICC ${three(icc?.agreement)} (${intervalText(iccIntervals?.agreement ?? null, three)}) for agreement, ${three(icc?.consistency)} (${intervalText(iccIntervals?.consistency ?? null, three)}) for consistency. 95 % intervals over ${models.length} models (Spearman: jackknife; W: jackknife and Bonett and Wright; ICC: Shrout and Fleiss, agreement by generalized pivots).${out}</p>
<div class="wide"><table><thead><tr><th>Model</th><th class="n">Baseline</th>${settings.map((setting) => html`<th class="n">${setting}</th>`)}<th class="n">Average</th></tr></thead><tbody>
${models.map(({ model, baselinePlace, places, averagePlace }) => html`<tr><td class="name">${named(run, model)}</td><td class="n">${placeText(baselinePlace)}</td>${places.map((place) => html`<td class="n">${placeText(place)}</td>`)}<td class="n">${averagePlace.toFixed(2)}</td></tr>`)}
<tr class="total"><td>Spearman to the baseline</td><td></td>${bySetting.map((one) => html`<td class="n">${three(one.spearman)}<br><span class="range">${intervalText(one.interval, three)}</span></td>`)}<td class="n">${three(spearman)}<br><span class="range">${intervalText(interval, three)}</span></td></tr></tbody></table></div>`;
}

function sampledTable(rows: readonly GreedyAndSampled[], named: ModelNaming): Html {
  if (rows.length === 0) return html``;
  return html`<h3>Greedy and sampled runs</h3>
<p class="note">Plain mean of sustained loops per task (section 3.5; the paper: ${sampling.greedy} greedy, ${sampling.sampled} sampled), paired by task, and how the tasks are spread over 0 to M loops: greedy above, sampled below the line.</p>
<div class="wide"><table><thead><tr><th>Study</th><th>Model</th><th class="n">Greedy</th><th class="n">Sampled</th><th class="n">Difference</th><th class="n">p</th><th>0 to M loops</th><th class="n">Tasks n</th></tr></thead><tbody>
${rows.map(
  (row) =>
    html`<tr><td>${row.study}</td><td class="name">${named(row.run, row.model)}</td><td class="n">${three(row.greedy)}<br><span class="range">${intervalText(row.greedyInterval, three)}</span></td><td class="n">${three(row.sampled)}<br><span class="range">${intervalText(row.sampledInterval, three)}</span></td><td class="n">${three(row.difference)}<br><span class="range">${intervalText(row.differenceInterval, three)}</span></td><td class="n">${row.p === null ? missing : row.p.toPrecision(2)}</td><td>${twoHistograms(sharesOf(row.greedySustained), sharesOf(row.sampledSustained))}</td><td class="n">${row.tasks}</td></tr>
`,
)}</tbody></table></div>`;
}

function sharesOf(counts: readonly number[]): number[] {
  const all = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count) => count / Math.max(1, all));
}

function twoHistograms(above: readonly number[], below: readonly number[]): Html {
  const width = 12 * above.length;
  const bar = (share: number, index: number, up: boolean): Html =>
    html`<rect x="${12 * index + 1}" width="10" y="${up ? (20 - 18 * share).toFixed(1) : '20'}" height="${(18 * share).toFixed(1)}" fill="var(--muted)" opacity="${up ? '1' : '.5'}"/>`;
  return html`<svg viewBox="0 0 ${width} 40" width="${width}" height="40" aria-hidden="true">${above.map((share, index) => bar(share, index, true))}${below.map((share, index) => bar(share, index, false))}<line x1="0" x2="${width}" y1="20" y2="20" stroke="var(--line)"/></svg>`;
}

const nearness = { same: 'same place', within_2: 'within 2', apart: '3 or more apart' } as const;

function externalTable({ run, study, name, source, comparison }: ExternalComparison, named: ModelNaming): Html {
  const { models, spearman, kendall, intervals, onlyFirst, onlySecond } = comparison;
  return html`<h3>Study ${study} beside ${name}</h3>
<p class="note">${source === null ? '' : `${source}. `}Places among the ${models.length} models that both rank: Spearman ${three(spearman.statistic)} (${intervalText(intervals.spearman, three)}; p ${three(spearman.p)}), Kendall ${three(kendall.statistic)} (${intervalText(intervals.kendall, three)}; p ${three(kendall.p)}); 95 % intervals over models (jackknife). Only here: ${onlyFirst.length === 0 ? 'none' : onlyFirst.join(', ')}; only there: ${onlySecond.length === 0 ? 'none' : onlySecond.join(', ')}.</p>
<div class="wide"><table><thead><tr><th>Model</th><th class="n">Place here</th><th class="n">Place there</th><th>Distance</th></tr></thead><tbody>
${models.map((row) => html`<tr><td class="name">${named(run, row.model)}</td><td class="n">${placeText(row.place)}</td><td class="n">${placeText(row.otherPlace)}</td><td>${nearness[row.nearness]}</td></tr>`)}</tbody></table></div>`;
}

function standingsTable(rows: readonly Standing[], colorOf: ModelColors, named: ModelNaming): Html {
  if (rows.length === 0) return html``;
  const reasons = [...new Set(rows.flatMap(({ study, reason }) => (reason === null ? [] : [`study ${study}: ${reason}`])))];
  const placed = rows.filter(({ place }) => place !== null);
  const table = html`<div class="wide"><table><thead><tr><th>Study</th><th>Model</th><th class="n">ASL</th><th class="n">Place</th><th>95 % interval</th><th>Between</th></tr></thead><tbody>
${placed.map(
  (row) =>
    html`<tr><td>${row.study}</td><td class="name">${named(row.run, row.model)}</td><td class="n">${three(row.asl)}${row.judged ? '' : ', s = 1'}</td><td class="n">${placeText(row.place ?? 0)}<br><span class="range">${intervalText(row.interval, placeText)}</span></td><td class="bars">${intervalBar({ value: row.place ?? 0, interval: row.interval }, row.among + 1, colorOf(row.model))}</td><td>${neighbours(row.asl)}</td></tr>
`,
)}</tbody></table></div>`;
  return html`<h3>Among the published models</h3>
<p class="note">${leaderboard.source}; judge ${leaderboard.judge}. Another judge or a selection of tasks is another score: read the place as where it would be if they agreed.${reasons.length === 0 ? '' : ` No place: ${reasons.join('; ')}.`}</p>${placed.length === 0 ? html`` : table}
<details><summary>The published models</summary><div class="wide"><table><thead><tr><th class="n">Place</th><th>Model</th><th class="n">ASL</th><th class="n">Rise</th></tr></thead><tbody>
${leaderboard.rows.map(({ place, model, asl, rise }) => html`<tr><td class="n">${place}</td><td>${model}</td><td class="n">${three(asl)}</td><td class="n">${rise}</td></tr>`)}</tbody></table></div></details>`;
}

function neighbours(asl: number): string {
  const above = leaderboard.rows.findLast((row) => row.asl >= asl);
  const below = leaderboard.rows.find((row) => row.asl < asl);
  return [above, below].flatMap((row) => (row === undefined ? [] : [`${row.model} (${row.asl.toFixed(3)})`])).join(' and ');
}
