/** The report as one HTML file: no link, no request, no script but the sorting of tables. A pure function of its data. */
import { attacksSection } from './attacks-section.ts';
import { boards } from './board-section.ts';
import { chainSection } from './chain-section.ts';
import { ceilingsSection } from './ceilings-section.ts';
import { costTable } from './cost-table.ts';
import type { ReportData, ReportRun } from './data.ts';
import { dataTable } from './data-table.ts';
import { endingsSection } from './endings-section.ts';
import { countText, missing, timeText, usdText } from './format.ts';
import { type ExamplePack, packExamples } from './example-pack.ts';
import { examplesSection } from './examples-section.ts';
import type { Example, Examples } from './examples.ts';
import { type Html, html, trusted } from './html.ts';
import { loopRanksSection } from './loop-ranks-section.ts';
import { loopSurvivalSection } from './loop-survival-section.ts';
import { type ExampleLink, matrixSection } from './matrix-section.ts';
import { aslMethod, simulatedMeaning } from './method.ts';
import type { ModelCalls } from './model-calls.ts';
import { type ModelColors, modelColors } from './model-colors.ts';
import { modelName, type ModelNaming } from './model-name.ts';
import { promptseSection } from './promptse-section.ts';
import { robunfrSection } from './robunfr-section.ts';
import { specificitySection } from './specificity-section.ts';
import { contentSecurityPolicy, pageScript } from './page-script.ts';
import { styleSheet } from './style.ts';

/** The page, with as many of the examples as fit. */
export async function renderReport(data: ReportData, drawn: Examples): Promise<string> {
  const colorOf = modelColors(data);
  const severalRuns = data.runs.length > 1;
  const named: ModelNaming = (run, model) => modelName(model, colorOf(model), isSimulated(data, { run, model }));
  const pack = await packExamples(drawn.examples);
  const title = data.runs.map(({ run }) => run).join(', ');
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}"><meta name="referrer" content="no-referrer">
<title>${title} · evenkeel</title><style>${trusted(styleSheet)}</style></head><body><main>
<header><p class="over">evenkeel report</p>${data.runs.map(runHeader)}</header>
${data.runs.map(banners)}
${mixedModels(data.calls)}${doubtfulModels(data.calls)}${singleModels(data.calls)}
${contents(data, pack)}
${hasBoards(data) ? await boards(data.leaderboard, colorOf, severalRuns) : html``}
${loopRanksSection(data.evaloop, colorOf, named)}
${await loopSurvivalSection(data.evaloop.survival, data.evaloop.similarities, named, colorOf)}
${attacksSection(data.evaloop.attacks, colorOf, severalRuns)}
${await promptseSection(data.promptse, colorOf, severalRuns)}
${await robunfrSection(data.robunfr, colorOf, severalRuns)}
${await specificitySection(data.specificity, colorOf, severalRuns)}
${chainSection(data.chains, colorOf)}
${ceilingsSection(data.ceilings, severalRuns)}
${endingsSection(data.endings, severalRuns, (of) => isSimulated(data, of))}
${matrixSection(data.matrices, severalRuns, exampleLinks(drawn.examples, pack))}
${examplesSection(
  drawn,
  pack,
  data.runs.map(({ seed }) => seed),
)}
${callsSection(data, colorOf)}
<section id="method"><h2>How to read this</h2>${aslMethod.map((paragraph) => html`<p>${paragraph}</p>`)}</section>
<div id="provenance">${data.runs.map(provenance)}</div>
</main><script>${trusted(pageScript)}</script></body></html>
`.markup;
}

/** EVALOOP's boards say that there is nothing yet; a run of other studies has no need of them. */
const hasBoards = ({ leaderboard, promptse, robunfr, specificity, chains }: ReportData): boolean =>
  leaderboard.length > 0 ||
  (promptse.board.length === 0 && robunfr.summaries.length === 0 && specificity.studies.length === 0 && chains.chain_scores.length === 0);

/** Where to find what; only parts that this report has. */
function contents(
  { leaderboard, evaloop, ceilings, endings, matrices, calls, promptse, robunfr, specificity, chains }: ReportData,
  { ids }: ExamplePack,
): Html {
  const parts = [
    { id: 'results', name: 'Results', there: leaderboard.length > 0 },
    { id: 'ranks', name: 'Rankings', there: evaloop.ranks.length + evaloop.standings.length > 0 },
    { id: 'survival', name: 'How tasks are lost', there: evaloop.survival.some(({ curves }) => curves.length > 0) },
    { id: 'attacks', name: 'Attacks', there: evaloop.attacks.length > 0 },
    { id: 'stability', name: 'Prompt stability', there: promptse.board.length > 0 },
    { id: 'requirements', name: 'Requirements', there: robunfr.summaries.length > 0 },
    { id: 'detail', name: 'Prompt detail', there: specificity.studies.length > 0 },
    { id: 'chains', name: 'Translation chains', there: chains.chain_scores.length > 0 },
    { id: 'ceilings', name: 'Ceilings', there: ceilings.length > 0 },
    { id: 'failures', name: 'Failures', there: endings.length > 0 },
    { id: 'tasks', name: 'Tasks', there: matrices.some(({ tasks }) => tasks.length > 0) },
    { id: 'examples', name: 'Examples', there: ids.size > 0 },
    { id: 'calls', name: 'Calls and spend', there: calls.length > 0 },
    { id: 'method', name: 'How to read this', there: true },
    { id: 'provenance', name: 'Provenance', there: true },
  ];
  return html`<nav aria-label="Contents">${parts.filter(({ there }) => there).map(({ id, name }) => html`<a href="#${id}">${name}</a>`)}</nav>`;
}

/** From a cell of the matrix to its example: that of the first repetition that the page holds. */
function exampleLinks(examples: readonly Example[], { ids }: ExamplePack): ExampleLink {
  const name = (...parts: readonly string[]): string => JSON.stringify(parts);
  const linkOf = new Map<string, string>();
  for (const { id, run, study, benchmark, language, variant, setting, taskId, model, repetition } of examples) {
    const cell = name(run, study, benchmark, language, setting, taskId, model);
    if (ids.has(id) && variant === 'original' && (repetition === 0 || !linkOf.has(cell))) linkOf.set(cell, id);
  }
  return ({ run, study, benchmark, language, setting }, taskId, model) =>
    linkOf.get(name(run, study, benchmark, language, setting, taskId, model));
}

function runHeader(run: ReportRun): Html {
  const time = run.finishedAt === null ? `last sealed ${timeText(run.updatedAt)}` : `finished ${timeText(run.finishedAt)}`;
  return html`<h1>${run.run} <span class="state">${run.state}</span></h1>
