/** `status`: the progress of one run, or of all. */
import Table from 'cli-table3';
import { counted } from '../../domain/counted.ts';
import { InputError } from '../../domain/errors.ts';
import { interruption } from '../../schemas/states.ts';
import { missingTablesLines } from '../../domain/missing-tables/missing-text.ts';
import { shortDetail } from '../../domain/short-detail.ts';
import { forecastByCells } from '../../activities/estimate/forecast-by-cells.ts';
import { closedText } from '../../activities/calls/accounts/closed-accounts.ts';
import type { Progress } from '../../activities/storage/ledger/ledger-counts.ts';
import type { Ledger } from '../../activities/storage/ledger/ledger.ts';
import type { RunHome } from '../../activities/storage/home/run-home.ts';
import { type ExitStatus, exitStatus, explain } from '../exit-status.ts';
import { lackingTables, resumeCommand } from '../how-to-continue.ts';
import { failureText, newestByModel } from '../follow/latest-failures.ts';
import { batchTexts, failingTexts, cutTexts, notAskedText, repeatedCalls, spendText } from '../follow/progress-line.ts';
import { leftInFlight, leftInFlightTexts } from '../follow/left-in-flight.ts';
import { lanesApart, makesPrompts, type ShownLane } from '../follow/making-lanes.ts';
import { cellCounts } from '../follow/share-done.ts';
import { storeName } from '../../activities/storage/opened-store.ts';
import { runCatalog } from '../../activities/storage/catalog/open-catalog.ts';
import type { FoundRun, Ownership } from '../../activities/storage/catalog/run-catalog.ts';
import { isSettled, lookAt, type RunSnapshot, stateDetailOf, stateOf } from '../follow/run-snapshot.ts';
import { acceptedLossesText, isPaidLane, type RunSpend, spendLines } from '../output/spend-text.ts';
import { laneTable } from '../output/lane-table.ts';
import { slowWorkSoon } from '../follow/slow-work.ts';
import { inOneLine, plain, type Terminal } from '../output/terminal.ts';
import { budgetText } from '../follow/watch-screen.ts';
import { waitTexts } from '../follow/waits.ts';
import { watch, type Watched } from '../follow/watch.ts';

export async function status(
  id: string | undefined,
  options: { runsDir: string; watch?: boolean },
  terminal: Terminal,
): Promise<ExitStatus> {
  if (id === undefined) return listRuns(options.runsDir, terminal);
  const catalog = runCatalog(options.runsDir);
  const { home } = await catalog.find(id);
  const { seen, interrupted, spend, making } = await lookAt(home, catalog.ownership(id), async (look, ledger) => {
    const startMs = performance.now();
    const first = await look();
    const watched = (): Watched => ({ look, slowMs: slowWorkSoon({ home, manifest: first.manifest, ledger }) });
    const looked = options.watch
      ? await watch(watched(), process.stdout, terminal.json)
      : { seen: first, interrupted: false };
    const spent = await spendOf(home, looked.seen, ledger);
    const seen = isOld(startMs) ? await look() : looked.seen;
    const making = makesPrompts(seen.manifest.spec) ? await ledger.makingLanes() : [];
    return { ...looked, seen, spend: spent, making };
  });
  const lanes = lanesApart(seen.progress.lanes, making, seen.manifest.spec);
  terminal.out(statusText(seen, spend, { lanes, toContinue: await continuing(id, home, seen, options.runsDir) }));
  const { progress, mixed, single, others, closed, slowed, calls, failures, silentWorkers } = seen;
  terminal.document({
    run: id,
    state: stateOf(seen),
    detail: stateDetailOf(seen),
    missingTables: seen.manifest.missingTables ?? [],
    progress,
    lanes,
    leftInFlight: leftInFlight(seen),
    ...{ mixed, single, others, closed, slowed, calls, silentWorkers },
    failures,
    spend,
  });
  return interrupted ? exitStatus.interrupted : exitStatus.done;
}

/** What was read before a long wait for an object store is not the present state. */
const isOld = (startMs: number): boolean => performance.now() - startMs > 3_000;

async function upToDate(look: () => Promise<RunSnapshot>): Promise<RunSnapshot> {
  const startMs = performance.now();
  const seen = await look();
  return isOld(startMs) ? look() : seen;
}

