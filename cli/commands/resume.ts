/** `resume`: continues a run from what is stored of it alone. */
import { openPlanned } from '../../activities/runs/planned-run.ts';
import { checkAccounts } from '../../activities/runs/probe-spec.ts';
import { lostReuseLines } from '../../activities/runs/reused-runs.ts';
import { refuseArchived } from '../../activities/storage/archived.ts';
import { prepareToContinue } from '../../activities/runs/prepare-to-continue.ts';
import { InputError } from '../../domain/errors.ts';
import { knownHint } from '../../domain/nearest.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { checkEnvironment } from '../../workers/check-environment.ts';
import { checkMetricsAddress } from '../../workers/metrics/check-address.ts';
import { carryOut, endOfFinished } from '../carry-out.ts';
import { checkLedger } from '../check-ledger.ts';
import { commandName } from '../command-name.ts';
import { earlierStop } from '../earlier-stop.ts';
import { quoted } from '../../activities/storage/files/quoted.ts';
import { runsDirOption } from '../runs-dir-option.ts';
import { detach, refuseDetachInFolder } from '../detach.ts';
import type { ExitStatus } from '../exit-status.ts';
import { acceptedLossesText } from '../output/spend-text.ts';
import { retryNote } from '../output/retry-note.ts';
import { grownText, missingText } from '../output/recordings-text.ts';
import { runCatalog } from '../../activities/storage/catalog/open-catalog.ts';
import type { Terminal } from '../output/terminal.ts';

interface ResumeOptions {
  readonly runsDir: string;
  readonly all?: boolean;
  readonly model?: string;
  readonly probe?: boolean;
  readonly acceptLosses?: boolean;
  readonly detach?: boolean;
}

export async function resume(
  id: string,
  { runsDir, all, model, probe = true, acceptLosses: accepts, detach: detaches = false }: ResumeOptions,
  terminal: Terminal,
): Promise<ExitStatus> {
  refuseDetachInFolder(detaches);
  const { home } = await runCatalog(runsDir).findToChange(id);
  const lost = accepts ? await home.seals.acceptLosses() : 0;
  if (lost > 0) terminal.note(acceptedLossesText(lost));
  const manifest = await home.manifest();
  refuseArchived(home.folder, manifest);
  if (model !== undefined) checkModel(model, manifest);
  if (manifest.state === 'complete') {
    const verify = `${commandName()} verify ${quoted(id)}${runsDirOption(runsDir)}`;
    terminal.note(
      manifest.missingTables === undefined
        ? `run "${id}" is already complete, so nothing is asked; ${verify} checks all its files`
        : `run "${id}" is complete, so nothing is asked; its missing tables are derived again`,
    );
    return endOfFinished({ home, runsDir, all }, terminal);
  }
  const liftedStop = await earlierStop(home);
  const ownership = runCatalog(runsDir).ownership(id);
  await checkLedger({ home, manifest, ownership }, terminal);
  await checkEnvironment(process.env, terminal.note);
  const { spec, specText: text, specFile: path = 'the spec' } = manifest;
  const isWatched = (await ownership.isOwned()) && !(await ownership.isDetached());
  if (!detaches && !isWatched) await checkMetricsAddress(process.env);
  if (probe && !isWatched) await checkAccounts({ spec, text, path }, process.env);
  const { manifest: current, grown, missing } = await prepareToContinue(home, manifest);
  for (const line of [
    ...missingText(missing),
    ...grownText(grown, isWatched),
    ...(await lostReuseLines(runsDir, spec)),
  ])
    terminal.note(line);
  const ledger = await openPlanned(home, current);
  const note = model === undefined || isWatched ? null : retryNote(model, await ledger.progress());
  if (note !== null) terminal.note(note);
  const run = { runsDir, all, retry: model, fromDetached: true, liftedStop, home, manifest: current, ledger };
  return detaches ? detach(run, terminal) : carryOut(run, terminal);
}

function checkModel(model: string, { spec: { models } }: Manifest): void {
  const ids = models.map(({ id }) => id);
  if (!ids.includes(model))
    throw new InputError(`no model "${model}" in the run; ${knownHint(model, ids)}`, { field: '--model' });
}
