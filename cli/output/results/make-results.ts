/** Makes a run's results: a small run's here, a large one's in a process of its own. */
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApart } from '../../../activities/apart/program-apart.ts';
import type { MadeResults, ResultsOrder } from './made-results.ts';

/** The results of fewer answers take less than 100 MB, and not much longer than a process takes to start. */
const manyAnswers = 50_000;

const program = fileURLToPath(new URL(`./results-process${extname(import.meta.url)}`, import.meta.url));

/** @param answers of the run @param many answers from which on another process does it */
export async function makeResults(order: ResultsOrder, answers: number, many = manyAnswers): Promise<MadeResults> {
  if (answers >= many) return makeApart(order);
  // Loaded only where needed: DuckDB takes 40 MB.
  const { madeResults } = await import('./made-results.ts');
  return madeResults(order);
}

async function makeApart(order: ResultsOrder): Promise<MadeResults> {
  const apart = openApart<ResultsOrder, MadeResults>(program, "makes the run's results");
  const made: MadeResults[] = [];
  try {
    await apart.ask(order, (results) => made.push(results));
  } finally {
    apart.end();
  }
  const [results] = made;
  if (results === undefined) throw new Error("the process that makes the run's results made none");
  return results;
}