/** Loads the forecast from the plan only when needed: it brings a tokenizer, and reads the plan. */
async function spendOf(home: RunHome, seen: RunSnapshot, ledger: Ledger): Promise<RunSpend> {
  const { manifest, progress } = seen;
  const { isTooLarge } = await import('../output/solved-costs.ts');
  const lanes = await ledger.spendByLane();
  const reused = manifest.spec.reuse.length === 0 ? [] : await ledger.reusedByLane();
  const solved = lanes.some(isPaidLane) ? await solvedOf(home, seen) : { solved: [], solvedFault: null };
  const spent = { lanes, reused, ...solved };
  if (isTooLarge(manifest, progress))
    return { ...spent, forecast: forecastByCells(progress, lanes), forecastFault: null };
  const { forecastBill } = await import('../../activities/estimate/bill-forecast.ts');
  try {
    return { ...spent, forecast: await forecastBill(home, manifest, ledger), forecastFault: null };
  } catch (error) {
    // The plan and the tasks are separate files; the rest can be shown without them.
    return { ...spent, forecast: null, forecastFault: error instanceof Error ? error.message : String(error) };
  }
}

/** Damaged files are for `verify` to report; the rest can still be shown. */
async function solvedOf(
  home: RunHome,
  { manifest, progress }: RunSnapshot,
): Promise<Pick<RunSpend, 'solved' | 'solvedFault'>> {
  const { isTooLarge, solvedLater } = await import('../output/solved-costs.ts');
  if (isTooLarge(manifest, progress)) return { solved: [], solvedFault: solvedLater };
  const { solvedCosts } = await import('../output/solved-costs.ts');
  try {
    return { solved: await solvedCosts(home), solvedFault: null };
  } catch (error) {
    return { solved: [], solvedFault: error instanceof Error ? error.message : String(error) };
  }
}

/** The last files of a run are written after it is complete, which takes its command a while. */
const lastFilesMs = 120_000;

const isUnfinished = (home: RunHome, { manifest, owned }: RunSnapshot): boolean =>
  manifest.state === 'complete' &&
  !owned &&
  !home.seals.isSealed(manifest) &&
  Date.now() - Date.parse(manifest.updatedAt) > lastFilesMs;

/** What to do about a run whose command has ended; of a copy that cannot be resumed, why not. Empty for others. */
async function continuing(id: string, home: RunHome, seen: RunSnapshot, runsDir: string): Promise<string[]> {
  const lack = seen.manifest.state === 'complete' ? lackingTables(seen.manifest, runsDir) : null;
  if (lack !== null) return [lack];
  if (isUnfinished(home, seen))
    return [`not all files are written yet: if its command has ended, finish them with: ${resumeCommand(id, runsDir)}`];
  if (stateOf(seen) !== interruption) return [];
  try {
    await runCatalog(runsDir).findToChange(id);
  } catch (error) {
    if (error instanceof InputError) return [`its command has ended; ${inOneLine(error.message)}`];
    throw error;
  }
  return [`its command has ended; continue with: ${resumeCommand(seen.manifest.runId, runsDir)}`];
}

interface Said {
  readonly lanes: readonly ShownLane[];
  /** Lines that say how. */
  readonly toContinue: readonly string[];
}

function statusText(seen: RunSnapshot, spend: RunSpend, { lanes, toContinue }: Said): string {
  const { manifest, progress } = seen;
  const detail = stateDetailOf(seen);
  return [
    `${manifest.runId}: ${stateOf(seen)}${detail === null ? '' : ` (${shortDetail(detail)})`}`,
    ...toContinue,
    ...(manifest.state === 'complete' ? [] : missingTablesLines([manifest]).map(inOneLine)),
    countsText(progress, lanes),
    `spend ${spendText(progress)}${budgetText(progress, manifest.spec.budget)} · in flight ` +
      `${isSettled(seen) ? 0 : progress.liveIntents} · repeated ${repeatedCalls(progress)} · ` +
      `lost ${progress.lostCalls}`,
    ...leftInFlightTexts(seen),
    laneTable(lanes, spend),
    ...spendLines(spend),
    ...(progress.acceptedLosses === undefined ? [] : [acceptedLossesText(progress.acceptedLosses)]),
    ...Object.entries(progress.unsentByReason).map(
      ([reason, count]) => `never sent, so not counted: ${counted(count, 'attempt')}, ${inOneLine(reason)}`,
    ),
    ...(progress.disbelievedCalls === 0
      ? []
      : [
          `impossible usage reported: ${counted(progress.disbelievedCalls, 'call')}; totals are charged at the most ` +
            'that is possible, parts of them left out (calls.usage_reported)',
        ]),
    ...cutTexts(progress).map((text) => `${text}: ${cutRemedy}`),
    ...seen.others.map(
      ({ model, names }) =>
        `another model: asked for ${inOneLine(model)}, answered by ${names.map(inOneLine).join(', ')}`,
    ),
    ...Object.entries(progress.failuresByReason).map(
      ([reason, count]) => `failed calls: ${count} × ${inOneLine(reason)}`,
    ),
    ...batchTexts(progress),
    ...(stateOf(seen) === 'running' ? [...failingTexts(progress), ...waitTexts(seen)] : []),
    ...newestByModel(seen.failures).map((failure) => `latest failure: ${failureText(failure, Date.now())}`),
    ...seen.mixed.map(
      ({ model, versions }) => `mixed: ${inOneLine(model)} answered as ${versions.map(inOneLine).join(' and as ')}`,
    ),
    ...seen.single.map(
      ({ model, message }) =>
        `single: ${inOneLine(model)} is asked for one answer at a time, since its endpoint refused n ` +
        `(${inOneLine(message)})`,
    ),
    ...seen.closed.map((account) => inOneLine(closedText(account))),
    ...progress.stopped.map((stop) => `${inOneLine(stop.reason)}: ${shortDetail(inOneLine(stop.detail))}`),
    ...progress.failedPages.map(({ page, reason }) => `failed page ${page}: ${inOneLine(reason)}`),
  ].join('\n');
}

