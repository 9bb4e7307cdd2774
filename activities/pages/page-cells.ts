/** Reads what a page's cells need from the ledger: one read for a step, none while a study's code runs. */
import type { ChatReply } from '../../schemas/chat.ts';
import type { Suite, Task } from '../../schemas/task.ts';
import type { At } from '../../studies/cell-state.ts';
import { referenceKey } from '../judging/execution-key.ts';
import { isWithoutOutput } from '../judging/suite-cases.ts';
import type { Run, RunPage } from '../runs/opened/run.ts';
import type { PageSnapshot } from '../storage/ledger/page-reader.ts';
import type { SampleRecord, VerdictRecord } from '../storage/ledger/records.ts';
import { type PageCell, pageCell } from './cell-states.ts';

/** The cells of a page as one step sees them: what was stored when it began, and its own answers. */
export interface StepCells extends Pick<PageSnapshot, 'hasSamples'> {
  cell(index: number): PageCell;
  /** Adds an answer that this step has stored. */
  note(index: number, at: At, reply: ChatReply): void;
}

/** Without verdicts, unless the study's questions need them: a cell that is asked for them throws. */
export async function stepCells(page: RunPage): Promise<StepCells> {
  await readVariants(page);
  const snapshot = await page.run.ledger.load(page.page);
  const verdict = page.kind.asksByVerdicts === true ? await storedVerdicts(page) : noVerdicts;
  const noted = new Map<string, ChatReply>();
  const cell = (index: number): PageCell => pageCell(page, index, { replyAt, verdict, cell });
  const replyAt = (index: number, { step, loop, ask, sample }: At): ChatReply | undefined =>
    noted.get(placeKey(index, { step, loop, ask, sample })) ??
    snapshot.sample({ cell: index, step, loop, ask, sample })?.reply;
  return {
    cell,
    hasSamples: snapshot.hasSamples,
    note: (index, at, reply) => void noted.set(placeKey(index, at), reply),
  };
}

/** The cells of several pages as one piece of work sees them: each page is read once. */
export function stepCellsOf(run: Pick<Run, 'page'>): (page: string) => Promise<StepCells> {
  const read = new Map<string, Promise<StepCells>>();
  return (page) => {
    const cells = read.get(page) ?? stepCells(run.page(page));
    read.set(page, cells);
    return cells;
  };
}

type Verdicts = (executionKey: string) => VerdictRecord | undefined;

async function storedVerdicts(page: RunPage): Promise<Verdicts> {
  const samples = await page.run.ledger.samples(page.page);
  const verdicts = await verdictsOn(page, cellsOf(page, samples, noVerdicts), samples);
  return (key) => verdicts.get(key);
}

/** All cells of a page with these answers, for its questions: with verdicts where the study's questions need them. */
export const cellsToAsk = (page: RunPage, samples: readonly SampleRecord[]): Promise<readonly PageCell[]> =>
  page.kind.asksByVerdicts === true ? judgedCells(page, samples) : cellsWith(page, samples);

/** All cells of a page with these answers, without verdicts. */
export async function cellsWith(page: RunPage, samples: readonly SampleRecord[]): Promise<readonly PageCell[]> {
  await readVariants(page);
  return cellsOf(page, samples, noVerdicts);
}

/** All cells of a page with these answers and the verdicts on their programs. */
export async function judgedCells(page: RunPage, samples: readonly SampleRecord[]): Promise<readonly PageCell[]> {
  await readVariants(page);
  let verdicts: ReadonlyMap<string, VerdictRecord> = new Map();
  let without: ReadonlySet<string> = new Set();
  const cells = cellsOf(
    page,
    samples,
    (key) => verdicts.get(key),
    (task, suite) => without.has(referenceKey(page.run.sandbox, task, suite)),
  );
  verdicts = await verdictsOn(page, cells, samples);
  without = await withoutReference(page, cells, samples);
  return cells;
}

/** Of the tasks with an answer that has no code: the keys of the references that give no output. */
async function withoutReference(
  { run }: RunPage,
  cells: readonly PageCell[],
  samples: readonly SampleRecord[],
): Promise<ReadonlySet<string>> {
  const suites = new Map<string, Suite>();
  for (const { key } of samples) {
    const cell = cells[key.cell];
    const extracted = cell?.extracted(key);
    if (cell === undefined || extracted === undefined || extracted.code) continue;
    const task = cell.taskAt(key);
    for (const suite of task.suites) suites.set(referenceKey(run.sandbox, task, suite), suite);
  }
  if (suites.size === 0) return new Set();
  const references = await run.ledger.references(suites.keys());
  const found = [...references].filter(([key, reference]) => isWithoutOutput(suites.get(key) as Suite, reference));
  return new Set(found.map(([key]) => key));
}

async function verdictsOn(
  { run }: RunPage,
  cells: readonly PageCell[],
  samples: readonly SampleRecord[],
): Promise<ReadonlyMap<string, VerdictRecord>> {
  const keys = new Set(samples.flatMap(({ key }) => cells[key.cell]?.executionKeys(key) ?? []));
  return keys.size > 0 ? await run.ledger.verdicts(keys) : new Map();
}

function cellsOf(
  page: RunPage,
  samples: readonly SampleRecord[],
  verdict: Verdicts,
  isWithoutReference: (task: Task, suite: Suite) => boolean = () => false,
): readonly PageCell[] {
  const byPlace = new Map(samples.map(({ key, reply }) => [placeKey(key.cell, key), reply]));
  const replyAt = (index: number, at: At): ChatReply | undefined => byPlace.get(placeKey(index, at));
  const cells: readonly PageCell[] = page.cells.map((_, index) =>
    pageCell(page, index, { replyAt, verdict, isWithoutReference, cell: (other) => cells[other] as PageCell }),
  );
  return cells;
}

const placeKey = (index: number, { step, loop, ask, sample }: At): string =>
  `${index}/${step}/${loop}/${ask}/${sample}`;

const noVerdicts = (): never => {
  throw new Error('verdicts were not read for this step; read the cells with judgedCells');
};

/** The prompt variants of the page's tasks, as far as they exist. */
function readVariants({ run, study, cells, task }: RunPage): Promise<void> {
  const varied = new Set(cells.flatMap(({ taskId, variant }) => (variant === 'original' ? [] : [taskId])));
  return run.variants.read(study, [...varied].map(task));
}
