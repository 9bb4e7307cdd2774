/** Rows of table `variants`, for the tasks of every study that has variants. */
import type { SpecStudy } from '../../schemas/spec.ts';
import type { Row } from '../../schemas/tables.ts';
import type { Task } from '../../schemas/task.ts';
import type { VariantRecord } from '../../schemas/variant.ts';
import { studyOf } from '../../studies/index.ts';
import type { VariantMaker } from '../../studies/study.ts';
import { technicalShareOf } from '../../studies/variants/technical-terms.ts';
import type { Run, RunPage } from '../runs/opened/run.ts';

/** Rows of a page on which variants are written. */
export function pageVariantRows({ run, study, kind, cells, task }: RunPage): Row[] {
  const maker = kind.variants;
  if (maker === undefined) return [];
  return cells.flatMap(({ taskId, variant }) => {
    const record = run.variants.find(study, task(taskId), variant);
    return record === null ? [] : [variantRow(run, study, maker, task(taskId), record)];
  });
}

/**
 * Rows of studies whose variants have no page of their own, in the order of spec and benchmark. Tasks that no page
 * reached have none yet.
 */
export async function variantRows(run: Run): Promise<Row[]> {
  const rows: Row[] = [];
  for (const study of run.spec.studies) {
    const maker = studyOf(study).variants;
    if (maker === undefined || maker.model(study) !== null) continue;
    for (const { task, records } of await variantsByTask(run, study))
      rows.push(...records.map((record) => variantRow(run, study, maker, task, record)));
  }
  return rows;
}

/** Rows of table `variant_order`, for the tasks whose prompts exist. */
export async function variantOrderRows(run: Run): Promise<Row[]> {
  const rows: Row[] = [];
  for (const study of run.spec.studies) {
    const orderRows = studyOf(study).variants?.orderRows;
    if (orderRows === undefined) continue;
    for (const { task, records } of await variantsByTask(run, study)) {
      const key = {
        run: run.runId,
        study: study.name,
        benchmark: study.benchmark,
        task_id: task.taskId,
        language: task.language,
      };
      rows.push(...orderRows(study, task, records).map((row) => ({ ...key, ...row })));
    }
  }
  return rows;
}

/** Of the tasks whose variants exist, in their order. */
async function variantsByTask(run: Run, study: SpecStudy) {
  const tasks = [...run.tasks(study.benchmark).values()];
  await run.variants.read(study, tasks);
  const known = tasks.map(async (task) => ({ task, records: await run.variants.ofTask(study, task) }));
  return (await Promise.all(known)).flatMap(({ task, records }) => (records === undefined ? [] : [{ task, records }]));
}

const variantRow = (run: Run, study: SpecStudy, maker: VariantMaker, task: Task, record: VariantRecord): Row => ({
  run: run.runId,
  study: study.name,
  benchmark: study.benchmark,
  task_id: task.taskId,
  language: task.language,
  variant: record.variant,
  parent_variant: maker.parent,
  kind: maker.kind,
  attack: record.attack ?? null,
  distance: record.distance,
  augmentation: record.augmentation ?? null,
  level: record.level ?? null,
  draw: record.draw ?? null,
  emotion: record.emotion,
  technical: record.technical,
  experience: record.experience,
  collaboration: record.collaboration,
  context: record.context ?? null,
  rewriter: maker.source(study),
  template_version: maker.templateVersion,
  status: record.status,
  reason: record.reason,
  attempts: record.attempts,
  words: record.words,
  technical_share: technicalShare(task, record),
  edit_distance: record.editDistance,
  prompt: record.prompt,
  simulated: wordingModels(study, maker).some((model) => run.model(model).simulated),
});

/** Empty if rules made the variants or they were imported. */
function wordingModels(study: SpecStudy, maker: VariantMaker): readonly string[] {
  const model = maker.model(study);
  return maker.models?.(study) ?? (model === null ? [] : [model]);
}

const technicalShare = (task: Task, { prompt }: VariantRecord): number | null =>
  prompt === null ? null : technicalShareOf(task, prompt);
