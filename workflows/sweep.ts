/** A whole run: references first, then the variants, then one lane per model, then the tables of the whole run. */
import { isCancellation } from '@temporalio/workflow';
import type { RunRef, SweepReport } from '../schemas/steps.ts';
import { io } from './activities.ts';
import { besideBatches } from './batches.ts';
import { lanes, runLane } from './lanes.ts';
import { listedSweep } from './listed/sweep.ts';
import { rootFailure } from './page-end.ts';
import { sumOf } from './pages-report.ts';
import { runReferences } from './references.ts';

export async function sweep(run: RunRef): Promise<SweepReport> {
  try {
    return await carriedOut(run);
  } catch (error) {
    if (run.isDetached === true && !isCancellation(error)) await io().giveUpSweep({ run, reason: failureText(error) });
    throw error;
  }
}

const failureText = (error: unknown): string =>
  `a step failed: ${rootFailure(error)?.message ?? (error instanceof Error ? error.message : String(error))}`;

async function carriedOut(run: RunRef): Promise<SweepReport> {
  const plan = await io().openSweep(run);
  if ('lanes' in plan) return listedSweep(run, plan);
  await runReferences(run, plan.references);
  const written = plan.variants === null ? [] : [await runLane(run, plan.variants)];
  const answered = await (plan.batches ? besideBatches(run, () => lanes({ run })) : lanes({ run }));
  const report = sumOf([...written, answered]);
  await io().finishSweep({ run, report });
  return report;
}