<p class="meta">Started ${timeText(run.createdAt)}, ${time}; ${countText(run.sealed)} of ${countText(run.planned)} cells sealed.</p>`;
}

function banners(run: ReportRun): Html {
  const simulated =
    run.simulatedModels.length === 0
      ? html``
      : html`<p class="banner"><b>Simulated.</b> ${simulatedMeaning} In ${run.run}: ${run.simulatedModels.join(', ')}.</p>`;
  const why = run.stateDetail === null ? '' : ` ${run.stateDetail}`;
  const partial =
    run.missing === 0
      ? html``
      : html`<p class="banner"><b>Partial.</b> ${countText(run.missing)} of ${countText(run.planned)} cells of ${run.run} are missing; every number is over the sealed ones only.${why}</p>`;
  return html`${partial}${simulated}`;
}

function mixedModels(calls: readonly ModelCalls[]): Html {
  const renamed = calls.filter(({ returnedModels }) => returnedModels.length > 1);
  const changed = calls.filter(({ returnedModels, fingerprints }) => returnedModels.length <= 1 && fingerprints.length > 1);
  return html`${renamed.map(({ model, returnedModels }) => html`<p class="banner"><b>Mixed versions.</b> ${model} answered under several names: ${returnedModels.join(', ')}.</p>`)}
