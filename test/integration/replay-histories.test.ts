/**
 * Replays stored histories with today's workflows: a change that would break running sweeps fails here
 * (test/histories/record.ts renews them).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger, type ReplayResult, Runtime, Worker } from '@temporalio/worker';
import { beforeAll, describe, expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../histories');
const jsonIn = (path: string): string[] => readdirSync(join(folder, path)).filter((name) => name.endsWith('.json'));
/** Those of each release, whose sweeps may still be in flight, are in a folder of their own. */
const releases = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? [entry.name] : [],
);
const names = [...jsonIn('.'), ...releases.flatMap((release) => jsonIn(release).map((name) => `${release}/${name}`))];
const histories = names.map((name) => {
  const history = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Stored;
  const workflowId = history.events[0].workflowExecutionStartedEventAttributes.workflowId;
  return { name, workflowId, history };
});

interface Stored {
  readonly events: readonly [{ readonly workflowExecutionStartedEventAttributes: { readonly workflowId: string } }];
}

const quiet = new DefaultLogger('ERROR', () => {});

beforeAll(() => {
  Runtime.install({ logger: quiet, telemetryOptions: { logging: { filter: 'OFF' } } });
});

/** The result for each history: null, or why the workflows of `path` do not follow it. */
async function replayed(path: string): Promise<Record<string, ReplayResult['error'] | null>> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(import.meta.dirname, path),
    logger: new DefaultLogger('ERROR', () => {}),
  });
  const results: Record<string, ReplayResult['error'] | null> = {};
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: { code } }, histories))
    results[histories.find((history) => history.workflowId === workflowId)?.name ?? workflowId] = error ?? null;
  return results;
}

test('there are histories of sweeps, finished, stopped and continued lanes and every page', () => {
  expect(jsonIn('.').toSorted()).toEqual([
    'chain.json',
    'evaloop-stopped.json',
    'evaloop.json',
    'lane-continued.json',
    'lane-stopped.json',
    'lane.json',
    'lanes.json',
    'pass.json',
    'posets.json',
    'promptse.json',
    'references.json',
    'robunfr.json',
    'specificity.json',
    'sweep.json',
    'variants.json',
  ]);
});

test('no two histories have the same workflow, by which replay tells them apart', () => {
  expect(new Set(histories.map(({ workflowId }) => workflowId)).size).toBe(names.length);
});

test('every later release has a history of each kind', () => {
  for (const release of releases.filter((name) => name !== '0.1'))
    expect(jsonIn(release)).toEqual(expect.arrayContaining(jsonIn('.')));
});

test('of version 0.1 too, with programs apart or not, and with a workflow for each lane', () => {
  expect(jsonIn('0.1').toSorted()).toEqual([
    'chain-apart.json',
    'chain.json',
    'evaloop-apart.json',
    'evaloop-stopped-apart.json',
    'evaloop-stopped.json',
    'evaloop.json',
    'lane-stopped.json',
    'lane.json',
    'pass.json',
    'posets-apart.json',
    'posets.json',
    'promptse-apart.json',
    'promptse.json',
    'robunfr-apart.json',
    'robunfr.json',
    'specificity-apart.json',
    'specificity.json',
    'sweep-all-lanes.json',
    'sweep.json',
    'variants.json',
  ]);
});

describe("today's workflows", () => {
  let results: Awaited<ReturnType<typeof replayed>>;
  beforeAll(async () => {
    results = await replayed('../../workflows/index.ts');
  });

  test.each(names)('follow %s command by command', (name) => {
    expect(results[name]).toBeNull();
  });
});

test('workflows with one step out of order are refused by the histories that have it, and only by those', async () => {
  const results = await replayed('../histories/changed-workflows.ts');
  const refused = Object.entries(results).filter(([, error]) => error?.name === 'DeterminismViolationError');
  const ofEvaloop = names.filter((name) => name.split('/').at(-1)?.startsWith('evaloop'));
  expect(ofEvaloop.length).toBeGreaterThanOrEqual(6);
  expect(refused.map(([name]) => name).toSorted()).toEqual(ofEvaloop.toSorted());
  expect(results).toMatchObject({
    'chain.json': null,
    'lane.json': null,
    'lane-continued.json': null,
    'lane-stopped.json': null,
    'lanes.json': null,
    'promptse.json': null,
    'sweep.json': null,
    'variants.json': null,
    '0.1/lane.json': null,
    '0.1/lane-stopped.json': null,
    '0.1/sweep-all-lanes.json': null,
    '0.1/sweep.json': null,
  });
});
