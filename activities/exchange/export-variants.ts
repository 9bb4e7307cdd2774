/** Writes a run's variant sets as lines of JSON, for the study setting `variantSet`. */
import type { VariantLine } from '../../schemas/variant.ts';
import { studyOf } from '../../studies/index.ts';
import type { Run } from '../runs/opened/run.ts';

/**
 * One line per existing variant, by study, task and variant; each ends with a line feed.
 * A set shared by two studies is written once.
 */
export async function* variantLines(run: Run): AsyncGenerator<string> {
  const written = new Set<string>();
  for (const study of run.spec.studies) {
    const maker = studyOf(study).variants;
    if (maker === undefined) continue;
    for (const task of run.tasks(study.benchmark).values()) {
      for (const record of (await run.variants.ofTask(study, task)) ?? []) {
        if (record.prompt === null) continue;
        const { variant, distance, emotion, technical, experience, collaboration, context, prompt } = record;
        const { augmentation, status, reason } = record;
        const detail = augmentation === undefined ? {} : { augmentation, status, reason };
        const line: VariantLine = {
          ...detail,
          ...{
            task_id: task.taskId,
            variant,
            distance,
            emotion,
            technical,
            experience,
            collaboration,
            prompt,
            ...(context != null && { context }),
          },
          ...{ rewriter: maker.source(study), template_version: maker.templateVersion },
        };
        const text = JSON.stringify(line);
        if (!written.has(text)) yield `${text}\n`;
        written.add(text);
      }
    }
  }
}
