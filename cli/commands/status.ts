/** `status`: how far runs are. */
import { join } from 'node:path';
import Table from 'cli-table3';
import { type ExitStatus, exitStatus, explain } from '../exit-status.ts';
import { cellCounts, spendText } from '../progress-line.ts';
import { findRun, runIds } from '../run-folders.ts';
import { lookAt, type Seen, stateOf } from '../sight.ts';
import { plain, type Terminal } from '../terminal.ts';
import { budgetText } from '../watch-screen.ts';
import { watch } from '../watch.ts';

export async function status(
  id: string | undefined,
  options: { runsDir: string; watch?: boolean },
  terminal: Terminal,
): Promise<ExitStatus> {
  if (id === undefined) return listRuns(options.runsDir, terminal);
  const { folder } = await findRun(options.runsDir, id);
  const { seen, interrupted } = await lookAt(folder, async (look) =>
    options.watch ? watch(look, process.stdout, terminal.json) : { seen: await look(), interrupted: false },
  );
  terminal.out(statusText(seen));
  const { manifest, progress, mixed, single } = seen;
  terminal.document({ run: id, state: stateOf(seen), detail: manifest.stateDetail, progress, mixed, single });
  return interrupted ? exitStatus.interrupted : exitStatus.done;
}

function statusText(seen: Seen): string {
  const { manifest, progress } = seen;
  const { cells, done } = cellCounts(progress);
  const table = new Table({ head: ['study', 'model', 'cells done', 'answers'], style: { head: [], border: [] } });
  for (const lane of progress.lanes)
    table.push([plain(lane.study), plain(lane.model), `${lane.cellsDone} / ${lane.cells}`, String(lane.answered)]);
  return [
    `${manifest.runId}: ${stateOf(seen)}${manifest.stateDetail === null ? '' : ` (${manifest.stateDetail})`}`,
    `cells ${done} / ${cells} · pages ${progress.pages.sealed} / ${progress.pages.total} sealed · ${progress.answered} answers · ${progress.verdicts} programs judged`,
    `spend ${spendText(progress)}${budgetText(progress, manifest.spec.budget)} · in flight ${progress.liveIntents} · repeated ${progress.failedCalls} · lost ${progress.lostCalls}`,
    table.toString(),
    ...Object.entries(progress.failuresByReason).map(([reason, count]) => `calls that failed: ${count} × ${plain(reason)}`),
    ...seen.mixed.map(({ model, versions }) => `mixed: ${plain(model)} answered as ${versions.map(plain).join(' and as ')}`),
    ...seen.single.map(
      ({ model, message }) => `single: ${plain(model)} is asked for one answer at a time, since n was refused (${plain(message)})`,
    ),
    ...progress.stopped.map(({ reason, detail }) => `${plain(reason)}: ${plain(detail)}`),
    ...progress.failedPages.map(({ page, reason }) => `failed page ${page}: ${plain(reason)}`),
  ].join('\n');
}

/** A run that cannot be read is named, and keeps no other from being listed. */
async function listRuns(runsDir: string, terminal: Terminal): Promise<ExitStatus> {
  const ids = runIds(runsDir);
  const looks = await Promise.allSettled(ids.map(async (id) => ({ id, ...(await lookAt(join(runsDir, id), (look) => look())) })));
  const runs = looks.flatMap((look) => (look.status === 'fulfilled' ? [look.value] : []));
  const faults = looks.flatMap((look) => (look.status === 'rejected' ? [explain(look.reason)] : []));
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
