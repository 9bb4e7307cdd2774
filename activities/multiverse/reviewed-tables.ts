/**
 * The tables of a run as they would be if verdicts were read in other ways: verdicts, suites and the studies' own
 * tables of each page, written as Parquet outside the run's folder. Reads the ledger; nothing is run and nothing asked.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { tables, type Row, type TableName } from '../../schemas/tables.ts';
import type { At } from '../../studies/cell-state.ts';
import type { Review } from '../../studies/multiverse/review.ts';
import { countedSuite, reviewedCells } from '../../studies/multiverse/reviewed-cells.ts';
import { pagesOf } from '../../studies/plan.ts';
import type { PageCell } from '../pages/cell-states.ts';
import { judgedCells } from '../pages/page-cells.ts';
import { outcomeWithout, studyPage } from '../rows/page-rows.ts';
import { suiteRows } from '../rows/run-rows.ts';
import { type LimitOutcomes, outcomesWith } from './other-limits.ts';
import type { Run, RunPage } from '../runs/opened/run.ts';
import { encodeTable } from '../storage/parts/parquet.ts';
import type { SampleRecord } from '../storage/ledger/records.ts';

/** A way to read verdicts. */
export interface Reading {
  readonly review: Review;
  /** Outcomes under another time limit, for programs whose verdict it can change; null: as they are. */
  readonly limited: LimitOutcomes | null;
}

/** A run's tables under one reading. */
export interface ReviewedTables {
  /** Parquet files by table. */
  readonly files: ReadonlyMap<TableName, readonly string[]>;
  /** Number of the model's cells in this study that need an answer which was never asked for. */
  notAsked(study: string, model: string): number;
}

/**
 * All readings in one pass over the pages, so that each answer is read and its code extracted once.
 * @param folder where the files go
 * @param study only this study's pages
 */
export async function reviewedTables(
  run: Run,
  study: string,
  readings: readonly Reading[],
  folder: string,
): Promise<ReviewedTables[]> {
  const writers = readings.map((reading, index) => createWriter(reading, join(folder, String(index))));
  const suites = oncePerTask(await suiteRows(run));
  for (const writer of writers) writer.add('suites', suites);
  for (const { page } of pagesOf(run.revisions)) {
    if (page.study !== study) continue;
    const opened = run.page(page.page);
    const samples = await run.ledger.samples(page.page);
    const cells = await judgedCells(opened, samples);
    for (const writer of writers) {
      writer.addPage(opened, cells, samples);
      await turn();
    }
  }
  return writers.map(({ files, notAsked }) => ({
    files,
    notAsked: (name, model) => notAsked.get(laneName(name, model)) ?? 0,
  }));
}

const laneName = (study: string, model: string): string => JSON.stringify([study, model]);

/** Reviewed verdicts have a single suite. */
const oncePerTask = (suites: readonly Row[]): Row[] => [
  ...new Map(
    suites.map((row) => [JSON.stringify([row['benchmark'], row['task_id']]), { ...row, suite: countedSuite }]),
  ).values(),
];

function createWriter({ review, limited }: Reading, folder: string) {
  mkdirSync(folder, { recursive: true });
  const files = new Map<TableName, string[]>();
  const notAsked = new Map<string, number>();
  const add = (name: TableName, rows: readonly Row[]): void => {
    const known = files.get(name) ?? [];
    const file = join(folder, `${name}-${known.length}.parquet`);
    writeFileSync(file, encodeTable(tables[name], rows));
    files.set(name, [...known, file]);
  };
  const addPage = (page: RunPage, cells: readonly PageCell[], samples: readonly SampleRecord[]): void => {
    const lacking = new Set<PageCell>();
    const { study, kind } = page;
    const reviewed = reviewedCells(cells, {
      ...{ study, kind, review, onNotAsked: (cell) => void lacking.add(cell) },
      ...(limited === null ? {} : { outcomesAt: (cell, at) => judgedOutcomes(limited, cell, at) }),
    });
    if (page.phase === 'study') {
      const rows = kind.rows(study, studyPage(page, reviewed));
      for (const name of Object.keys(rows) as TableName[]) add(name, rows[name] ?? []);
    }
    const lane = laneName(study.name, page.model);
    notAsked.set(lane, (notAsked.get(lane) ?? 0) + lacking.size);
    add(
      'verdicts',
      samples.flatMap((sample) => verdictRow(page, reviewed[sample.key.cell], sample)),
    );
  };
  return { files, notAsked, add, addPage };
}

/** A reply that evenkeel did not take has no program; its outcome is the cell's. */
const judgedOutcomes = (limited: LimitOutcomes, cell: PageCell, at: At) =>
  outcomesWith(limited, cell, at) ?? cell.outcomes(at);

/** None for an answer that holds no program. */
function verdictRow(page: RunPage, cell: PageCell | undefined, { key: at }: SampleRecord): Row[] {
  const answer = cell?.answer(at);
  if (cell === undefined || answer === undefined) return [];
  if (page.kind.extract(page.study, cell, at, answer) === undefined) return [];
  return [
    {
      ...page.key(cell),
      ...{ loop: at.loop, step: at.step, sample: at.sample },
      suite: countedSuite,
      execution_id: null,
      outcome: cell.outcomes(at)?.[0]?.outcome ?? outcomeWithout(answer.status),
      first_failing_case: null,
      simulated: page.run.model(page.model).simulated,
    },
  ];
}
