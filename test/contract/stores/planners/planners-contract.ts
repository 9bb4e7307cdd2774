/** What two commands that plan one run at the same moment leave, whatever the order of their reads and writes. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { PlannedRun } from '../../../../activities/runs/plan-manifest.ts';
import { planIn } from '../../../../activities/runs/plan-run.ts';
import { openPlanned, revisionsOf } from '../../../../activities/runs/planned-run.ts';
import type { Budget } from '../../../../activities/storage/ledger/control.ts';
import type { RunCatalog } from '../../../../activities/storage/catalog/run-catalog.ts';
import { readSpecFile } from '../../../../cli/spec-file.ts';
import { pagesOf } from '../../../../studies/plan.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { benchmarkText, tinyTasks } from '../../../support/tiny-tasks.ts';
import { begin, inSteps } from './interleaved.ts';

const passSpec = (tasks: number, repetitions: number, more = ''): string => `name: r
models: [{ id: m, provider: simulated }, { id: n, provider: simulated }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl, tasks: { limit: ${tasks} } } }
studies:
  - { name: s, kind: pass, benchmark: tiny, repetitions: ${repetitions}, settings: { samples: 1, ks: [1] } }
${more}`;

const loopSpec = (maxLoops: number): string => `name: r
models: [{ id: m, provider: simulated }]
benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }
studies: [{ name: s, kind: evaloop, benchmark: tiny, settings: { maxLoops: ${maxLoops} } }]
`;

/** Each pair cannot both be the run's last word, unless one of them has all that the other has. */
const pairs = [
  ['two extensions that exclude each other leave one plan', passSpec(1, 1), passSpec(2, 2), passSpec(4, 1)],
  ['two extensions, of which one has all of the other, leave one plan', passSpec(1, 1), passSpec(2, 1), passSpec(4, 1)],
  ['two that reopen the same pages leave one plan', loopSpec(10), loopSpec(11), loopSpec(12)],
  ['an extension and the same spec again leave one plan', passSpec(1, 1), passSpec(1, 1), passSpec(4, 1)],
  ['two that create leave one plan', null, passSpec(2, 2), passSpec(4, 1)],
  [
    'two budgets leave one',
    passSpec(1, 1),
    passSpec(1, 1, 'budget: { tokens: 3 }'),
    passSpec(1, 1, 'budget: { tokens: 4 }'),
  ],
] as const;

/**
 * @param newCatalog an empty one
 * @param stride between the steps at which a command stops
 */
export function plannersContract(newCatalog: () => RunCatalog | Promise<RunCatalog>, stride: number): void {
  test.each(pairs)('%s', { timeout: 240_000 }, async (_, ...specs) => {
    const catalog = await newCatalog();
    const [before, one, other] = specs;
    const bench = benchAt(catalog);
    const steps = await bench.stepsOf(before, one);
    expect(steps).toBeGreaterThan(8);
    // The second goes to its end, or as far as the first: then both have decided before either writes.
    for (let first = 1; first <= steps; first += stride)
      for (const second of [first, never]) {
        const place = `stops before steps ${first} and ${second}`;
        const run = await bench.newRun(before);
        const ends = await inTurns(bench.planner(run, one), bench.planner(run, other), first, second);
        for (const end of ends)
          if (end.status === 'rejected') expect(end.reason, place).toMatchObject({ name: 'InputError' });
        expect(
          ends.map(({ status }) => status),
          place,
        ).toContain('fulfilled');
        await bench.expectOnePlan(run, [one, other], place);
      }
  });

  test('a command that dies at any step is made good by the same command', { timeout: 240_000 }, async () => {
    const bench = benchAt(await newCatalog());
    for (const [before, after] of [
      [null, passSpec(2, 2)],
      [passSpec(1, 1), passSpec(4, 1)],
      [loopSpec(10), loopSpec(12)],
    ] as const) {
      const steps = await bench.stepsOf(before, after);
      for (let dead = 1; dead <= steps; dead += 1) {
        const run = await bench.newRun(before);
        expect(await begin(bench.planner(run, after), dead, true).goOn()).toMatchObject({ status: 'rejected' });
        await bench.planner(run, after)();
        await bench.expectOnePlan(run, [after], `dies before step ${dead}`);
      }
    }
  });
}

const never = 0;

/** The first goes on until it stops, then the second; then the first to its end, and the second. */
async function inTurns<T>(one: () => Promise<T>, other: () => Promise<T>, first: number, second: number) {
  const a = begin(one, first);
  await a.paused;
  const b = begin(other, second);
  await b.paused;
  return [await a.goOn(), await b.goOn()];
}

function benchAt(catalog: RunCatalog) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'tiny.jsonl'), benchmarkText(tinyTasks(4)));
  const sandbox = { tier: 'embedded', engine: 'none', imageDigest: 'none' };
  let runs = 0;
  const budgets = new Map<string, Budget>();
  const stepwise = inSteps(catalog, (runId, budget) => void budgets.set(runId, budget));

  const planIt = async (runId: string, text: string, through: RunCatalog): Promise<PlannedRun['change']> => {
    const path = join(folder, 'spec.yaml');
    writeFileSync(path, text);
    const file = await readSpecFile(path);
    const { ledger, change } = await planIn(through, { ...file, runsDir: folder, runId, sandbox });
    await ledger.close();
    return change;
  };

  async function newRun(before: string | null): Promise<string> {
    runs += 1;
    const runId = `r${runs}`;
    if (before !== null) await planIt(runId, before, catalog);
    return runId;
  }

  /** The plan is a chain, the ledger has its pages and budget, and the spec that came through adds nothing. */
  async function expectOnePlan(runId: string, specs: readonly string[], place: string): Promise<void> {
    const home = catalog.home(runId);
    const manifest = await home.manifest();
    expect(
      manifest.plan.map(({ revision }) => revision),
      place,
    ).toEqual(manifest.plan.map((_, index) => index + 1));
    const pages = pagesOf(await revisionsOf(home, manifest));
    const ledger = await home.openLedger(manifest);
    const { lanes } = await ledger.progress();
    await ledger.close();
    const cells = pages.reduce((sum, { page }) => sum + page.cells.length, 0);
    expect(
      lanes.reduce((sum, lane) => sum + lane.cells, 0),
      place,
    ).toBe(cells);
    const { usd = null, tokens = null } = manifest.spec.budget ?? {};
    expect(budgets.get(runId), place).toEqual({ usd, tokens });
    await (await openPlanned(home, manifest)).close();
    expect(specs, place).toContain(manifest.specText);
    expect(await planIt(runId, manifest.specText, catalog), place).toBe('unchanged');
    expect((await home.manifest()).plan, place).toEqual(manifest.plan);
  }

  return {
    newRun,
    expectOnePlan,
    planner: (runId: string, text: string) => () => planIt(runId, text, stepwise),
    /** How many steps a command makes alone. */
    async stepsOf(before: string | null, after: string): Promise<number> {
      const alone = begin(async () => planIt(await newRun(before), after, stepwise), never);
      expect(await alone.goOn()).toMatchObject({ status: 'fulfilled' });
      return alone.steps();
    },
  };
}
