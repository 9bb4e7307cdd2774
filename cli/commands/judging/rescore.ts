/** `rescore`: judges a run's stored replies under other rules, limits or suites, and lists the verdicts that change. */
import { existsSync } from 'node:fs';
import { counted } from '../../../domain/counted.ts';
import { createAccounts } from '../../../activities/calls/accounts/accounts.ts';
import { openPlanned } from '../../../activities/runs/planned-run.ts';
import { createRescored, statedChanges } from '../../../activities/rescoring/rescore.ts';
import { type Changes, rescoredTasks } from '../../../activities/rescoring/rescored-tasks.ts';
import { takeOverVerdicts } from '../../../activities/rescoring/take-over-verdicts.ts';
import type { Run } from '../../../activities/runs/opened/run.ts';
import { createRuns } from '../../../activities/runs/runs.ts';
import { openRun } from '../../../analysis/database.ts';
import { judgedAnswers, movedVerdicts, rescoredModels } from '../../../analysis/rescored.ts';
import { InputError } from '../../../domain/errors.ts';
import { canonicalJson } from '../../../domain/ids.ts';
import { nameList } from '../../../domain/name-list.ts';
import type { Manifest } from '../../../schemas/manifest.ts';
import { checkEnvironment } from '../../../workers/check-environment.ts';
import { carryOut } from '../../carry-out.ts';
import { type ExitStatus, exitStatus } from '../../exit-status.ts';
import { refuseArchived } from '../../../activities/storage/archived.ts';
import { isWritable } from '../../../activities/storage/files/is-writable.ts';
import { isSealed } from '../../../activities/storage/ledger/sqlite/ledger-seal.ts';
import { commandName } from '../../command-name.ts';
import { rulesOf } from '../../../studies/index.ts';
import { rescoredText } from '../../output/rescored-text.ts';
import { changesName, namedChanges, type RescoreFlags } from './rescore-flags.ts';
import { runCatalog } from '../../../activities/storage/catalog/open-catalog.ts';
import type { RunHome } from '../../../activities/storage/home/run-home.ts';
import type { FoundRun } from '../../../activities/storage/catalog/run-catalog.ts';
import { checkedRunId } from '../../../activities/storage/catalog/run-id.ts';
import { plain, type Terminal } from '../../output/terminal.ts';
import { sandboxIdentity } from '../run.ts';

export interface RescoreVerbOptions extends RescoreFlags {
  readonly runsDir: string;
  readonly run?: string;
}

const shownOfEach = 5;

export async function rescore(id: string, options: RescoreVerbOptions, terminal: Terminal): Promise<ExitStatus> {
  const { runsDir } = options;
  const changes = namedChanges(options);
  const found = await runCatalog(runsDir).find(id);
  const { home, manifest } = found;
  await refuse(runsDir, id, found);
  const runId = checkedRunId(options.run ?? `${id}-${changesName(changes)}`);
  if (runId === manifest.runId)
    throw new InputError(`"${runId}" is the run that the replies come from; give the new run another id`, {
      field: '--run',
    });
  const end = await rescoredRun({ runsDir, id, runId, changes, manifest }, terminal);
  if (end !== exitStatus.done) return end;
  const database = await openRun(await Promise.all([home.tables(), runCatalog(runsDir).home(runId).tables()]));
  try {
    // Rows of a copy under another name have the id of the original run, which the manifest tells.
    const models = await rescoredModels(database, manifest.runId, runId);
    const moved = await movedVerdicts(database, manifest.runId, runId, shownOfEach);
    terminal.document({ run: id, rescored: runId, ...statedChanges(changes), models, moved });
    const looping = manifest.spec.studies.filter((study) => rulesOf(study).depth !== undefined);
    const inLoops = new Set(looping.map(({ name }) => name));
    terminal.out(rescoredText({ run: id, rescored: runId, models, moved, inLoops }));
  } finally {
    database.close();
  }
  return exitStatus.done;
}

async function refuse(runsDir: string, id: string, { folder, manifest }: FoundRun): Promise<void> {
  refuseArchived(folder, manifest);
  if (manifest.state === 'complete') return;
  const remedy = (await runCatalog(runsDir).ownership(id).isOwned())
    ? 'another process is running it, so wait until it has ended'
    : finishText(id);
  throw new InputError(`run "${id}" is not complete; ${remedy}`);
}

/** Of a run that cannot be judged in another way yet. A model that is gone would keep it so for ever. */
export const finishText = (id: string): string =>
  `finish it first: ${commandName()} resume ${id}. If a model cannot be asked any more, run the spec without it ` +
  `under another name and with reuse: [${id}], which takes over the answers of the others`;

