/**
 * Writes a seeded sample of a run's labelled prompts for a person to label, as lines of JSON; `evenkeel agree` reads
 * them back.
 */
import type { SpecStudy } from '../../schemas/spec.ts';
import { studyOf } from '../../studies/index.ts';
import { type SampledPrompt, sampleLine, sampleOf } from '../../studies/labels/sample.ts';
import type { Run } from '../runs/runs.ts';

/** Prompts per study: enough for a kappa, few enough for an hour's work. */
const sampled = 60;

export function* labelSampleLines(run: Run): Generator<string> {
  for (const study of run.spec.studies) {
    const taxonomy = studyOf(study).labels?.taxonomy(study);
    if (taxonomy === undefined) continue;
    for (const prompt of sampleOf(labelledPrompts(run, study), sampled, run.spec.seed))
      yield `${sampleLine(prompt, taxonomy)}\n`;
  }
}

/** All existing prompts of a study that are labelled, in the order of its tasks. */
export const labelledPrompts = (run: Run, study: SpecStudy): SampledPrompt[] =>
  [...run.tasks(study.benchmark).values()].flatMap((task) => {
    const texts = studyOf(study).labels?.texts(study, task, run.variants.ofTask(study, task) ?? []) ?? [];
    return texts.map((text) => ({ study: study.name, taskId: task.taskId, ...text }));
  });
