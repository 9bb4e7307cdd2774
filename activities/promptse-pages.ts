/** Opens pages of PromptSE: the variants of their tasks are made, or found where another model or run has made them. */
import { sha256 } from '../domain/ids.ts';
import type { OpenVariants, PageRef, PromptsePage } from '../schemas/steps.ts';
import type { Task } from '../schemas/task.ts';
import type { VariantRecord } from '../schemas/variant.ts';
import type { Answer, OpenDraws, VariantMaker } from '../studies/study.ts';
import { openCell } from './cell-states.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { ReferenceCache } from './reference-cache.ts';
import type { RunPage, Runs } from './runs.ts';
import { variantFact } from './variants.ts';

export interface PromptsePagesDependencies {
  readonly runs: Runs;
  readonly heartbeat: Heartbeat;
  /** Variant sets outlive their run: the next one with the same settings, templates and rewriter takes them up. */
  readonly cache: VariantCache;
}

type VariantCache = Pick<ReferenceCache, 'getFact' | 'putFact'>;

export function createPromptsePages({ runs, heartbeat, cache }: PromptsePagesDependencies) {
  return {
    settleVariants: (ref: PageRef): Promise<OpenVariants> =>
      heartbeat(async () => {
        return settlePage(await runs.page(ref), cache);
      }),
    openPromptsePage: (ref: PageRef): Promise<PromptsePage> =>
      heartbeat(async () => {
        const page = await runs.page(ref);
        if (page.study.kind !== 'promptse') throw new Error(`page ${ref.page} belongs to a study that is no promptse`);
        const { samples } = page.study.settings;
        if (page.run.ledger.pageState(ref.page) === 'sealed') return { sealed: true, cells: [], samples };
        for (const taskId of new Set(page.cells.map((cell) => cell.taskId))) await ensureVariants(page, page.task(taskId), cache);
        return { sealed: false, cells: askedCells(page), samples };
      }),
  };
}

/** Variants that are to be drawn next; after a crash tasks can be rounds apart, and those behind come first. */
async function settlePage(page: RunPage, cache: VariantCache): Promise<OpenVariants> {
  const wanted: { readonly taskId: string; readonly draws: OpenDraws }[] = [];
  for (const taskId of new Set(page.cells.map((cell) => cell.taskId))) {
    const task = page.task(taskId);
    const end = await variantsOf(page, task, cache, (maker) => maker.settle(page.study, task, answersOf(page, taskId)));
    if ('open' in end) wanted.push({ taskId, draws: end });
  }
  const ask = Math.min(...wanted.map(({ draws }) => draws.round));
  const next = new Map(wanted.filter(({ draws }) => draws.round === ask).map(({ taskId, draws }) => [taskId, new Set(draws.open)]));
  const open = page.cells.flatMap(({ taskId, variant }, index) => (next.get(taskId)?.has(variant) ? [index] : []));
  return open.length === 0 ? { open, ask: 0 } : { open, ask };
}

/** Cells whose prompt exists. */
const askedCells = (page: RunPage): number[] =>
  page.cells.flatMap((cell, index) => (cell.variant === 'original' || page.variant(cell)?.prompt != null ? [index] : []));

async function ensureVariants(page: RunPage, task: Task, cache: VariantCache): Promise<void> {
  await variantsOf(page, task, cache, (maker) => {
    if (maker.model(page.study) !== null) throw new Error(`the variants of ${task.taskId} are not worded yet`);
    return maker.byRules(page.study, task);
  });
}

/** The run's own variants, else those that an earlier run made in the same way, else what `make` gives; kept unless draws are open. */
async function variantsOf(
  page: RunPage,
  task: Task,
  cache: VariantCache,
  make: (maker: VariantMaker) => VariantRecord[] | OpenDraws,
): Promise<readonly VariantRecord[] | OpenDraws> {
  const { run, study, kind } = page;
  const own = run.variants.ofTask(study, task);
  if (own !== undefined) return own;
  if (kind.variants === undefined) throw new Error(`study ${study.name} has no variants`);
  const name = await cacheName(page, task, kind.variants);
  const known = await cache.getFact(name);
  const records = known === undefined ? make(kind.variants) : (JSON.parse(known) as VariantRecord[]);
  if ('open' in records) return records;
  if (known === undefined) await cache.putFact(name, JSON.stringify(records));
  return run.variants.keep(study, task, records);
}

/** Another model behind the same id words another set. */
async function cacheName({ run, study }: RunPage, task: Task, maker: VariantMaker): Promise<string> {
  const rewriter = maker.model(study);
  const name = variantFact(study, task);
  if (rewriter === null) return name;
  const model = run.model(rewriter);
  const { endpointIdentity } = await model.provider();
  return `${name}/${sha256(JSON.stringify([endpointIdentity, model.requestedModel, model.parameters]))}`;
}

function answersOf(page: RunPage, task: string): (variant: string, round: number) => Answer | undefined {
  const own = page.cells.flatMap(({ taskId, variant }, index) => (taskId === task ? [[variant, openCell(page, index)] as const] : []));
  const cells = new Map(own);
  return (variant, round) => cells.get(variant)?.answer({ step: 'rewrite', loop: 1, ask: round, sample: 0 });
}
