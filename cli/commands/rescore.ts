/** `rescore`: judges a run's stored replies under another rule of extraction, and says which verdicts moved. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createAccounts } from '../../activities/accounts.ts';
import { openPlanned } from '../../activities/planned-run.ts';
import { createRescored, takeOverVerdicts } from '../../activities/rescore.ts';
import { createRuns, type Run } from '../../activities/runs.ts';
import { openRun } from '../../analysis/database.ts';
import { movedVerdicts, rescoredModels } from '../../analysis/rescored.ts';
import { InputError } from '../../domain/errors.ts';
import { earlierExtraction } from '../../domain/extraction/rules/index.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import { type ExtractionName, extractionNames } from '../../schemas/spec/fields.ts';
import { checkEnvironment } from '../../workers/check-environment.ts';
import { carryOut } from '../carry-out.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { rescoredText } from '../rescored-text.ts';
import { checkedRunId, findRun, findRunToGoOn } from '../run-folders.ts';
import type { Terminal } from '../terminal.ts';
import { sandboxIdentity } from './run.ts';

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
  refuse(id, manifest, extraction);
  const runId = checkedRunId(options.run ?? `${id}-${extraction}`);
  if (runId === manifest.runId) throw new InputError(`the replies are those of a run "${runId}"; give another name`, { field: '--run' });
  const end = await carriedOut({ ...options, id, runId, extraction, manifest }, terminal);
  if (end !== exitStatus.done) return end;
  const database = await openRun([folder, join(runsDir, runId)]);
  try {
    // A copy under another name has the rows of the run that it holds.
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
  if (rule === undefined) throw new InputError(`is one of ${extractionNames.join(', ')}; got "${name}"`, { field: '--extraction' });
  return rule;
}

function refuse(id: string, { state, spec }: Manifest, extraction: ExtractionName): void {
  if (state !== 'complete') throw new InputError(`run "${id}" is not complete; finish it first: evenkeel resume ${id}`);
  if (spec.studies.every((study) => (study.extraction ?? earlierExtraction) === extraction))
    throw new InputError(`run "${id}" goes by ${extraction} already; name another rule`, { field: '--extraction' });
}

interface Wanted extends RescoreVerbOptions {
  readonly id: string;
  readonly runId: string;
  readonly extraction: ExtractionName;
  readonly manifest: Manifest;
}

/** The new run, made or gone on with, and swept to its end. Its own results are no news here: they go where progress goes. */
async function carriedOut(wanted: Wanted, terminal: Terminal): Promise<ExitStatus> {
  const { runsDir, runId } = wanted;
  const folder = join(runsDir, runId);
  const known = existsSync(join(folder, 'manifest.json')) ? await knownRescored(wanted) : null;
  if (known?.state === 'complete') return exitStatus.done;
  await checkEnvironment(process.env, terminal.note);
  const manifest = known ?? (await made(wanted, folder, terminal));
  const quiet: Terminal = { ...terminal, out: terminal.note, document: () => {} };
  return carryOut({ runsDir, folder, manifest, ledger: await openPlanned(folder, manifest) }, quiet);
}

async function knownRescored({ runsDir, id, runId, extraction, manifest: { uuid } }: Wanted): Promise<Manifest> {
  const { manifest } = await findRunToGoOn(runsDir, runId);
  if (manifest.rescored?.uuid === uuid && manifest.rescored.extraction === extraction) return manifest;
  throw new InputError(`run "${runId}" exists and is not "${id}" under ${extraction}; give another name with --run ID`);
}

async function made({ runsDir, id, runId, extraction, manifest: { uuid } }: Wanted, folder: string, terminal: Terminal): Promise<Manifest> {
  const runs = createRuns({ runsDir, accounts: createAccounts(null) });
  try {
    const run: Run = await runs.open({ runId: id, uuid, epoch: 0 });
    const sandbox = await sandboxIdentity();
    const manifest = await createRescored({ run, folder, runId, extraction, sandbox });
    const ledger = await openPlanned(folder, manifest);
    const taken = await takeOverVerdicts(run, ledger, extraction, sandbox);
    ledger.close();
    terminal.note(`run "${runId}" made of the replies of "${id}"; ${taken} verdicts of its programs are known already`);
    return manifest;
  } finally {
    await runs.close();
  }
}
