/** Hands out a sweep's lanes and their open pages, as many at a time as one history holds. */
import type {
  Lane,
  LanePage,
  LanesInput,
  NextLanes,
  NextPages,
  NextPagesInput,
  PagesReport,
} from '../schemas/steps.ts';
import { studyOf } from '../studies/index.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { Run } from './runs/opened/run.ts';
import type { Runs } from './runs/runs.ts';

/** A lane with more pages is a workflow of its own, which the server and the worker keep. */
const fewPages = 4;
/** Pages that one workflow runs itself, of all its lanes with few pages. */
const fewPagesOfLanes = 64;
/** The same for pages that write variants. */
const fewVariantPages = 16;

/**
 * Pages in flight of all lanes that wait for batches. Their questions share a batch, so more pages make larger and
 * fewer batches; each is a workflow that the server and a worker keep.
 */
const batchedPagesInFlight = 128;
const fewestInFlight = 4;

export interface LanesDependencies {
  readonly runs: Runs;
  readonly heartbeat: Heartbeat;
}

export const createLanes = ({ runs, heartbeat }: LanesDependencies) => ({
  nextLanes: (input: LanesInput & { readonly limit: number }): Promise<NextLanes> =>
    heartbeat(async () => nextLanes(await runs.open(input.run), input)),
  nextPages: (input: NextPagesInput): Promise<NextPages> =>
    heartbeat(async () => nextPages(await runs.open(input.run), input)),
});

/** The lane of the pages that write variants; null if none is open. */
export async function variantLane(run: Run): Promise<Lane | null> {
  const few = await openVariantPages(run, undefined, fewVariantPages + 1);
  if (few.length === 0) return null;
  return { model: null, ...(few.length <= fewVariantPages && { few }) };
}

async function nextLanes(
  run: Run,
  { after, limit }: Omit<LanesInput, 'run'> & { readonly limit: number },
): Promise<NextLanes> {
  const open = Map.groupBy(await openLanes(run), ({ model }) => model);
  const models = run.spec.models.map(({ id }) => id);
  const waiting = models.slice(after === undefined ? 0 : models.indexOf(after) + 1).filter((id) => open.has(id));
  const inFlight = pagesInFlight(run, open);
  let room = fewPagesOfLanes;
  const lanes: Lane[] = [];
  for (const model of waiting.slice(0, limit)) {
    const pages = sum((open.get(model) ?? []).map((lane) => lane.open));
    const isFew = pages <= Math.min(fewPages, room);
    if (isFew) room -= pages;
    const few = isFew ? { few: await pagesOfModel(run, model, undefined, fewPages) } : {};
    lanes.push({ model, ...inFlight(model), ...few });
  }
  return { lanes, after: waiting.length > limit ? (waiting[limit - 1] ?? null) : null };
}

async function nextPages(run: Run, { model, after, limit }: Omit<NextPagesInput, 'run'>): Promise<NextPages> {
  const stop = model === null ? null : await runStop(run, model);
  const pagesUpTo = (most: number): Promise<LanePage[]> =>
    model === null ? openVariantPages(run, after, most) : pagesOfModel(run, model, after, most);
  if (stop !== null) {
    const left = await pagesUpTo(Number.MAX_SAFE_INTEGER);
    return { pages: [], after: null, stopped: { [stop]: left.length } };
  }
  const next = await pagesUpTo(limit + 1);
  const pages = next.slice(0, limit);
  return { pages, after: next.length > limit ? (pages.at(-1)?.page ?? null) : null };
}

/** Why no page is started any more; null also if only the model is stopped, since a page may have all its answers. */
async function runStop(run: Run, model: string): Promise<keyof PagesReport['stopped'] | null> {
  const reason = (await run.ledger.stopOf(model))?.reason;
  return reason === 'paused' || reason === 'cancelled' ? reason : null;
}

/** Open pages of a model under study, study by study. */
async function pagesOfModel(run: Run, model: string, after: string | undefined, limit: number): Promise<LanePage[]> {
  const lanes = (await openLanes(run)).filter((lane) => lane.model === model);
  const studies = run.spec.studies.map(({ name }) => name);
  const last = after === undefined ? null : run.page(after).study.name;
  const pages: LanePage[] = [];
  for (const study of last === null ? studies : studies.slice(studies.indexOf(last))) {
    if (!lanes.some((lane) => lane.study === study)) continue;
    const start = study === last ? (after ?? null) : null;
    const found = await run.ledger.openPages({ study, model }, start, limit - pages.length);
    pages.push(...found.map((page) => lanePage(run, page)));
  }
  return pages;
}

/** A study runs only with all of its variants. */
async function openLanes(run: Run) {
  const states = await run.ledger.pageStates(run.variantPages.map(({ page }) => page));
  const unwritten = new Set(
    run.variantPages.flatMap(({ page, study }) => (states.get(page) === 'sealed' ? [] : [study])),
  );
  return (await run.ledger.openLanes()).filter(({ study }) => !unwritten.has(study));
}

async function openVariantPages(run: Run, after: string | undefined, limit: number): Promise<LanePage[]> {
  const pages = run.variantPages.map(({ page }) => page);
  const states = await run.ledger.pageStates(pages);
  return pages
    .slice(after === undefined ? 0 : pages.indexOf(after) + 1)
    .filter((page) => states.get(page) === 'open')
    .slice(0, limit)
    .map((page) => lanePage(run, page));
}

function lanePage(run: Run, page: string): LanePage {
  const { study, kind, phase } = run.page(page);
  if (phase === 'variants') return { page, kind: kind.variants?.making === 'poset' ? 'posets' : 'variants' };
  return { page, kind: kind.workflow ?? study.kind };
}

/** More than usual for a lane that waits for batches: its model, or a judge of its studies, is asked in them. */
function pagesInFlight(
  run: Run,
  open: ReadonlyMap<string, readonly { readonly study: string }[]>,
): (model: string) => Pick<Lane, 'inFlight'> {
  const inBatches = new Set(run.spec.models.flatMap(({ id, mode }) => (mode === 'batch' ? [id] : [])));
  const waits = new Set(
    [...open].flatMap(([model, lanes]) => {
      const roles = lanes.flatMap((lane) => {
        const study = run.study(lane.study);
        return studyOf(study).roles(study);
      });
      return [model, ...roles.map((role) => role.model)].some((id) => inBatches.has(id)) ? [model] : [];
    }),
  );
  const inFlight = Math.max(fewestInFlight, Math.floor(batchedPagesInFlight / Math.max(1, waits.size)));
  return (model) => (waits.has(model) ? { inFlight } : {});
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
