/** A long sweep over stubbed work, and what it took: events, bytes, processor time, memory. */
import { join } from 'node:path';
import { usageOf } from '../../../bench/pipeline/process-usage.ts';
import type { PagesReport } from '../../../schemas/steps.ts';
import { readServerRecord } from '../../../workers/temporal/server-files.ts';
import type { StubPlan } from './stub-plan.ts';
import { historySizes, openStubServer, openStubSweep } from './stub-sweep.ts';

interface SweepSize {
  readonly models: number;
  readonly pages: number;
  readonly tasks: number;
}

interface SweepFigures {
  readonly report: PagesReport;
  /** The most of any history but a page's, and their number. */
  readonly events: number;
  readonly histories: number;
  readonly payloadBytes: number;
  readonly seconds: number;
  /** Processor time a page. */
  readonly workerMs: number;
  readonly serverMs: number;
  /** Peak memory. */
  readonly workerBytes: number;
  readonly serverBytes: number;
}

/** One model has a tenth of the pages; the others share the rest. */
function planOf({ models, pages, tasks }: SweepSize): StubPlan {
  const long = Math.round(pages / 10);
  const others = models - 1;
  const share = (number: number): number => Math.floor(((pages - long) * number) / others);
  const lanes = Array.from({ length: others }, (_, number) => ({
    model: `model-${number}`,
    pages: share(number + 1) - share(number),
  }));
  return { lanes: [{ model: 'long', pages: long }, ...lanes], tasks, failing: [] };
}

export async function measuredSweep(folder: string, size: SweepSize): Promise<SweepFigures> {
  const server = await openStubServer(folder);
  const sweep = await openStubSweep(server, folder, 'long', planOf(size));
  const worker = await sweep.startWorker();
  try {
    const serverPid = readServerRecord(join(folder, '.temporal'))?.pid ?? 0;
    const before = [usageOf('worker', worker.pid), usageOf('server', serverPid)] as const;
    const startMs = performance.now();
    const report = (await (await sweep.start('sweep', sweep.run)).result()) as PagesReport;
    const seconds = (performance.now() - startMs) / 1_000;
    const after = [usageOf('worker', worker.pid), usageOf('server', serverPid)] as const;
    const sizes = await historySizes(server.client, 'long', "WorkflowType != 'pass'");
    const msAPage = (one: 0 | 1): number => ((after[one].cpuS - before[one].cpuS) * 1_000) / size.pages;
    return {
      report,
      events: Math.max(...sizes.map(({ events }) => events)),
      histories: sizes.length,
      payloadBytes: Math.max(...sizes.map(({ payloadBytes }) => payloadBytes)),
      seconds,
      workerMs: msAPage(0),
      serverMs: msAPage(1),
      workerBytes: after[0].peakBytes,
      serverBytes: after[1].peakBytes,
    };
  } finally {
    worker.process.kill('SIGKILL');
    await worker.ended;
    await server.close();
  }
}
