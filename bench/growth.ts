/**
 * Whether ledger, tables and manifest of a run take as long for its last tenth as for its first: calls are reserved,
 * answered, judged, sealed, published and merged as in a sweep, without models, programs and Temporal. Leaves the run
 * for `seen`, which measures what is asked of it from outside.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccounts } from '../activities/calls/accounts/accounts.ts';
import { mergeSealed } from '../activities/compact/merge-pages.ts';
import { mergedPages } from '../activities/record.ts';
import { planRun } from '../activities/runs/plan-run.ts';
import type { Run, RunPage } from '../activities/runs/opened/run.ts';
import { createRuns } from '../activities/runs/runs.ts';
import { readManifest } from '../activities/storage/manifest-file.ts';
import { ledgerPath } from '../activities/storage/run-paths.ts';
import { commandUsage, programUsage } from './growth/command-usage.ts';
import { answerPage, sealRows } from './growth/pages.ts';
import { growthSpec } from './growth/spec.ts';
import { stubSandbox } from './pipeline/stub-sandbox.ts';
import { writeTasks } from './pipeline/workload.ts';

export interface GrowthOptions {
  readonly samples: string;
  /** Holds the run. Default: a temporary folder. */
  readonly folder?: string;
}

type Print = (line: string) => void;

const runId = 'growth';
const wantedRatio = 1.1;
const wantedBytes = 1_200;

export async function growth({ samples, folder: kept }: GrowthOptions, print: Print): Promise<void> {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'evenkeel-growth-'));
  try {
    if (existsSync(join(folder, 'runs', runId))) print(`the run in ${folder}`);
    else await grow(Number(samples), folder, print);
    await seenFromOutside(folder, print);
    await derivedTables(folder, print);
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true });
  }
}

interface Tenth {
  readonly samples: number;
  readonly cpuUs: number;
}

async function grow(samples: number, folder: string, print: Print): Promise<void> {
  const { tasks, spec } = growthSpec(samples);
  mkdirSync(folder, { recursive: true });
  writeTasks(folder, tasks);
  const runsDir = join(folder, 'runs');
  const planned = await planRun({ ...spec(folder), runsDir, runId, sandbox: stubSandbox });
  const epoch = await planned.ledger.takeOver('bench');
  await planned.ledger.close();
  const runs = createRuns({ runsDir, accounts: createAccounts(null) });
  const run = await runs.open({ runId, uuid: planned.manifest.uuid, epoch });
  const tenths = await tenthsOf(run, epoch, print);
  const [first, last] = [tenths[0], tenths.at(-1)] as [Tenth, Tenth];
  await runs.close();
  const answers = tenths.reduce((sum, tenth) => sum + tenth.samples, 0);
  const bytes = statSync(ledgerPath(run.home.folder)).size / answers;
  const { parts } = await readManifest(run.home.folder);
  const ratio = last.cpuUs / first.cpuUs;
  const rootBytes = statSync(join(run.home.folder, 'manifest.json')).size;
  print(`${answers} answers, ${parts.length} files listed, ${rootBytes} bytes in manifest.json`);
  verdict(
    print,
    `the last tenth takes ${ratio.toFixed(2)} times the processor time of the first`,
    ratio <= wantedRatio,
    `at most ${wantedRatio}`,
  );
  verdict(print, `${bytes.toFixed(0)} bytes an answer in the ledger`, bytes <= wantedBytes, `at most ${wantedBytes}`);
}

/** In the order of a sweep: the pages of all models side by side. */
async function tenthsOf(run: Run, epoch: number, print: Print): Promise<Tenth[]> {
  const pages = run.revisions
    .flatMap((revision) => revision.pages)
    .toSorted((a, b) => Number(a.page.slice(-4)) - Number(b.page.slice(-4)))
    .map(({ page }) => run.page(page));
  const tenths: Tenth[] = [];
  for (let tenth = 0; tenth < 10; tenth += 1) {
    const own = pages.slice(Math.round((tenth * pages.length) / 10), Math.round(((tenth + 1) * pages.length) / 10));
    const found = await timed(run, epoch, own);
    tenths.push(found);
    print(`tenth ${tenth + 1}: ${found.samples} samples, ${found.cpuUs.toFixed(1)} us of processor time a sample`);
  }
  return tenths;
}

async function timed(run: Run, epoch: number, pages: readonly RunPage[]): Promise<Tenth> {
  const before = process.cpuUsage();
  let samples = 0;
  for (const page of pages) {
    samples += await answerPage(page, epoch);
    run.publisher.soon(await sealRows(page, epoch));
    await mergeSealed(run, epoch, page.page, mergedPages);
  }
  const { user, system } = process.cpuUsage(before);
  return { samples, cpuUs: (user + system) / samples };
}

const verdict = (print: Print, what: string, isMet: boolean, wanted: string): void =>
  print(`=> ${what}: ${isMet ? 'met' : 'MISSED'} (wanted: ${wanted})`);

const questions = [
  ['status', runId],
  ['query', runId, 'select model, outcome, count(*) as n from verdicts group by all order by all'],
  ['query', runId, 'select model, sum(n_passed) / sum(n_samples) as passed from pass_counts group by all order by 1'],
  ['query', runId, 'select model, count(*), avg(length(reply)) from samples group by all order by 1'],
  ['query', runId, 'select model, count(*) as n from answers group by all order by 1'],
  ['query', runId, 'select model, outcome, count(*) as n from answers group by all order by all'],
  ['query', runId, 'select model, sum(usd) as usd, avg(latency_ms) as ms from answers group by all order by 1'],
  ['verify', runId],
] as const;

const tablesChild = join(import.meta.dirname, 'growth', 'tables-child.ts');
const tableStages = ['studies', 'costs', 'variance', 'cards'] as const;

async function seenFromOutside(folder: string, print: Print): Promise<void> {
  const runsDir = join(folder, 'runs');
  for (const words of questions)
    print(`evenkeel ${words.join(' ')}: ${usageText(await commandUsage([...words, '--runs-dir', runsDir]))}`);
}

/** What the end of the run computes from its sealed pages, one kind after the other in a process of its own. */
async function derivedTables(folder: string, print: Print): Promise<void> {
  for (const stage of tableStages)
    print(
      `derived tables, ${stage}: ${usageText(await programUsage([tablesChild, join(folder, 'runs', runId), stage]))}`,
    );
}

const usageText = ({ seconds, cpuS, peakBytes }: Awaited<ReturnType<typeof commandUsage>>): string =>
  `${seconds.toFixed(1)} s, ${cpuS.toFixed(2)} s of processor time, ${(peakBytes / 1e6).toFixed(0)} MB`;
