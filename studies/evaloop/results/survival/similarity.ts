/**
 * The distribution of the judge's similarity scores where tasks broke (EVALOOP, section 2.2).
 */
import { numberOf, textOf } from '../../../../domain/metrics/row-order.ts';
import type { RunDatabase } from '../../../../analysis/database.ts';
import { judgeNames, judgePanel } from '../../judges.ts';
import { evaloopStudies } from '../studies.ts';
import { records } from '../../../../analysis/records.ts';
import { quoteText } from '../../../../analysis/views.ts';

export interface JudgedBreaks {
  readonly run: string;
  readonly study: string;
  readonly model: string;
  readonly judge: string;
  /** A break is a collapse at or above this similarity, below it drift. */
  readonly threshold: number;
  /** Breaks with a similarity in [k / 20, (k + 1) / 20), k = 0..19; 1 is in the last. */
  readonly counts: readonly number[];
}

/** Number of bins: all thresholds that are multiples of 0.05 are borders of bins. */
const similarityBins = 20;

/** One entry per model with a scored break, over unchanged prompts under the default setting. */
export async function judgedBreaks(database: RunDatabase): Promise<JudgedBreaks[]> {
  const found: JudgedBreaks[] = [];
  for (const manifest of database.manifests)
    for (const { name: study, settings } of evaloopStudies(manifest)) {
      const { runId: run } = manifest;
      const { collapseThreshold: threshold } = settings;
      const judge = judgeNames(judgePanel(settings));
      if (judge === null) continue;
      // A little is added to each score, because 0.15 * 20 is slightly below 3 in doubles.
      const rows = await records(
        database,
        `SELECT model, least(floor(similarity * ${similarityBins} + 1e-9), ${similarityBins - 1})::INT AS bin,
          count(*)::INT AS cells FROM loops
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
