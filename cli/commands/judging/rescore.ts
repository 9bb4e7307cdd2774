/** `rescore`: judges a run's stored replies under another extraction rule, and lists the verdicts that change. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from '../../../domain/counted.ts';
import { createAccounts } from '../../../activities/calls/accounts.ts';
import { openPlanned } from '../../../activities/runs/planned-run.ts';
import { createRescored, takeOverVerdicts } from '../../../activities/runs/rescore.ts';
import { createRuns, type Run } from '../../../activities/runs/runs.ts';
import { openRun } from '../../../analysis/database.ts';
import { movedVerdicts, rescoredModels } from '../../../analysis/rescored.ts';
import { InputError } from '../../../domain/errors.ts';
import { earlierExtraction } from '../../../studies/extraction.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { type ExtractionName, extractionNames } from '../../../schemas/spec/fields.ts';
import { checkEnvironment } from '../../../workers/check-environment.ts';
import { carryOut } from '../../carry-out.ts';
import { type ExitStatus, exitStatus } from '../../exit-status.ts';
import { isOwned } from '../../../activities/storage/ownership.ts';
import { commandName } from '../../command-name.ts';
import { rescoredText } from '../../output/rescored-text.ts';
import { checkedRunId, findRun, findRunToChange } from '../../run-folders.ts';
import type { Terminal } from '../../output/terminal.ts';
import { sandboxIdentity } from '../run.ts';

export interface RescoreVerbOptions {
  readonly runsDir: string;
  readonly extraction: string;
  readonly run?: string;
}

const shownOfEach = 5;

export async function rescore(id: string, options: RescoreVerbOptions, terminal: Terminal): Promise<ExitStatus> {
  const { runsDir } = options;
  const extraction = namedRule(options.extraction);
  const { folder, manifest } = await findRun(runsDir, id);
  refuse(id, folder, manifest, extraction);
  const runId = checkedRunId(options.run ?? `${id}-${extraction}`);
  if (runId === manifest.runId)
    throw new InputError(`"${runId}" is the run that the replies come from; give the new run another id`, {
      field: '--run',
    });
  const end = await rescoredRun({ runsDir, id, runId, extraction, manifest }, terminal);
  if (end !== exitStatus.done) return end;
  const database = await openRun([folder, join(runsDir, runId)]);
  try {
    // Rows of a copy under another name have the id of the original run, which the manifest tells.
    const models = await rescoredModels(database, manifest.runId, runId);
    const moved = await movedVerdicts(database, manifest.runId, runId, shownOfEach);
    terminal.document({ run: id, rescored: runId, extraction, models, moved });
    terminal.out(rescoredText({ run: id, rescored: runId, models, moved }));
  } finally {
    database.close();
  }
  return exitStatus.done;
}

function namedRule(name: string): ExtractionName {
  const rule = extractionNames.find((known) => known === name);
  if (rule === undefined)
    throw new InputError(`must be one of ${extractionNames.join(', ')}; got "${name}"`, { field: '--extraction' });
  return rule;
}

function refuse(id: string, folder: string, { state, spec }: Manifest, extraction: ExtractionName): void {
  if (state !== 'complete') {
    const remedy = isOwned(folder)
      ? 'another process is running it, so wait until it has ended'
      : `finish it first: ${commandName()} resume ${id}`;
    throw new InputError(`run "${id}" is not complete; ${remedy}`);
  }
  if (spec.studies.every((study) => (study.extraction ?? earlierExtraction) === extraction))
    throw new InputError(`run "${id}" already uses ${extraction}; choose another rule`, { field: '--extraction' });
}

export interface Wanted {
  readonly runsDir: string;
  readonly id: string;
  readonly runId: string;
  readonly extraction: ExtractionName;
  readonly manifest: Manifest;
}

/**
 * Creates the new run or resumes it, and carries it out. Its own results go to stderr: stdout is for the comparison.
 */
export async function rescoredRun(wanted: Wanted, terminal: Terminal): Promise<ExitStatus> {
  const { runsDir, runId } = wanted;
  const folder = join(runsDir, runId);
  const known = existsSync(join(folder, 'manifest.json')) ? await knownRescored(wanted) : null;
  if (known?.state === 'complete') return exitStatus.done;
  await checkEnvironment(process.env, terminal.note);
  const manifest = known ?? (await create(wanted, folder, terminal));
  const quiet: Terminal = { ...terminal, out: terminal.note, document: () => {} };
  return carryOut({ runsDir, folder, manifest, ledger: await openPlanned(folder, manifest) }, quiet);
}

async function knownRescored({ runsDir, id, runId, extraction, manifest: { uuid } }: Wanted): Promise<Manifest> {
  const { manifest } = await findRunToChange(runsDir, runId);
  if (manifest.rescored?.uuid === uuid && manifest.rescored.extraction === extraction) return manifest;
  throw new InputError(
    `run "${runId}" already exists and is not "${id}" rescored by ${extraction}; choose another id with --run ID`,
  );
}

async function create(
  { runsDir, id, runId, extraction, manifest: { uuid } }: Wanted,
  folder: string,
  terminal: Terminal,
): Promise<Manifest> {
  const runs = createRuns({ runsDir, accounts: createAccounts(null) });
  try {
    const run: Run = await runs.open({ runId: id, uuid, epoch: 0 });
    const sandbox = await sandboxIdentity();
    const manifest = await createRescored({ run, folder, runId, extraction, sandbox });
    const ledger = await openPlanned(folder, manifest);
    const taken = await takeOverVerdicts(run, ledger, extraction, sandbox);
    ledger.close();
    terminal.note(`created run "${runId}" from the replies of "${id}"; ${counted(taken, 'verdict')} reused from it`);
    return manifest;
  } finally {
    await runs.close();
  }
}
