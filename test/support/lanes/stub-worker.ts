/**
 * A worker process with the program's workflows, lanes and ledger, and with work that costs nothing: each page asks
 * once and is sealed. `node stub-worker.ts ADDRESS STORE LEDGER [HELD]`; it says which turn it hands out and which page
 * it opens. With HELD it never answers a lane that asks for the pages after page HELD.
 */
import { setFlagsFromString } from 'node:v8';
import { ApplicationFailure } from '@temporalio/common';
import { NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { temporalHeartbeat } from '../../../activities/heartbeat.ts';
import { createLanes } from '../../../activities/lanes.ts';
import type { Run } from '../../../activities/runs/opened/run.ts';
import type { Runs } from '../../../activities/runs/runs.ts';
import { openLedger } from '../../../activities/storage/ledger/sqlite/sqlite-ledger.ts';
import type { NextPagesInput, PageRef, SweepReport } from '../../../schemas/steps.ts';
import { studyOf } from '../../../studies/index.ts';
import { workflowBundle } from '../../../workers/build/workflow-bundle.ts';
import { cacheFolder } from '../../../workers/temporal/cache-folder.ts';
import { type StubPlan, stubStudy } from './stub-plan.ts';

const [address = '', store = '', ledgerPath = '', planJson = '{}', held] = process.argv.slice(2);
const plan = JSON.parse(planJson) as StubPlan;
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const ledger = openLedger(ledgerPath);

const page = (name: string) => ({ page: name, study: stubStudy, kind: studyOf(stubStudy), phase: 'study' });
const spec = { models: plan.lanes.map(({ model }) => ({ id: model })), studies: [stubStudy] };
const run = { spec, ledger, variantPages: [], page, study: () => stubStudy } as unknown as Run;
const runs: Pick<Runs, 'open'> = { open: () => Promise.resolve(run) };
const lanes = createLanes({ runs: runs as Runs, heartbeat: temporalHeartbeat });

const work = {
  openSweep: () =>
    Promise.resolve({ references: [{ benchmark: 'tiny', tasks: plan.tasks }], variants: null, batches: false }),
  nextLanes: lanes.nextLanes,
  nextPages: async (input: NextPagesInput) => {
    say(`turn after ${input.after ?? 'nothing'}`);
    if (held !== undefined && input.after === held) await new Promise(() => {});
    return lanes.nextPages(input);
  },
  prepare: () => Promise.resolve(),
  openPassPage: ({ page: name }: PageRef) => {
    say(`page ${name}`);
    if (plan.failing.includes(name)) throw ApplicationFailure.nonRetryable('not this page');
    return Promise.resolve({ sealed: false, cells: 1, samples: 1 });
  },
  generate: () => Promise.resolve({ usable: [0], unusable: [], executed: { passed: [0], failed: [], excluded: [] } }),
  failPage: ({ page: name, reason }: PageRef & { reason: string }) => ledger.failPage(name, reason),
  sealPage: async ({ page: name, run: { epoch } }: PageRef) =>
    void (await ledger.sealPage(await ledger.openUnit(`${name}/seal`, epoch), name, [])),
  finishSweep: ({ report }: { report: SweepReport }) => Promise.resolve(say(`finished ${JSON.stringify(report)}`)),
};

// As in workers/serve.ts, whose memory it stands for.
setFlagsFromString('--heap-growing-percent=60');
const quiet = { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} };
Runtime.install({ logger: quiet, telemetryOptions: { logging: { filter: 'OFF' } } });
const connection = await NativeConnection.connect({ address });
const create = (role: string, options: Partial<WorkerOptions>): Promise<Worker> =>
  Worker.create({
    connection,
    taskQueue: `${store}-${role}`,
    // A killed worker's tasks are given to the next one after this time, instead of ten seconds.
    stickyQueueScheduleToStartTimeout: '1s',
    ...options,
  });
const bundle = await workflowBundle(cacheFolder(process.env));
const workers = await Promise.all([
  create('workflow', { workflowBundle: bundle, maxCachedWorkflows: 200 }),
  ...['io', 'llm', 'sandbox', 'seal'].map((role) => create(role, { activities: work })),
]);
say('ready');
await Promise.all(workers.map((worker) => worker.run()));
