/** How long the programs that are left take at least where references are slow: answers may be in long before. */
import { availableParallelism } from 'node:os';
import { referenceKey } from '../activities/execution-key.ts';
import { plannedTasks, revisionsOf } from '../activities/planned-run.ts';
import { referenceMs, slowReferenceMs } from '../activities/reference-times.ts';
import type { Ledger } from '../activities/storage/ledger.ts';
import type { Manifest } from '../schemas/manifest.ts';
import type { Page } from '../schemas/plan.ts';
import type { Task } from '../schemas/task.ts';

/** Between two looks at which pages are left. */
const lookMs = 5_000;

export interface RunWithLedger {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly ledger: Pick<Ledger, 'reference' | 'pageState'>;
}

/** As `slowWork`, and 0 until that is known: plan and tasks are read meanwhile. */
export function slowWorkSoon(run: RunWithLedger): () => number {
  let slowMs = (): number => 0;
  void slowWork(run).then(
    (work) => (slowMs = work),
    () => undefined,
  );
  return () => slowMs();
}

/**
 * Milliseconds that the slow programs of unfinished pages take, one for each cell, on the half of this machine's cores that they have.
 * A program that several cells share runs once: then it is less.
 */
export async function slowWork({ folder, manifest, ledger }: RunWithLedger): Promise<() => number> {
  const keys = await referenceKeys(folder, manifest);
  const benchmarkOf = new Map(manifest.spec.studies.map(({ name, benchmark }) => [name, benchmark]));
  const pages = (await revisionsOf(folder, manifest)).flatMap((revision) => revision.pages).filter(({ phase }) => phase === undefined);
  const known = new Map<string, number>();
  const slots = Math.max(1, Math.floor(availableParallelism() / 2));

  const suiteMs = (key: string): number => {
    const record = known.has(key) ? undefined : ledger.reference(key);
    if (record !== undefined) known.set(key, slowPart(referenceMs(record)));
    return known.get(key) ?? 0;
  };
  const pageMs = ({ study, cells }: Page): number => {
    const ofTask = keys.get(benchmarkOf.get(study) ?? '');
    return sum(cells.map(({ taskId }) => sum((ofTask?.get(taskId) ?? []).map(suiteMs))));
  };

  let [lastMs, last] = [-Infinity, 0];
  return () => {
    if (performance.now() - lastMs < lookMs) return last;
    lastMs = performance.now();
    const open = pages.filter(({ page }) => ledger.pageState(page) !== 'sealed');
    last = sum(open.map(pageMs)) / slots;
    return last;
  };
}

/** By benchmark and task; the tasks themselves may be large, and are not kept. */
async function referenceKeys(folder: string, manifest: Manifest): Promise<ReadonlyMap<string, ReadonlyMap<string, string[]>>> {
  const tasks = await plannedTasks(folder, manifest);
  const keysOf = (task: Task): string[] => task.suites.map((suite) => referenceKey(manifest.sandbox, task, suite));
  return new Map([...tasks].map(([name, all]) => [name, new Map(all.map((task) => [task.taskId, keysOf(task)]))]));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const slowPart = (ms: number): number => (ms >= slowReferenceMs ? ms : 0);