function countsText(progress: Progress, lanes: readonly ShownLane[]): string {
  const { cells, done } = cellCounts(progress);
  const making = cellCounts({ lanes: lanes.filter(({ role }) => role !== null) });
  return [
    `cells ${done} / ${cells}${making.cells === 0 ? '' : `, of them ${making.done} / ${making.cells} for prompts`}`,
    `pages ${progress.pages.sealed} / ${progress.pages.total} sealed`,
    `${progress.answered} answers`,
    notAskedText(progress),
    `${progress.verdicts} programs judged`,
  ]
    .filter(Boolean)
    .join(' · ');
}

const cutRemedy =
  'the limit is too low for it; give it parameters: { maxTokens: N } (or maxCompletionTokens) in a new run';

/** One line for an unexpected error too, with the run's id instead of a stack trace. */
function readFault(id: string, error: unknown): ReturnType<typeof explain> {
  const fault = explain(error);
  if (fault.status !== exitStatus.unexpected) return fault;
  return {
    ...fault,
    text: `run "${plain(id)}" cannot be shown: ${plain(String(error))}; "evenkeel verify" lists what is damaged`,
  };
}

/** Lists all runs, and for each that cannot be read the reason. */
async function listRuns(runsDir: string, terminal: Terminal): Promise<ExitStatus> {
  const catalog = runCatalog(runsDir);
  const broken = await catalog.brokenIds();
  const ids = [...(await catalog.ids()), ...broken].toSorted();
  const listed = await Promise.all(
    ids.map(async (id) => {
      if (broken.includes(id))
        return listedRun(id, async () => lookOnce(await catalog.find(id), catalog.ownership(id)));
      return (
        (await listedArchive(runsDir, id)) ??
        listedRun(id, () => lookOnce({ home: catalog.home(id) }, catalog.ownership(id)))
      );
    }),
  );
  const table = new Table({ head: ['run', 'state', 'cells', 'created'], style: { head: [], border: [] } });
  for (const { row } of listed) table.push(row.map(inOneLine));
  terminal.out(ids.length === 0 ? `no runs in ${storeName(runsDir)}` : table.toString());
  const faults = listed.flatMap(({ fault }) => fault ?? []);
  for (const { text } of faults) terminal.out(text);
  terminal.document(listed.map(({ document }) => document));
  return faults[0]?.status ?? exitStatus.done;
}

const lookOnce = ({ home }: Pick<FoundRun, 'home'>, ownership: Ownership): Promise<RunSnapshot> =>
  lookAt(home, ownership, upToDate);

interface ListedRun {
  readonly row: readonly [run: string, state: string, cells: string, created: string];
  readonly document: object;
  readonly fault?: ReturnType<typeof explain>;
}

/** An archive without replies or the like has no ledger to look at; null for any other run. */
async function listedArchive(runsDir: string, id: string): Promise<ListedRun | null> {
  const manifest = await runCatalog(runsDir)
    .home(id)
    .manifest()
    .catch(() => null);
  const without = manifest?.archive?.without ?? [];
  if (manifest === null || without.length === 0) return null;
  return {
    row: [id, `${manifest.state}, archive without ${without.join(', ')}`, '', manifest.createdAt],
    document: { run: id, state: manifest.state, cells: null, done: null, without },
  };
}

async function listedRun(id: string, look: () => Promise<RunSnapshot>): Promise<ListedRun> {
  try {
    const seen = await look();
    const { cells, done } = cellCounts(seen.progress);
    return {
      row: [id, stateOf(seen), `${done} / ${cells}`, seen.manifest.createdAt],
      document: { run: id, state: stateOf(seen), cells, done },
    };
  } catch (error) {
    const fault = readFault(id, error);
    return {
      row: [id, 'unreadable', '', ''],
      document: { run: id, state: 'unreadable', cells: null, done: null, reason: fault.text },
      fault,
    };
  }
}
