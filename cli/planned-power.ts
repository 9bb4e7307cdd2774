/** `plan --detect`: what each study of a spec can see, and what it would need. */
import { pricesOfPlan } from '../activities/estimate/answer-prices.ts';
import type { LeftOut } from '../activities/runs/left-out.ts';
import { openRun } from '../analysis/database.ts';
import { observedComparison } from '../analysis/power/observed-comparison.ts';
import { InputError } from '../domain/errors.ts';
import { powerAdvice } from '../domain/statistics/power/advice.ts';
import type { Spec, SpecStudy } from '../schemas/spec.ts';
import type { Task } from '../schemas/task.ts';
import { plannedAnswers } from '../studies/planned-answers.ts';
import { studyModels } from '../studies/plan.ts';
import { type DetectOptions, powerQuestion, statedVariances } from './detect-options.ts';
import type { PowerAnswer, VarianceSource } from './output/power-text.ts';
import { runCatalog } from '../activities/storage/catalog/open-catalog.ts';

export interface PlannedPowerOptions extends DetectOptions {
  readonly runsDir: string;
  /** Run to take the variances from. Default: the run that the spec would continue. */
  readonly like?: string;
}

export interface PlanToJudge {
  readonly spec: Spec;
  readonly runId: string;
  /** By benchmark. */
  readonly tasks: ReadonlyMap<string, readonly Task[]>;
  readonly leftOut: LeftOut;
}

export interface StudyPower {
  readonly study: string;
  readonly answer: PowerAnswer;
}

/** One entry per study that asks for programs by unchanged prompts. */
export async function plannedPower(plan: PlanToJudge, options: PlannedPowerOptions): Promise<StudyPower[]> {
  const question = powerQuestion(options);
  const found: StudyPower[] = [];
  for (const study of plan.spec.studies) {
    const left = new Set((plan.leftOut[study.name] ?? []).map(({ taskId }) => taskId));
    const tasksIn = (benchmark: string): Task[] =>
      (plan.tasks.get(benchmark) ?? []).filter(({ taskId }) => !left.has(taskId));
    const own = tasksIn(study.benchmark);
    const planned = plannedAnswers(study, own, tasksIn);
    if (planned === null) continue;
    const source = await sourceFor(plan, study, options);
    const prices = pricesOfPlan(plan.spec, study, studyModels(plan.spec, study), planned.forecast, own);
    const circumstances = { spread: source.spread, tasks: planned.size.tasks, prices, planned: planned.size };
    const advice = powerAdvice(question, circumstances);
    const answer = { question, source, advice, tasks: planned.size.tasks, isPriced: prices !== null };
    found.push({ study: study.name, answer });
  }
  return found;
}

async function sourceFor(plan: PlanToJudge, study: SpecStudy, options: PlannedPowerOptions): Promise<VarianceSource> {
  const stated = statedVariances(options);
  if (stated !== null && options.like !== undefined)
    throw new InputError('name a run with --like or state the variances, not both');
  if (stated !== null) return { spread: stated, from: null };
  const id = options.like ?? plan.runId;
  if (options.like === undefined && !(await runCatalog(options.runsDir).has(id)))
    throw new InputError(
      'how much answers vary is not known before a run: name a similar run with --like, or state the variances with ' +
        '--between, --within and --correlation (see docs/power.md)',
      { field: '--detect' },
    );
  const { home, manifest } = await runCatalog(options.runsDir).find(id);
  const database = await openRun(await home.tables());
  try {
    // Without a study of that name, any of the run's studies has first answers to unchanged prompts.
    const isThere = manifest.spec.studies.some(({ name }) => name === study.name);
    const from = await observedComparison(database, manifest, isThere ? { study: study.name } : {});
    return { spread: from.observed.spread, from };
  } finally {
    database.close();
  }
}
