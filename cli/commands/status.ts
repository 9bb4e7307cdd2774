/** `status`: how far runs are. */
import { join } from 'node:path';
import Table from 'cli-table3';
import { closedText } from '../../activities/closed-accounts.ts';
import type { Ledger } from '../../activities/storage/ledger.ts';
import { type ExitStatus, exitStatus, explain } from '../exit-status.ts';
import { spendText } from '../progress-line.ts';
import { cellCounts } from '../share-done.ts';
import { findRun, runIds } from '../run-folders.ts';
import { lookAt, type Seen, stateOf } from '../sight.ts';
import { isPaidLane, laneUsdText, type RunSpend, solvedUsdText, spendLines } from '../spend-text.ts';
import { slowWorkSoon } from '../slow-work.ts';
import { plain, type Terminal } from '../terminal.ts';
import { budgetText } from '../watch-screen.ts';
import { watch, type Watched } from '../watch.ts';

export async function status(
  id: string | undefined,
  options: { runsDir: string; watch?: boolean },
  terminal: Terminal,
): Promise<ExitStatus> {
  if (id === undefined) return listRuns(options.runsDir, terminal);
  const { folder } = await findRun(options.runsDir, id);
  const { seen, interrupted, spend } = await lookAt(folder, async (look, ledger) => {
    const first = await look();
    const watched = (): Watched => ({ look, slowMs: slowWorkSoon({ folder, manifest: first.manifest, ledger }) });
    const looked = options.watch ? await watch(watched(), process.stdout, terminal.json) : { seen: first, interrupted: false };
    return { ...looked, spend: await spendOf(folder, looked.seen, ledger) };
  });
  terminal.out(statusText(seen, spend));
  const { manifest, progress, mixed, single, others, closed } = seen;
  terminal.document({ run: id, state: stateOf(seen), detail: manifest.stateDetail, progress, mixed, single, others, closed, spend });
  return interrupted ? exitStatus.interrupted : exitStatus.done;
}

/** Loaded where it is asked for: the forecast counts the tokens of the run's prompts. */
async function spendOf(folder: string, { manifest }: Seen, ledger: Ledger): Promise<RunSpend> {
  const { forecastBill } = await import('../../activities/estimate/bill-forecast.ts');
  const lanes = ledger.spendByLane();
  const solved = lanes.some(isPaidLane) ? await solvedOf(folder) : { solved: [], solvedFault: null };
  try {
    return { lanes, ...solved, forecast: await forecastBill(folder, manifest, ledger), forecastFault: null };
  } catch (error) {
    // Plan and tasks are files of their own; without them the rest can be shown.
    return { lanes, ...solved, forecast: null, forecastFault: error instanceof Error ? error.message : String(error) };
  }
}

/** A page that is damaged is what `verify` is for; the rest can be shown. */
async function solvedOf(folder: string): Promise<Pick<RunSpend, 'solved' | 'solvedFault'>> {
  const { solvedCosts } = await import('../solved-costs.ts');
  try {
    return { solved: await solvedCosts(folder), solvedFault: null };
  } catch (error) {
    return { solved: [], solvedFault: error instanceof Error ? error.message : String(error) };
  }
}

function statusText(seen: Seen, spend: RunSpend): string {
  const { manifest, progress } = seen;
  const { cells, done } = cellCounts(progress);
  const paid = progress.lanes.map(({ study, model }) => laneUsdText(spend, study, model));
  const isPaid = paid.some((usd) => usd !== null);
  const head = ['study', 'model', 'cells done', 'answers', ...(isPaid ? ['spent', 'USD per solved task'] : [])];
  const table = new Table({ head, style: { head: [], border: [] } });
  for (const [index, { study, model, cellsDone, cells: all, answered }] of progress.lanes.entries())
    table.push([
      plain(study),
      plain(model),
      `${cellsDone} / ${all}`,
      String(answered),
      ...(isPaid ? [paid[index] ?? '$0.00', solvedUsdText(spend, study, model)] : []),
    ]);
  return [
    `${manifest.runId}: ${stateOf(seen)}${manifest.stateDetail === null ? '' : ` (${manifest.stateDetail})`}`,
    `cells ${done} / ${cells} · pages ${progress.pages.sealed} / ${progress.pages.total} sealed · ${progress.answered} answers · ${progress.verdicts} programs judged`,
    `spend ${spendText(progress)}${budgetText(progress, manifest.spec.budget)} · in flight ${progress.liveIntents} · repeated ${progress.failedCalls} · lost ${progress.lostCalls}`,
    table.toString(),
    ...spendLines(spend),
    ...Object.entries(progress.unsentByReason).map(
      ([reason, count]) => `not sent, and in no count: ${count} ${count === 1 ? 'attempt' : 'attempts'}, ${plain(reason)}`,
    ),
    ...(progress.disbelievedCalls === 0
      ? []
      : [`usage that cannot be: ${progress.disbelievedCalls} calls, charged at the most that can (calls.usage_reported)`]),
    ...seen.others.map(({ model, names }) => `another model: ${plain(model)} was asked for, ${names.map(plain).join(', ')} answered`),
    ...Object.entries(progress.failuresByReason).map(([reason, count]) => `calls that failed: ${count} × ${plain(reason)}`),
    ...seen.mixed.map(({ model, versions }) => `mixed: ${plain(model)} answered as ${versions.map(plain).join(' and as ')}`),
    ...seen.single.map(
      ({ model, message }) => `single: ${plain(model)} is asked for one answer at a time, since n was refused (${plain(message)})`,
    ),
    ...seen.closed.map((account) => plain(closedText(account))),
    ...progress.stopped.map(({ reason, detail }) => `${plain(reason)}: ${plain(detail)}`),
    ...progress.failedPages.map(({ page, reason }) => `failed page ${page}: ${plain(reason)}`),
  ].join('\n');
}

/** What nobody foresaw is said in a line too, with the run that it is about. */
function faultOf(id: string, error: unknown): ReturnType<typeof explain> {
  const fault = explain(error);
  if (fault.status !== exitStatus.unexpected) return fault;
  return { ...fault, text: `run "${plain(id)}" cannot be shown: ${plain(String(error))}; "evenkeel verify" says what is damaged` };
}

/** A run that cannot be read is named, and keeps no other from being listed. */
async function listRuns(runsDir: string, terminal: Terminal): Promise<ExitStatus> {
  const ids = runIds(runsDir);
  const looks = await Promise.allSettled(ids.map(async (id) => ({ id, ...(await lookAt(join(runsDir, id), (look) => look())) })));
  const runs = looks.flatMap((look) => (look.status === 'fulfilled' ? [look.value] : []));
  const faults = looks.flatMap((look, index) => (look.status === 'rejected' ? [faultOf(ids[index] ?? '', look.reason)] : []));
  const table = new Table({ head: ['run', 'state', 'cells', 'created'], style: { head: [], border: [] } });
  for (const run of runs) {
    const { cells, done } = cellCounts(run.progress);
    table.push([run.id, stateOf(run), `${done} / ${cells}`, run.manifest.createdAt]);
  }
  terminal.out(ids.length === 0 ? `no runs in ${runsDir}` : table.toString());
  for (const { text } of faults) terminal.note(text);
  terminal.document(runs.map((run) => ({ run: run.id, state: stateOf(run), ...cellCounts(run.progress) })));
  return faults[0]?.status ?? exitStatus.done;
}
