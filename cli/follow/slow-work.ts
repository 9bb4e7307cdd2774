/** Time for the remaining programs of tasks with slow references, which may outlast the last answer. */
import { availableParallelism } from 'node:os';
import { revisionsOf } from '../../activities/runs/planned-run.ts';
import { referenceMs, slowReferenceMs } from '../../activities/judging/reference-times.ts';
import type { RunHome } from '../../activities/storage/home/run-home.ts';
import type { Ledger } from '../../activities/storage/ledger/ledger.ts';
import type { Manifest } from '../../schemas/manifest.ts';
import type { Page } from '../../schemas/plan.ts';
import { type ReferenceKeys, referenceKeys } from './reference-keys.ts';

/** Time between two looks at the unfinished pages. */
const lookMs = 5_000;

export interface RunWithLedger {
  readonly home: RunHome;
  readonly manifest: Manifest;
  readonly ledger: Pick<Ledger, 'references' | 'pageStates'>;
}

/** As `slowWork`, but returns at once: 0 until the plan and the tasks are read. */
export function slowWorkSoon(
  run: RunWithLedger,
  keys: Promise<ReferenceKeys> = referenceKeys(run.home, run.manifest),
): () => Promise<number> {
  let slowMs = async (): Promise<number> => 0;
  void slowWork(run, keys).then(
    (work) => (slowMs = work),
    () => undefined,
  );
  return () => slowMs();
}

/**
 * Returns a function that gives the milliseconds left for the slow programs of unfinished pages: one program per cell,
 * on half of this machine's cores. An upper bound where several cells share a program, which runs once.
 */
export async function slowWork(
  { home, manifest, ledger }: RunWithLedger,
  ofReferences: Promise<ReferenceKeys> = referenceKeys(home, manifest),
): Promise<() => Promise<number>> {
  const keys = await ofReferences;
  const benchmarkOf = new Map(manifest.spec.studies.map(({ name, benchmark }) => [name, benchmark]));
  const pages = (await revisionsOf(home, manifest))
    .flatMap((revision) => revision.pages)
    .filter(({ phase }) => phase === undefined);
  const known = new Map<string, number>();
  const slots = Math.max(1, Math.floor(availableParallelism() / 2));

  const keysOf = ({ study, cells }: Page): string[] => {
    const ofTask = keys.get(benchmarkOf.get(study) ?? '');
    return cells.flatMap(({ taskId }) => (ofTask?.get(taskId) ?? []).map(({ key }) => key));
  };
  const slowPartOf = async (suites: readonly string[]): Promise<number> => {
    const unknown = new Set(suites.filter((key) => !known.has(key)));
    for (const [key, record] of await ledger.references(unknown)) known.set(key, slowPart(referenceMs(record)));
    return sum(suites.map((key) => known.get(key) ?? 0));
  };

  let [lastMs, last] = [-Infinity, 0];
  return async () => {
    if (performance.now() - lastMs < lookMs) return last;
    lastMs = performance.now();
    const states = await ledger.pageStates(pages.map(({ page }) => page));
    const open = pages.filter(({ page }) => states.get(page) !== 'sealed');
    last = (await slowPartOf(open.flatMap(keysOf))) / slots;
    return last;
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const slowPart = (ms: number): number => (ms >= slowReferenceMs ? ms : 0);
