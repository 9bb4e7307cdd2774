/** Gets a task's prompt variants: the run's own, an earlier run's, or new ones; once for all models of the run. */
import { sha256 } from '../../domain/ids.ts';
import type { Task } from '../../schemas/task.ts';
import type { VariantRecord } from '../../schemas/variant.ts';
import type { OpenDraws } from '../../studies/cell-state.ts';
import type { VariantMaker } from '../../studies/study.ts';
import type { ReferenceCache } from '../judging/reference-cache.ts';
import type { RunPage } from '../runs/opened/run.ts';
import { variantFact } from './variants.ts';

/** Variant sets are kept across runs: a later run with the same settings, templates and models reuses them. */
export type VariantCache = Pick<ReferenceCache, 'getFact' | 'putFact'>;

/** Cells whose prompt exists. Creates sets that need no model. */
export async function promptedCells(page: RunPage, cache: VariantCache): Promise<number[]> {
  const varied = page.cells.filter(({ variant }) => variant !== 'original');
  for (const taskId of new Set(varied.map((cell) => cell.taskId))) await ensureVariants(page, page.task(taskId), cache);
  return page.cells.flatMap((cell, index) =>
    cell.variant === 'original' || page.variant(cell)?.prompt != null ? [index] : [],
  );
}

async function ensureVariants(page: RunPage, task: Task, cache: VariantCache): Promise<void> {
  await variantsOf(page, task, cache, (maker) => {
    if (maker.model(page.study) !== null) throw new Error(`the variants of ${task.taskId} are not written yet`);
    return maker.byRules(page.study, task);
  });
}

/**
 * The run's own variants, else those that an earlier run made in the same way, else the result of `make`. Stored unless
 * draws are still open.
 */
export async function variantsOf(
  page: RunPage,
  task: Task,
  cache: VariantCache,
  make: (maker: VariantMaker) => VariantRecord[] | OpenDraws,
): Promise<readonly VariantRecord[] | OpenDraws> {
  const { run, study, kind } = page;
  const own = await run.variants.ofTask(study, task);
  if (own !== undefined) return own;
  if (kind.variants === undefined) throw new Error(`study ${study.name} has no variants`);
  const name = await cacheName(page, task, kind.variants);
  const known = await cache.getFact(name);
  const records = known === undefined ? make(kind.variants) : (JSON.parse(known) as VariantRecord[]);
  if ('open' in records) return records;
  if (known === undefined) await cache.putFact(name, JSON.stringify(records));
  return run.variants.keep(study, task, records);
}

/** Includes the models' endpoints: another model behind the same id makes another set. */
async function cacheName({ run, study }: RunPage, task: Task, maker: VariantMaker): Promise<string> {
  const own = maker.model(study);
  const ids = maker.models?.(study) ?? (own === null ? [] : [own]);
  const name = variantFact(study, task);
  if (ids.length === 0) return name;
  const identities = await Promise.all(
    ids.map(async (id) => {
      const model = run.model(id);
      const { endpointIdentity } = await model.provider();
      return [endpointIdentity, model.requestedModel, model.parameters];
    }),
  );
  return `${name}/${sha256(JSON.stringify(identities.length === 1 ? identities[0] : identities))}`;
}
