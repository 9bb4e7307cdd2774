/** How alike the judge finds the two prompts where tasks broke (EVALOOP, section 2.2): the scores themselves, for their distribution. */
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import type { RunDatabase } from '../database.ts';
import { evaloopStudies } from '../evaloop-studies.ts';
import { records } from '../records.ts';
import { quoteText } from '../views.ts';

export interface JudgedBreaks {
  readonly run: string;
  readonly study: string;
  readonly model: string;
  readonly judge: string;
  /** From here on a break is a collapse, below it drift. */
  readonly threshold: number;
  /** Breaks with a similarity in [k / 20, (k + 1) / 20), k = 0..19; 1 is in the last. */
  readonly counts: readonly number[];
}

/** Bins of the distribution: their borders lie on all thresholds that are multiples of 0.05. */
const similarityBins = 20;

/** Of models with a scored break, unchanged prompts under the default setting. */
export async function judgedBreaks(database: RunDatabase): Promise<JudgedBreaks[]> {
  const found: JudgedBreaks[] = [];
  for (const manifest of database.manifests)
    for (const { name: study, settings } of evaloopStudies(manifest)) {
      const { runId: run } = manifest;
      const { judge, collapseThreshold: threshold } = settings;
      if (judge === 'none') continue;
      // A hair above each score: 0.15 is 3 bins, and 0.15 * 20 in doubles is a little less.
      const rows = await records(
        database,
        `SELECT model, least(floor(similarity * ${similarityBins} + 1e-9), ${similarityBins - 1})::INT AS bin, count(*)::INT AS cells FROM loops
         WHERE run = ${quoteText(run)} AND study = ${quoteText(study)} AND variant = 'original' AND setting = 'default'
           AND similarity IS NOT NULL AND ended_by <> 'excluded' GROUP BY ALL ORDER BY ALL`,
      );
      for (const [model, own] of Map.groupBy(rows, (row) => textOf(row, 'model'))) {
        const cells = new Map(own.map((row) => [numberOf(row, 'bin'), numberOf(row, 'cells')]));
        const counts = Array.from({ length: similarityBins }, (_, bin) => cells.get(bin) ?? 0);
        found.push({ run, study, model, judge, threshold, counts });
      }
    }
  return found;
}
