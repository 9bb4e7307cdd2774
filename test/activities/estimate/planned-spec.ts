/** Specs over tiny tasks, as `plan` sees them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findEarlierRun } from '../../../activities/estimate/earlier-run.ts';
import { estimatePlan, type PlanEstimate } from '../../../activities/estimate/estimate-plan.ts';
import { loadBenchmarks } from '../../../activities/runs/plan-inputs.ts';
import { planRun } from '../../../activities/runs/plan-run.ts';
import type { PlannedRun } from '../../../activities/runs/plan-manifest.ts';
import { readSpecFile } from '../../../cli/spec-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { benchmarkText, tinyTasks } from '../../support/tiny-tasks.ts';

export interface SpecParts {
  readonly tasks?: number;
  /** Whether every task comes a second time, under another id. */
  readonly twice?: boolean;
  readonly providers?: string;
  readonly models: string;
  readonly studies: string;
  readonly budget?: string;
  readonly reuse?: string;
  /** Of the sandbox; default: embedded. */
  readonly tier?: string;
}

export const endpoint = '{ kind: openai, baseUrl: "http://127.0.0.1:9/v1" }';
export const priced = (input: number, output: number): string =>
  `provider: account, price: { inputUsdPerMillion: ${input}, outputUsdPerMillion: ${output} }`;

/** A folder with one spec and its runs. */
export function planFolder() {
  const folder = temporaryFolder();
  const write = async ({
    tasks = 3,
    twice = false,
    providers = `{ account: ${endpoint} }`,
    models,
    studies,
    budget,
    reuse = '[]',
  }: SpecParts) => {
    const tiny = tinyTasks(tasks);
    writeFileSync(
      join(folder, 'tiny.jsonl'),
      benchmarkText(twice ? tiny.flatMap((one) => [one, { ...one, id: `${one.id}0` }]) : tiny),
    );
    const budgetLine = budget === undefined ? '' : `budget: ${budget}\n`;
    const text =
      `name: planned\nproviders: ${providers}\nmodels: ${models}\n` +
      `benchmarks: { tiny: { format: evenkeel, path: tiny.jsonl } }\nstudies: ${studies}\n` +
      `reuse: ${reuse}\n${budgetLine}`;
    writeFileSync(join(folder, 'spec.yaml'), text);
    return readSpecFile(join(folder, 'spec.yaml'));
  };
  const run = { runsDir: join(folder, 'runs'), runId: 'planned' };
  return {
    estimate: async (parts: SpecParts): Promise<PlanEstimate> => {
      const file = await write(parts);
      const benchmarks = await loadBenchmarks(file);
      const earlier = await findEarlierRun({ ...file, ...run }, benchmarks);
      const quick = [...benchmarks.values()].flatMap(({ tasks }) =>
        tasks.map(({ taskId }) => [taskId, { ms: 1, unknown: 0 }] as const),
      );
      return estimatePlan({
        spec: file.spec,
        benchmarks,
        earlier,
        tier: parts.tier ?? 'embedded',
        times: new Map(quick),
      });
    },
    begin: async (parts: SpecParts, runId = run.runId): Promise<PlannedRun> =>
      planRun({
        ...(await write(parts)),
        ...run,
        runId,
        sandbox: { tier: 'embedded', engine: 'none', imageDigest: 'none' },
      }),
  };
}
