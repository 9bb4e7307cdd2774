/** `pause`, `cancel` and `budget`: written to the run's ledger, which is read before each call is sent. */
import { openPlanned } from '../../activities/runs/planned-run.ts';
import { ceilingFaults, priceRemedy, unpricedModels } from '../../activities/runs/spec-faults.ts';
import { updateManifest } from '../../activities/storage/manifest.ts';
import type { Ledger } from '../../activities/storage/ledger/ledger.ts';
import { withoutLedgerSeal } from '../../activities/storage/ledger/ledger-seal.ts';
import { sealLedger, unsealLedger } from '../../activities/storage/seals.ts';
import { usdText } from '../../analysis/report/format.ts';
import { InputError } from '../../domain/errors.ts';
import { resumeCommand } from '../carry-out.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { budgetUsd } from '../follow/watch-screen.ts';
import { findRunToChange } from '../run-folders.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Terminal } from '../output/terminal.ts';

const stops = { pause: 'paused', cancel: 'cancelled' } as const;

export async function stopRun(
  verb: keyof typeof stops,
  id: string,
  { runsDir }: { runsDir: string },
  terminal: Terminal,
): Promise<ExitStatus> {
  const { folder, manifest } = await findRunToChange(runsDir, id);
  if (manifest.state === 'complete') {
    terminal.note(`run "${id}" is complete; there is nothing to ${verb}`);
    return exitStatus.done;
  }
  await changeLedger(folder, manifest, (ledger) => ledger.setStop(null, stops[verb], `${stops[verb]} by the user`));
  terminal.out(
    `${stops[verb]}: calls in flight finish, no new calls are sent. Continue with:\n  ${resumeCommand(id, runsDir)}`,
  );
  terminal.document({ run: id, stop: stops[verb], resume: resumeCommand(id, runsDir) });
  return exitStatus.done;
}

export async function setBudget(
  id: string,
  options: { usd: string; runsDir: string },
  terminal: Terminal,
): Promise<ExitStatus> {
  const usd = Number(options.usd);
  if (!/^[\d.]+(?:e[+-]?\d+)?$/i.test(options.usd) || !Number.isFinite(usd) || usd <= 0)
    throw new InputError(`must be a number of US dollars above 0; got "${options.usd}"`, { field: '--usd' });
  const { folder, manifest: found } = await findRunToChange(options.runsDir, id);
  const unpriced = unpricedModels(found.spec).map(({ id: model }) => model);
  if (unpriced.length > 0)
    throw new InputError(
      `no price known for ${unpriced.join(', ')}; in the spec, ${priceRemedy}; then run the spec again`,
    );
  const [unlimited] = ceilingFaults(found.spec);
  if (unlimited !== undefined) throw new InputError(unlimited.rule);
  const manifest = await updateManifest(folder, (old) => ({
    ...withoutLedgerSeal(folder, old),
    spec: { ...old.spec, budget: { ...old.spec.budget, usd } },
  }));
  const spentUsd = await changeLedger(folder, manifest, (ledger) => spentOf(ledger));
  terminal.out(
    `budget of run "${id}" is now ${budgetUsd(usd)}. If it had stopped, continue with:\n` +
      `  ${resumeCommand(id, options.runsDir)}`,
  );
  if (spentUsd >= usd)
    terminal.note(`note: ${usdText(spentUsd)} are spent already, so the run makes no further calls that cost`);
  terminal.document({ run: id, budget: manifest.spec.budget });
  return exitStatus.done;
}

function spentOf(ledger: Ledger): number {
  const { reportedUsd, estimatedUsd } = ledger.progress().spend;
  return reportedUsd + estimatedUsd;
}

/** Runs `work` on the open ledger, which is sealed again afterwards. */
async function changeLedger<T>(folder: string, manifest: Manifest, work: (ledger: Ledger) => T): Promise<T> {
  await unsealLedger(folder);
  const ledger = await openPlanned(folder, manifest);
  try {
    return work(ledger);
  } finally {
    ledger.close();
    await sealLedger(folder);
  }
}
