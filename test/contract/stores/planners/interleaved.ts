/** Two pieces of work in a fixed order: each stops before the step it is told to, while the other goes on. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { BlobStore } from '../../../../activities/storage/blobs/blob-store.ts';
import type { RunCatalog } from '../../../../activities/storage/catalog/run-catalog.ts';
import type { RunHome } from '../../../../activities/storage/home/run-home.ts';
import type { Budget } from '../../../../activities/storage/ledger/control.ts';
import type { Ledger } from '../../../../activities/storage/ledger/ledger.ts';

interface Worker {
  steps: number;
  /** Before which step it stops. */
  readonly stopBefore: number;
  /** Instead: it makes neither that step nor any other. */
  readonly dies: boolean;
  readonly stopped: PromiseWithResolvers<void>;
  readonly goOn: PromiseWithResolvers<void>;
}

const worker = new AsyncLocalStorage<Worker>();

async function step(): Promise<void> {
  const own = worker.getStore();
  if (own === undefined) return;
  own.steps += 1;
  if (own.dies && own.steps >= own.stopBefore) throw new Error('no step of the dead');
  if (own.steps !== own.stopBefore) return;
  own.stopped.resolve();
  await own.goOn.promise;
}

export interface Begun<T> {
  /** How many steps it has made or begun. */
  readonly steps: () => number;
  /** It has stopped, or ended before that step. */
  readonly paused: Promise<unknown>;
  goOn(): Promise<PromiseSettledResult<T>>;
}

export function begin<T>(work: () => Promise<T>, stopBefore: number, dies = false): Begun<T> {
  const own = {
    steps: 0,
    stopBefore,
    dies,
    stopped: Promise.withResolvers<void>(),
    goOn: Promise.withResolvers<void>(),
  };
  const ended = Promise.allSettled([worker.run(own, work)]).then(([one]) => one);
  return {
    steps: () => own.steps,
    paused: Promise.race([own.stopped.promise, ended]),
    goOn: () => {
      own.goOn.resolve();
      return ended;
    },
  };
}

type TellBudget = (runId: string, budget: Budget) => void;

/**
 * With a step before each read and write of planning; none of them is made under a lock.
 * @param tell what a run's ledger has from then on
 */
export const inSteps = (catalog: RunCatalog, tell: TellBudget): RunCatalog => ({
  ...catalog,
  has: after(catalog.has),
  create: after((id, fill) => catalog.create(id, (inputs) => fill(blobsInSteps(inputs)))),
  home: (id) => homeInSteps(catalog.home(id), (budget) => tell(id, budget)),
});

const homeInSteps = (home: RunHome, tell: (budget: Budget) => void): RunHome => ({
  ...home,
  manifest: after(home.manifest),
  async withManifestLock(work) {
    await step();
    return home.withManifestLock(work);
  },
  openLedger: after(async (manifest) => ledgerInSteps(await home.openLedger(manifest), tell)),
  blobs: blobsInSteps(home.blobs),
});

const blobsInSteps = (blobs: BlobStore): BlobStore => ({ ...blobs, putImmutable: after(blobs.putImmutable) });

const ledgerInSteps = (ledger: Ledger, tell: (budget: Budget) => void): Ledger => ({
  ...ledger,
  addPages: after(ledger.addPages),
  setBudget: after((budget) => {
    tell(budget);
    return ledger.setBudget(budget);
  }),
});

const after =
  <Args extends readonly unknown[], T>(work: (...args: Args) => Promise<T>) =>
  async (...args: Args): Promise<T> => {
    await step();
    return work(...args);
  };
