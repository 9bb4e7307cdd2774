/** A seeded sample of a run's summaries for a person to label, as lines of JSON: what `evenkeel agree` reads back. */
import { type SampledPrompt, sampleLine, sampleOf } from '../studies/specificity/label-sample.ts';
import { summaryText } from '../studies/specificity/study.ts';
import { type SpecificityStudy, taxonomyOf } from '../studies/specificity/settings.ts';
import type { Run } from './runs.ts';

/** Summaries of each study: enough for a kappa, few enough for an hour. */
const sampled = 60;

export function* labelSampleLines(run: Run): Generator<string> {
  for (const study of run.spec.studies) {
    if (study.kind !== 'specificity') continue;
    for (const prompt of sampleOf(summariesOf(run, study), sampled, run.spec.seed))
      yield `${sampleLine(prompt, taxonomyOf(study.settings))}\n`;
  }
}

/** All summaries of a study that are there, in the order of its tasks. */
export const summariesOf = (run: Run, study: SpecificityStudy): SampledPrompt[] =>
  [...run.tasks(study.benchmark).values()].flatMap((task) =>
    (run.variants.ofTask(study, task) ?? []).flatMap(({ variant, augmentation, prompt }): SampledPrompt[] =>
      augmentation !== 'summary' || prompt === null
        ? []
        : [{ study: study.name, taskId: task.taskId, variant, text: summaryText(task, prompt) }],
    ),
  );
