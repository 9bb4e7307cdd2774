/** `pause`, `cancel` and `budget`: written to the run's ledger, which is read before each call is sent. */
import { openPlanned, setPlannedBudget } from '../../activities/runs/planned-run.ts';
import { ceilingFaults, priceRemedy, unpricedModels } from '../../activities/runs/spec-faults.ts';
import { stopUnlessComplete, updateManifest } from '../../activities/storage/manifest.ts';
import type { Ledger } from '../../activities/storage/ledger/ledger.ts';
import type { RunHome } from '../../activities/storage/home/run-home.ts';
import { usdText } from '../../analysis/report/format.ts';
import { counted } from '../../domain/counted.ts';
import { InputError } from '../../domain/errors.ts';
import { resumeCommand } from '../how-to-continue.ts';
import { type ExitStatus, exitStatus } from '../exit-status.ts';
import { refuseReadOnly } from '../faults/read-only.ts';
import { silentAround, silentTextFor } from '../../workers/beats/silent-workers.ts';
import { limitsText } from '../output/budget-notes.ts';
import { runCatalog } from '../../activities/storage/catalog/open-catalog.ts';
import type { FoundRun, Ownership } from '../../activities/storage/catalog/run-catalog.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Spec } from '../../schemas/spec.ts';
import { plain, type Terminal } from '../output/terminal.ts';

const stops = { pause: 'paused', cancel: 'cancelled' } as const;

export async function stopRun(
  verb: keyof typeof stops,
  id: string,
  { runsDir }: { runsDir: string },
  terminal: Terminal,
): Promise<ExitStatus> {
  return stopFound(verb, id, await runCatalog(runsDir).findToChange(id), runsDir, terminal);
}

/** @param found the run as it was found: it may have ended since */
export async function stopFound(
  verb: keyof typeof stops,
  id: string,
  { home, manifest }: Pick<FoundRun, 'home' | 'manifest'>,
  runsDir: string,
  terminal: Terminal,
): Promise<ExitStatus> {
  const endedBefore = (text: string): ExitStatus => {
    terminal.note(text);
    terminal.document({ run: id, stop: null, state: 'complete' });
    return exitStatus.done;
  };
  if (manifest.state === 'complete')
    return endedBefore(
      `run "${id}" is complete; there is nothing to ${verb}. If a command is just extending it, ${verb} it again ` +
        'once that says "extended"',
    );
  refuseReadOnly(home.folder, cannotChange);
  const detail = `${stops[verb]} by the user`;
  const {
    batches = [],
    liveIntents,
    isOwned,
    sent,
  } = await changeLedger(home, manifest, async (ledger) => {
    await ledger.setStop(null, stops[verb], detail);
    const noted = await noteStop(home, runCatalog(runsDir).ownership(id), detail);
    return { ...(await ledger.progress()), isOwned: !noted, sent: await sentBatches(ledger) };
  });
  if ((await home.manifest()).state === 'complete')
    return endedBefore(`run "${id}" is complete: it ended before this took effect, so there is nothing to ${verb}`);
  terminal.out(
    `${stops[verb]}: no new calls are sent; ${isOwned ? waitsText(liveIntents, sent) : leftText(liveIntents)}. ` +
      `${isOwned ? 'Unless it ends complete, continue' : 'Continue'} with:\n  ${resumeCommand(id, runsDir)}`,
  );
  const silentWorkers = isOwned ? silentAround(home.folder) : [];
  for (const worker of silentWorkers) terminal.note(`note: ${plain(silentTextFor(id, worker))}`);
  const left = batches.reduce((sum, one) => sum + one.batches, 0);
  if (left > 0 && !isOwned) terminal.note(leftAtEndpoint(left));
  const inFlight = { inFlight: liveIntents, inBatches: sent.questions };
  terminal.document({ run: id, stop: stops[verb], ...inFlight, silentWorkers, resume: resumeCommand(id, runsDir) });
  return exitStatus.done;
}

/**
 * Of a run that nobody works on, the state says what the newest stop says; whoever works on a run writes that at its
 * end. False if somebody works on it. Call once the stop is in the ledger: what outlived a killed owner asks nothing
 * then, although the run has an owner for a moment.
 */
async function noteStop(home: RunHome, ownership: Ownership, detail: string): Promise<boolean> {
  const owned = await ownership.take();
  if (owned === null) return false;
  try {
    await stopUnlessComplete(home, detail);
    return true;
  } finally {
    await owned.release();
  }
}

/** Batches that may be at the endpoint, and their questions: what was not sent is only given back. */
interface SentBatches {
  readonly batches: number;
  readonly questions: number;
}

async function sentBatches(ledger: Ledger): Promise<SentBatches> {
  const sent = (await ledger.openBatches()).filter(
    ({ endpointId, createAskedMs }) => endpointId !== null || createAskedMs !== null,
  );
  return { batches: sent.length, questions: sent.reduce((sum, { requests }) => sum + requests, 0) };
}

