/** The report's part on survival: hazards, log-rank tests, what broke, drift of lengths, fixpoints. */
import type { Estimate } from '../estimate.ts';
import type { LoopBreaks, LoopSurvival } from '../loop-survival.ts';
import type { JudgedBreaks } from '../loops/similarity.ts';
import { intervalText, missing, shareInterval, shareText } from './format.ts';
import { type Html, html } from './html.ts';
import type { ModelColors } from './model-colors.ts';
import type { ModelNaming } from './model-name.ts';
import { similarityFigure } from './similarity-figure.ts';

export async function loopSurvivalSection(
  studies: readonly LoopSurvival[],
  similarities: readonly JudgedBreaks[],
  named: ModelNaming,
  colorOf: ModelColors,
): Promise<Html> {
  const there = studies.filter(({ curves }) => curves.length > 0);
  if (there.length === 0) return html``;
  const sections = await Promise.all(
    there.map((one) => {
      const judged = similarities.filter(({ run, study }) => run === one.run && study === one.study);
      return studySection(one, judged, named, colorOf);
    }),
  );
  return html`<section id="survival"><h2>How tasks are lost</h2>${sections}</section>`;
}

const studySection = async (
  survival: LoopSurvival,
  judged: readonly JudgedBreaks[],
  named: ModelNaming,
  colorOf: ModelColors,
): Promise<Html> =>
  html`${hazards(survival, named)}${tests(survival, named)}${breaks(survival, named)}${await similarityFigure(judged, named, colorOf)}${drifts(survival, named)}`;

const three = (value: number | null | undefined): string => (value == null ? missing : value.toFixed(3));

function loopsOf({ curves }: LoopSurvival): number[] {
  const most = Math.max(0, ...curves.map(({ steps }) => steps.length));
  return Array.from({ length: most }, (_, index) => index + 1);
}

function hazards(survival: LoopSurvival, named: ModelNaming): Html {
  const loops = loopsOf(survival);
  return html`<h3>Study ${survival.study}: survival and hazard by loop</h3>
<p class="note">Above: the share that lasts beyond the loop (Kaplan–Meier) with its 95 % interval. Below: hazard, the share of the tasks still going round that broke in this loop, with its interval. Intervals: Gaffke’s bounds over tasks; repetitions of a task count as one. Tasks that pass all loops are censored there.</p>
<div class="wide"><table><thead><tr><th>Model</th>${loops.map((loop) => html`<th class="n">${loop}</th>`)}</tr></thead><tbody>
${survival.curves.map(
  ({ model, steps }) =>
    html`<tr><td class="name">${named(survival.run, model)}</td>${loops.map((loop) => {
      const step = steps[loop - 1];
      if (step === undefined) return html`<td class="n">${missing}</td>`;
      const interval = step.interval === null ? '' : shareInterval({ value: step.survival, interval: step.interval });
      return html`<td class="n">${shareText(step.survival)}<br><span class="range">${interval}</span><br>${shareText(step.hazard)}<br><span class="range">${shareInterval({ value: step.hazard, interval: step.hazardInterval })}</span></td>`;
    })}</tr>
`,
)}</tbody></table></div>`;
}

function tests({ run, tests: all }: LoopSurvival, named: ModelNaming): Html {
  if (all.length === 0) return html``;
  return html`<details><summary>Log-rank tests between models</summary><p class="note">Paired by task: p is the share of all ways to swap the two models within whole tasks that set them as far apart; adjusted over the pairs of the study (Holm). Chi-square is the same statistic on one degree of freedom.</p>
<div class="wide"><table><thead><tr><th>Model</th><th>and</th><th class="n">Tasks n</th><th class="n">chi-square</th><th class="n">p</th><th class="n">p, adjusted</th></tr></thead><tbody>
${all.map(({ models, test, adjusted, tasks }) => html`<tr>${models.map((model) => html`<td class="name">${named(run, model)}</td>`)}<td class="n">${tasks}</td><td class="n">${three(test.statistic)}</td><td class="n">${test.p === null ? missing : test.p.toPrecision(2)}</td><td class="n">${adjusted === null ? missing : adjusted.toPrecision(2)}</td></tr>`)}</tbody></table></div></details>`;
}

