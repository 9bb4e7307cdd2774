/**
 * A process that makes the pages of `watch`: drawing takes seconds of processor time, and here it neither delays the
 * server's answers nor, at a low priority, the run. It ends with its parent.
 */
import { setPriority } from 'node:os';
import { endProcess } from '../../activities/apart/end-process.ts';
import { type Bounds, openRun } from '../../analysis/database.ts';
import { servedExamples } from '../../analysis/report/example-pack.ts';
import { collectEntries } from '../../analysis/report/examples.ts';
import { reportBody } from '../../analysis/report/html/page.ts';
import { liveContent } from '../../analysis/report/live/page.ts';
import type { RunTables } from '../../analysis/run-folder.ts';
import { collectReport } from '../../studies/report.ts';
import { explain } from '../exit-status.ts';

export interface PageOrder {
  readonly number: number;
  readonly tables: RunTables;
  readonly bounds: Bounds;
}

/** The page's content as HTML, or why there is none. */
export type MadePage = { readonly number: number } & ({ readonly content: string } | { readonly fault: string });

/** A quarter of the time that a process of the run gets, where both want the same core. */
const lowPriority = 6;

async function make({ tables, bounds }: PageOrder): Promise<string> {
  const database = await openRun(tables, { bounds });
  try {
    const report = await collectReport(database);
    const entries = await collectEntries(database);
    return liveContent(await reportBody(report, entries, servedExamples(entries.examples, 'examples/'))).markup;
  } finally {
    database.close();
  }
}

async function answer(order: PageOrder): Promise<MadePage> {
  try {
    return { number: order.number, content: await make(order) };
  } catch (error) {
    return { number: order.number, fault: explain(error).text };
  }
}

setPriority(lowPriority);
process.on('message', (order: PageOrder) => void answer(order).then((made) => process.send?.(made)));
process.on('disconnect', () => endProcess(0));
