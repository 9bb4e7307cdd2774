/** `pause`, `cancel` and `budget`: durable rows in the run's ledger; every call looks at them before it is sent. */
import { openPlanned } from '../../activities/planned-run.ts';
import { ceilingFaults, priceRemedy, unpricedModels } from '../../activities/spec-faults.ts';
import { updateManifest } from '../../activities/storage/manifest.ts';
import type { Ledger } from '../../activities/storage/ledger.ts';
import { withoutLedgerSeal } from '../../activities/storage/ledger-seal.ts';
import { sealLedger, unsealLedger } from '../../activities/storage/seals.ts';
import { InputError } from '../../domain/errors.ts';
import { resumeCommand } from '../carry-out.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { findRunToGoOn } from '../run-folders.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Terminal } from '../terminal.ts';

const stops = { pause: 'paused', cancel: 'cancelled' } as const;

export async function stopRun(
  verb: keyof typeof stops,
  id: string,
  { runsDir }: { runsDir: string },
  terminal: Terminal,
): Promise<ExitStatus> {
  const { folder, manifest } = await findRunToGoOn(runsDir, id);
  if (manifest.state === 'complete') {
    terminal.note(`run "${id}" is finished; there is nothing to ${verb}`);
    return exitStatus.done;
  }
  await changeLedger(folder, manifest, (ledger) => ledger.setStop(null, stops[verb], `${stops[verb]} by the user`));
  terminal.out(`${stops[verb]}: calls in flight finish, no new one is sent. Go on with:\n  ${resumeCommand(id, runsDir)}`);
  terminal.document({ run: id, stop: stops[verb], resume: resumeCommand(id, runsDir) });
  return exitStatus.done;
}

export async function setBudget(id: string, options: { usd: string; runsDir: string }, terminal: Terminal): Promise<ExitStatus> {
  const usd = Number(options.usd);
  if (!Number.isFinite(usd) || usd <= 0)
    throw new InputError(`a budget is a number of dollars above 0, got "${options.usd}"`, { field: '--usd' });
  const { folder, manifest: found } = await findRunToGoOn(options.runsDir, id);
  const unpriced = unpricedModels(found.spec).map(({ id: model }) => model);
  if (unpriced.length > 0)
    throw new InputError(`no price is known for ${unpriced.join(', ')}; in the spec, ${priceRemedy}, and run it again`);
  const [unlimited] = ceilingFaults(found.spec);
  if (unlimited !== undefined) throw new InputError(unlimited.rule);
  const manifest = await updateManifest(folder, (old) => ({
    ...withoutLedgerSeal(folder, old),
    spec: { ...old.spec, budget: { ...old.spec.budget, usd } },
  }));
  await changeLedger(folder, manifest, () => {});
  terminal.out(`budget of run "${id}" is now $${usd.toFixed(2)}. If it had stopped, go on with:\n  ${resumeCommand(id, options.runsDir)}`);
  terminal.document({ run: id, budget: manifest.spec.budget });
  return exitStatus.done;
}

/** `work` on the ledger as the manifest plans it. */
async function changeLedger(folder: string, manifest: Manifest, work: (ledger: Ledger) => void): Promise<void> {
  await unsealLedger(folder);
  const ledger = await openPlanned(folder, manifest);
  try {
    work(ledger);
  } finally {
    ledger.close();
    await sealLedger(folder);
  }
}