${changed.map(({ model, fingerprints }) => html`<p class="banner"><b>Mixed versions.</b> ${model} answered with ${fingerprints.length} fingerprints: ${fingerprints.join(', ')}.</p>`)}`;
}

/** What an endpoint says of its answers that cannot be, or should not. */
function doubtfulModels(calls: readonly ModelCalls[]): Html {
  const banner = (what: string, text: string): Html => html`<p class="banner"><b>${what}.</b> ${text}</p>`;
  return html`${calls.flatMap(({ model, otherModels, disbelieved, logprobFaults }) => [
    ...(otherModels.length === 0 ? [] : [banner('Another model', `${model} was asked for, and ${otherModels.join(', ')} answered.`)]),
    ...(disbelieved === 0
      ? []
      : [
          banner(
            'Usage',
            `${countText(disbelieved)} calls of ${model} reported tokens that cannot be; they are charged at the most that can.`,
          ),
        ]),
    ...(logprobFaults === 0
      ? []
      : [banner('Log-probabilities', `Those of ${countText(logprobFaults)} answers of ${model} cannot be, and are in no number.`)]),
  ])}`;
}

const singleModels = (calls: readonly ModelCalls[]): Html =>
  html`${calls.filter(({ nRefused }) => nRefused > 0).map(({ model }) => html`<p class="banner"><b>One answer at a time.</b> The endpoint of ${model} refused a request for several answers, so each was asked for alone.</p>`)}`;

function callsSection(data: ReportData, colorOf: ModelColors): Html {
  const { calls } = data;
  if (calls.length === 0) return html``;
  return html`<section id="calls"><h2>Calls and spend</h2>
<p class="note">Estimated: calls that may have been billed without a word of what they cost: lost between sending and storing, or failed after they were sent. Simulated and replayed calls cost nothing.</p>
<div class="wide"><table><thead><tr><th>Model</th><th>Role</th><th class="n">Answered</th><th class="n">Failed</th><th class="n">Lost</th><th class="n">Reused</th><th class="n">Input tokens</th><th class="n">Output tokens</th><th class="n">Reported</th><th class="n">Estimated</th><th class="n">Unpriced</th></tr></thead><tbody>
${calls.map((row) => callsRow(row, colorOf, isSimulated(data, row)))}${callsTotal(calls)}</tbody></table></div>
${dataTable(costTable(data.costs, data.runs.length > 1))}</section>`;
}

const isSimulated = ({ runs }: ReportData, { run, model }: Pick<ModelCalls, 'run' | 'model'>): boolean =>
  runs.some((one) => one.run === run && one.simulatedModels.includes(model));

type CallCounts = Pick<ModelCalls, 'answered' | 'failed' | 'lost' | 'reused' | 'inputTokens' | 'outputTokens'> &
  Pick<ModelCalls, 'reportedUsd' | 'estimatedUsd' | 'unpriced'>;

const callCounts = (row: CallCounts): Html =>
  html`${[row.answered, row.failed, row.lost, row.reused, row.inputTokens, row.outputTokens].map((count) => html`<td class="n">${countText(count)}</td>`)}<td class="n">${usdText(row.reportedUsd)}</td><td class="n">${usdText(row.estimatedUsd)}</td><td class="n">${countText(row.unpriced)}</td>`;

const callsRow = (row: ModelCalls, colorOf: ModelColors, simulated: boolean): Html =>
  html`<tr><td class="name">${modelName(row.model, colorOf(row.model), simulated)}</td><td>${row.role}</td>${callCounts(row)}</tr>
`;

function callsTotal(calls: readonly ModelCalls[]): Html {
  const sum = (value: (row: ModelCalls) => number): number => calls.reduce((total, row) => total + value(row), 0);
  const total = {
    answered: sum((row) => row.answered),
    failed: sum((row) => row.failed),
    lost: sum((row) => row.lost),
    reused: sum((row) => row.reused),
    inputTokens: sum((row) => row.inputTokens),
    outputTokens: sum((row) => row.outputTokens),
    reportedUsd: sum((row) => row.reportedUsd),
    estimatedUsd: sum((row) => row.estimatedUsd),
    unpriced: sum((row) => row.unpriced),
  };
  return html`<tr class="total"><td>All</td><td></td>${callCounts(total)}</tr>`;
}

function provenance(run: ReportRun): Html {
  return html`<section><h2>Provenance of ${run.run}</h2><dl>${run.provenance.map(({ name, value }) => html`<dt>${name}</dt><dd>${value === '' ? missing : value}</dd>`)}</dl>
<details><summary>Spec</summary><pre>${run.specText}</pre></details></section>`;
}
