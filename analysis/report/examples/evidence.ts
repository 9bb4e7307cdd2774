/** From a number of a table to the examples behind it. */
import { cellOf, type DataRow } from '../part.ts';
import type { ReportContext } from '../study-report.ts';
import { type ExampleFilter, exampleLink } from './link.ts';

/** What the numbers of a row are from. */
export type RowSource = ExampleFilter & { readonly run: string };

/** The row with a link at each number that has none; the same row, if the page holds no examples. */
export function withEvidence(row: DataRow, source: RowSource, context: ReportContext): DataRow {
  const link = evidenceLink(source, context);
  if (link === undefined) return row;
  return row.map((one) => {
    const cell = cellOf(one);
    return typeof cell.value === 'number' && cell.link === undefined ? { ...cell, link } : one;
  });
}

/** Undefined, if the page holds no examples. The run is only named among several. */
export function evidenceLink({ run, ...filter }: RowSource, context: ReportContext): string | undefined {
  if (context.examples.length === 0) return undefined;
  return exampleLink({ ...(context.severalRuns ? { run } : {}), ...filter });
}