/** What a run waits for that a process works on. */
function waitsText(calls: number, { batches, questions }: SentBatches): string {
  const [are, their] = calls === 1 ? ['is', 'its answer is'] : ['are', 'their answers are'];
  const flying = calls === 0 ? [] : [`${counted(calls, 'call')} ${are} still in flight, and ${their} kept`];
  if (batches === 0) return [...flying, flying.length > 0 ? 'then the run ends' : noneInFlight].join('; ');
  const [them, they] = batches === 1 ? ['it', 'it has'] : ['them', 'they have'];
  const where =
    `${counted(questions, 'question')} ${questions === 1 ? 'is' : 'are'} in ` +
    `${counted(batches, 'batch', 'batches')} at the endpoint`;
  const closing = `the run cancels ${them}, waits up to two minutes for what ${they} answered, and ends`;
  return [...flying, `${where}: ${closing}`].join('; ');
}
const noneInFlight = 'none is in flight, so the run ends';

/** What a run has left that no process works on; of its batches a note tells. */
const leftText = (calls: number): string =>
  calls === 0
    ? 'none is in flight'
    : `${counted(calls, 'call')} ${calls === 1 ? 'was' : 'were'} in flight when the run's process ended: ` +
      'they count as lost, and resume asks again';

const leftAtEndpoint = (batches: number): string =>
  `note: no process works on this run, so ${counted(batches, 'batch', 'batches')} at the endpoint ` +
  `${batches === 1 ? 'goes' : 'go'} on and may be billed: resume collects what it answered; to cancel it, resume, ` +
  'then pause';

export interface BudgetOptions {
  readonly runsDir: string;
  readonly usd?: string;
  readonly tokens?: string;
}

export async function setBudget(id: string, options: BudgetOptions, terminal: Terminal): Promise<ExitStatus> {
  const budget = wantedBudget(options);
  const { home, manifest: found } = await runCatalog(options.runsDir).findToChange(id);
  if (typeof budget.usd === 'number') checkPrices(found);
  refuseReadOnly(home.folder, cannotChange);
  // The ledger is opened first: that of a damaged run is refused, and nothing changes.
  const { manifest, spent } = await changeLedger(home, found, async (ledger) => {
    const changed = await updateManifest(home, (old) => ({
      ...home.seals.without(old),
      spec: { ...old.spec, budget: limited({ ...old.spec.budget, ...budget }) },
    }));
    await setPlannedBudget(ledger, changed);
    return { manifest: changed, spent: (await ledger.progress()).spend };
  });
  const holding = { ...manifest.spec.budget };
  const both = Object.keys(holding).length > 1 ? ', and both hold' : '';
  terminal.out(
    `budget of run "${id}" is now ${limitsText(holding) || 'without limit'}${both}. ` +
      `If it had stopped, continue with:\n  ${resumeCommand(id, options.runsDir)}`,
  );
  const spentUsd = spent.reportedUsd + spent.estimatedUsd;
  const { usd, tokens: most } = holding;
  if (usd !== undefined && spentUsd >= usd)
    terminal.note(
      `note: ${usdText(spentUsd)} are spent already, so the run makes no further calls that cost` +
        (budget.usd === undefined ? ': raise that with --usd' : ''),
    );
  if (most !== undefined && spent.tokens >= most)
    terminal.note(
      `note: ${spent.tokens.toLocaleString('en-US')} of ${counted(most, 'token')} are spent already: raise that with ` +
        '--tokens',
    );
  terminal.document({ run: id, budget: manifest.spec.budget });
  return exitStatus.done;
}

const cannotChange = 'the run cannot be changed there: copy the runs directory, and name the copy with --runs-dir';

/** The new limit of each unit that is named; null removes it. */
interface WantedBudget {
  readonly usd?: number | null | undefined;
  readonly tokens?: number | null | undefined;
}

function wantedBudget({ usd, tokens }: BudgetOptions): WantedBudget {
  if (usd === undefined && tokens === undefined)
    throw new InputError('name the new limit: --usd DOLLARS, or --tokens TOKENS');
  return {
    ...(usd === undefined ? {} : { usd: usd === 'none' ? null : dollars(usd) }),
    ...(tokens === undefined ? {} : { tokens: tokens === 'none' ? null : wholeTokens(tokens) }),
  };
}

function dollars(text: string): number {
  const usd = /^[\d.]+(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
  if (usd > 0 && usd < Infinity) return usd;
  throw new InputError(`must be a number of US dollars above 0, or none; got "${text}"`, { field: '--usd' });
}

function wholeTokens(text: string): number {
  const tokens = /^\d+$/.test(text) ? Number(text) : NaN;
  if (tokens > 0 && Number.isSafeInteger(tokens)) return tokens;
  throw new InputError(`must be a whole number of tokens above 0, or none; got "${text}"`, { field: '--tokens' });
}

/** Undefined without any limit. */
function limited({ usd, tokens }: WantedBudget): Spec['budget'] {
  if (usd == null && tokens == null) return undefined;
  return { ...(usd != null && { usd }), ...(tokens != null && { tokens }) };
}

/** Throws InputError if the most that a call may cost is not known. */
function checkPrices({ spec }: Manifest): void {
  const unpriced = unpricedModels(spec).map(({ id: model }) => model);
  if (unpriced.length > 0)
    throw new InputError(
      `no price known for ${unpriced.join(', ')}; in the spec, ${priceRemedy}; then run the spec again`,
    );
  const [unlimited] = ceilingFaults(spec);
  if (unlimited !== undefined) throw new InputError(unlimited.rule);
}

/** Runs `work` on the open ledger, which is sealed again afterwards. */
async function changeLedger<T>(home: RunHome, manifest: Manifest, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  await home.seals.unseal();
  const ledger = await openPlanned(home, manifest);
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
    await home.seals.seal();
  }
}
