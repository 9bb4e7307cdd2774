/**
 * Writes a seeded sample of a run's labelled prompts for a person to label, as lines of JSON; `evenkeel agree` reads
 * them back.
 */
import type { SpecStudy } from '../../schemas/spec.ts';
import { studyOf } from '../../studies/index.ts';
import { type SampledPrompt, sampleLine, sampleOf } from '../../studies/labels/sample.ts';
import type { Run } from '../runs/opened/run.ts';

/** Prompts per study: enough for a kappa, few enough for an hour's work. */
const sampled = 60;

export async function* labelSampleLines(run: Run): AsyncGenerator<string> {
  for (const study of run.spec.studies) {
    const taxonomy = studyOf(study).labels?.taxonomy(study);
    if (taxonomy === undefined) continue;
    for (const prompt of sampleOf(await labelledPrompts(run, study), sampled, run.spec.seed))
      yield `${sampleLine(prompt, taxonomy)}\n`;
  }
}

/** All existing prompts of a study that are labelled, in the order of its tasks. */
export async function labelledPrompts(run: Run, study: SpecStudy): Promise<SampledPrompt[]> {
  const tasks = [...run.tasks(study.benchmark).values()];
  await run.variants.read(study, tasks);
  const prompts = tasks.map(async (task) => {
    const texts = studyOf(study).labels?.texts(study, task, (await run.variants.ofTask(study, task)) ?? []) ?? [];
    return texts.map((text) => ({ study: study.name, taskId: task.taskId, ...text }));
  });
  return (await Promise.all(prompts)).flat();
}