function breaks({ run, study, breaks: rows }: LoopSurvival, named: ModelNaming): Html {
  if (rows.length === 0) return html``;
  return html`<h3>Study ${study}: what broke, and how suddenly</h3>
<p class="note">Format: no code, no summary, or no Python. Signature: the function is missing or takes other arguments. Semantics: everything else. A task that broke after at least one loop collapsed where the judge still finds the two prompts alike (from the threshold on), and drifted where not.</p>
<div class="wide"><table><thead><tr><th data-sort="text">Model</th><th class="n" data-sort="number">Loop</th><th class="n">Format</th><th class="n">Signature</th><th class="n">Semantics</th><th class="n">Collapsed</th><th class="n">Drifted</th><th class="n">Unscored</th><th class="n">Mean similarity</th><th></th></tr></thead><tbody>
${rows.map(
  (row) =>
    html`<tr><td class="name" data-v="${row.model}">${named(run, row.model)}</td><td class="n" data-v="${row.loop}">${row.loop}</td><td class="n">${row.format}</td><td class="n">${row.signature}</td><td class="n">${row.semantics}</td><td class="n">${row.collapsed}</td><td class="n">${row.drifted}</td><td class="n">${row.unscored}</td><td class="n">${three(row.similarity?.value)}<br><span class="range">${intervalText(row.similarity?.interval ?? null, (value) => value.toFixed(2))}</span></td><td>${brokenBar(row)}</td></tr>
`,
)}</tbody></table></div>`;
}

/** Format, signature and semantics as shares of what broke in the loop. */
function brokenBar({ format, signature, semantics }: LoopBreaks): Html {
  const all = format + signature + semantics;
  const parts = [
    { count: semantics, opacity: '.85' },
    { count: signature, opacity: '.5' },
    { count: format, opacity: '.25' },
  ];
  let x = 0;
  const rects = parts.map(({ count, opacity }) => {
    const width = (110 * count) / all;
    const rect = html`<rect x="${x.toFixed(1)}" y="4" width="${width.toFixed(1)}" height="8" fill="var(--muted)" opacity="${opacity}"/>`;
    x += width;
    return rect;
  });
  return html`<svg class="bar" viewBox="0 0 120 16" width="120" height="16" aria-hidden="true">${rects}</svg>`;
}

const factor = (found: Estimate | null | undefined, digits = 2): Html => {
  if (!found) return html`${missing}`;
  const number = (value: number): string => value.toFixed(digits);
  return html`${number(found.value)} <span class="range">${intervalText(found.interval, number)}</span>`;
};

function drifts({ run, study, drifts: rows, fixpoints }: LoopSurvival, named: ModelNaming): Html {
  if (fixpoints.length === 0) return html``;
  const loops = [...new Set(rows.map(({ loop }) => loop))].toSorted((a, b) => a - b);
  return html`<h3>Study ${study}: drift of lengths, and fixpoints</h3>
<p class="note">Length of code and (below) of its summary in each sustained loop, over the same task’s in loop 1: geometric means over the tasks that got that far, with 95 % intervals (Student’s t of the logarithms). A fixpoint is code that no longer changes to the task’s end, over two loops at least.</p>
<div class="wide"><table><thead><tr><th>Model</th>${loops.map((loop) => html`<th class="n">${loop}</th>`)}<th class="n">Fixpoints</th><th class="n">of tasks</th><th class="n">from loop</th></tr></thead><tbody>
${fixpoints.map(
  ({ model, cells, share, from }) =>
    html`<tr><td class="name">${named(run, model)}</td>${loops.map((loop) => {
      const drift = rows.find((row) => row.model === model && row.loop === loop);
      return html`<td class="n">${factor(drift?.codeFactor)}<br>${factor(drift?.summaryFactor)}</td>`;
    })}<td class="n">${shareText(share?.value ?? null)}<br><span class="range">${shareInterval(share)}</span></td><td class="n">${cells}</td><td class="n">${factor(from, 1)}</td></tr>
`,
)}</tbody></table></div>`;
}
