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

/** By pair of versions: pass@1 first, the largest loss first; then the clearest measures. */
export function worseVersions(rows: readonly RegressionRow[]): WorseVersion[] {
  const isOfSeveral = new Set(rows.map(({ run, study }) => JSON.stringify([run, study]))).size > 1;
  const worse = rows.filter(({ verdict }) => verdict === 'worse');
  const pairs = Map.groupBy(worse, ({ run, old, now }) => JSON.stringify([run, old, now]));
  return [...pairs.values()].map((own) => {
    const [{ run, old, now }] = own as [RegressionRow];
    const sorted = own.toSorted(clearerFirst);
    return { run, model: now, old, verdicts: sorted.map((row) => verdictText(row, isOfSeveral)) };
  });
}

/** Losses of different measures cannot be compared: those with an interval apart from no change come first, by p. */
function clearerFirst(a: RegressionRow, b: RegressionRow): number {
  const [[kind, size], [otherKind, otherSize]] = [placeOf(a), placeOf(b)];
  return kind - otherKind || size - otherSize;
}

const placeOf = (row: RegressionRow): readonly [number, number] =>
  row.metric === 'pass_at_1' ? [0, row.difference?.value ?? 0] : [holdsNoChange(row) ? 2 : 1, row.pAdjusted ?? 1];

/** Whether the interval includes no change, although the test shows one. */
function holdsNoChange({ ratio, difference }: RegressionRow): boolean {
  const [interval, none] = ratio === null ? [difference?.interval, 0] : [ratio.interval, 1];
  return interval != null && interval.lo <= none && interval.hi >= none;
}

/** `pass@1 base with reliability (-11.67 points, -18.37 to -4.00; p = 0.000015 (Holm))`. */
function verdictText(row: RegressionRow, isOfSeveral: boolean): string {
  const asked = isPlain(row) ? 'without a requirement' : `with ${row.dimension}`;
  const study = inStudy(isOfSeveral ? row.study : null);
  const p = row.pAdjusted === null ? '' : `; p = ${Number(row.pAdjusted.toPrecision(2))} (Holm)`;
  return `${measureName(row)} ${asked}${study} (${changeText(row)}${p})`;
}

function changeText(row: RegressionRow): string {
  const { ratio, difference, metric } = row;
  const allows = metric !== 'pass_at_1' && holdsNoChange(row) ? 'which allows for a worse task than any seen' : null;
  if (ratio !== null)
    return listText([`× ${ratioText(ratio.value)}`, ratio.interval && ratioRange(ratio.interval), allows]);
  const unit = Object.entries(solutionMetrics).find(([name]) => name === metric)?.[1].unit;
  const named = unit === undefined ? '' : ` ${unit === '%' ? 'points' : unit}`;
  const interval = difference?.interval ?? null;
  return listText([
    `${valueText(row, difference?.value)}${named}${judgedText(row)}`,
    interval && rangeText(row, interval),
    allows,
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
