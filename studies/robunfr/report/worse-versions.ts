/** New versions that the verdicts show to be worse, for the cards. */
import type { WorseVersion } from '../../../analysis/card/card-source.ts';
import type { RunDatabase } from '../../../analysis/database.ts';
import { currentTables } from '../../../analysis/current-tables.ts';
import { inStudy } from '../../../domain/card/sentence.ts';
import { solutionMetrics } from '../../../domain/metrics/solution-metrics.ts';
import { type RegressionRow, robunfrBoard } from '../results/board.ts';
import { robunfrStudies, robunfrTables } from '../results/tables.ts';
import { isPlain, measureName } from './names.ts';
import { rangeText, ratioRange, ratioText, valueText } from './value-text.ts';

/** By pair of versions; pass@1 first, the largest loss first. */
export function worseVersions(rows: readonly RegressionRow[]): WorseVersion[] {
  const isOfSeveral = new Set(rows.map(({ run, study }) => JSON.stringify([run, study]))).size > 1;
  const worse = rows.filter(({ verdict }) => verdict === 'worse');
  const pairs = Map.groupBy(worse, ({ run, old, now }) => JSON.stringify([run, old, now]));
  return [...pairs.values()].map((own) => {
    const [{ run, old, now }] = own as [RegressionRow];
    const sorted = own.toSorted((a, b) => lossOf(a) - lossOf(b));
    return { run, model: now, old, verdicts: sorted.map((row) => verdictText(row, isOfSeveral)) };
  });
}

/** Only pass@1 is compared with itself; other measures follow as they are. */
const lossOf = ({ metric, difference }: RegressionRow): number =>
  metric === 'pass_at_1' ? (difference?.value ?? 0) : Infinity;

/** `pass@1 base with reliability (-11.67 points, -18.37 to -4.00; p = 0.000015 (Holm))`. */
function verdictText(row: RegressionRow, isOfSeveral: boolean): string {
  const asked = isPlain(row) ? 'without a requirement' : `with ${row.dimension}`;
  const study = inStudy(isOfSeveral ? row.study : null);
  const p = row.pAdjusted === null ? '' : `; p = ${Number(row.pAdjusted.toPrecision(2))} (Holm)`;
  return `${measureName(row)} ${asked}${study} (${changeText(row)}${p})`;
}

function changeText(row: RegressionRow): string {
  const { ratio, difference, metric } = row;
  if (ratio !== null) return listText([`× ${ratioText(ratio.value)}`, ratio.interval && ratioRange(ratio.interval)]);
  const unit = Object.entries(solutionMetrics).find(([name]) => name === metric)?.[1].unit;
  const named = unit === undefined ? '' : ` ${unit === '%' ? 'points' : unit}`;
  const interval = difference?.interval ?? null;
  return listText([
    `${valueText(row, difference?.value)}${named}${judgedText(row)}`,
    interval && rangeText(row, interval),
  ]);
}

/** Of how many answers a difference of pass@1 is, where some were not judged; else empty. */
const judgedText = ({ metric, n, nExcluded }: RegressionRow): string =>
  metric === 'pass_at_1' && nExcluded > 0 ? ` of the ${n} of ${n + nExcluded} answers judged in both versions` : '';

const listText = (texts: readonly (string | null)[]): string => texts.filter((text) => text !== null).join(', ');

/** Of all runs, in their current state. */
export async function currentWorseVersions(database: RunDatabase): Promise<WorseVersion[]> {
  const manifests = database.manifests.filter((manifest) =>
    robunfrStudies(manifest).some(({ kind }) => kind === 'robunfr-regression'),
  );
  const { regression } = await currentTables(database, ['regression'], manifests, robunfrTables);
  return worseVersions(robunfrBoard({ ...noTables, regression }).regressions);
}

const noTables = { nfr_summary: [], nfr_stdev_parts: [], nfr_phrasings: [], nfr_workflows: [] };