export interface Wanted {
  readonly runsDir: string;
  readonly id: string;
  readonly runId: string;
  readonly changes: Changes;
  readonly manifest: Manifest;
  /** Whether one line says what was judged, in place of the new run's tables. Default: no. */
  readonly inBrief?: boolean;
  /** What else to do where no run can be made. */
  readonly otherWay?: string;
}

/**
 * Creates the new run or resumes it, and carries it out. Its own results go to stderr: stdout is for what is made of
 * them.
 */
export async function rescoredRun(wanted: Wanted, terminal: Terminal): Promise<ExitStatus> {
  const { runsDir, runId, inBrief = false } = wanted;
  const catalog = runCatalog(runsDir);
  const home = catalog.home(runId);
  const known = (await catalog.has(runId)) ? await knownRescored(wanted) : null;
  if (!isSealed(wanted.manifest)) terminal.note(unsealedText(wanted.id));
  if (known?.state === 'complete') {
    // Its command may have been killed in between.
    if (!isSealed(known) && isWritable(home.folder)) await home.seals.seal();
    return exitStatus.done;
  }
  refuseReadOnly(wanted);
  await checkEnvironment(process.env, terminal.note);
  const manifest = await filled(wanted, home, known, terminal);
  const quiet: Terminal = { ...terminal, out: inBrief ? () => {} : terminal.note, document: () => {} };
  const end = await carryOut({ runsDir, home, manifest, ledger: await openPlanned(home, manifest) }, quiet);
  if (inBrief && end === exitStatus.done) terminal.note(await briefText(wanted.id, runId, home));
  return end;
}

/** `rescored nightly as nightly-strict: suites base, plus, 36 answers judged`. */
async function briefText(id: string, runId: string, home: RunHome): Promise<string> {
  const database = await openRun(await home.tables());
  try {
    const { suites, answers } = await judgedAnswers(database);
    const judged = `${counted(answers, 'answer')} judged`;
    const by = suites.length === 0 ? '' : `${suites.length === 1 ? 'suite' : 'suites'} ${nameList(suites)}, `;
    return plain(`rescored ${id} as ${runId}: ${by}${judged}`);
  } finally {
    database.close();
  }
}

const unsealedText = (id: string): string =>
  `the ledger of run "${id}" is not sealed, because a command that worked on it was killed; ${commandName()} resume ` +
  `${id} seals it`;

function refuseReadOnly({ runsDir, otherWay = '' }: Wanted): void {
  if (!existsSync(runsDir) || isWritable(runsDir)) return;
  const rule = 'is read-only, and replies judged in another way are a run there';
  throw new InputError(`${rule}: copy it and name the copy with --runs-dir${otherWay}`, { file: runsDir });
}

async function knownRescored({ runsDir, id, runId, changes, manifest: { uuid } }: Wanted): Promise<Manifest> {
  const { manifest } = await runCatalog(runsDir).findToChange(runId);
  const { extraction, judging, suites, uuid: of } = manifest.rescored ?? {};
  const stated = { extraction, ...(judging && { judging }), ...(suites && { suites }) };
  if (of === uuid && canonicalJson(stated) === canonicalJson(statedChanges(changes))) return manifest;
  throw new InputError(
    `run "${runId}" already exists and is not "${id}" rescored in this way; choose another id with --run ID`,
  );
}

/** @param known the new run, if a command that was killed has created it */
async function filled(
  { runsDir, id, runId, changes, manifest: { uuid } }: Wanted,
  home: RunHome,
  known: Manifest | null,
  terminal: Terminal,
): Promise<Manifest> {
  const catalog = runCatalog(runsDir);
  // Its owner takes over nothing more.
  if (known !== null && (await catalog.ownership(runId).isOwned())) return known;
  const runs = createRuns({ runsDir, accounts: createAccounts(null) });
  try {
    const run: Run = await runs.open({ runId: id, uuid, epoch: 0 });
    const sandbox = known?.sandbox ?? (await sandboxIdentity());
    const rescored = await rescoredTasks(run, changes);
    const manifest = known ?? (await createRescored({ run, catalog, runId, changes, rescored, sandbox }));
    const ledger = await openPlanned(home, manifest);
    const taken = await takeOverVerdicts(run, ledger, changes, rescored, sandbox);
    await ledger.close();
    const what = known === null ? 'created' : 'continuing';
    terminal.note(`${what} run "${runId}" from the replies of "${id}"; ${counted(taken, 'verdict')} reused from it`);
    return manifest;
  } finally {
    await runs.close();
  }
}
