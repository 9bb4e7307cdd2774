/** What kind of failure broke tasks in each loop, and whether it was sudden. */
import { withEvidence } from '../../../../analysis/report/examples/evidence.ts';
import type { LoopBreaks } from '../../results/survival/breaks.ts';
import type { LoopSurvival } from '../../results/survival/loop-survival.ts';
import { count, estimated } from '../../../../analysis/report/cells.ts';
import { decimals } from '../../../../analysis/report/format.ts';
import { type Html, html } from '../../../../analysis/report/html.ts';
import type { DataRow, DataTable } from '../../../../analysis/report/part.ts';
import type { ReportContext } from '../../../../analysis/report/study-report.ts';

const about =
  'Format: no code, no summary, or invalid Python. Signature: the function is missing or takes other arguments. ' +
  'Semantics: everything else. A task that broke after at least one loop is counted as collapsed if the judge’s ' +
  'similarity of the last two prompts is at least the threshold, and as drifted if it is lower. Shares: semantics ' +
  'dark, signature lighter, format lightest.';

export const breaksTable = ({ run, study, breaks }: LoopSurvival, context: ReportContext): DataTable => ({
  title: 'Kinds of failure by loop: sudden collapse or drift',
  note: about,
  words: 1,
  heads: [
    ...['Model', 'Loop', 'Format', 'Signature', 'Semantics', 'Collapsed', 'Drifted', 'Unscored', 'Mean similarity'],
    { text: 'Shares', drawn: true },
  ],
  rows: breaks.map((row) => breakRow(row, { run, study }, context)),
});

function breakRow(
  row: LoopBreaks,
  of: { readonly run: string; readonly study: string },
  context: ReportContext,
): DataRow {
  const cells: DataRow = [
    context.model(of.run, row.model),
    ...[row.loop, row.format, row.signature, row.semantics, row.collapsed, row.drifted, row.unscored].map(count),
    {
      ...estimated(row.similarity, decimals, (value) => decimals(value, 2)),
      n: `${row.collapsed + row.drifted} breaks with a similarity`,
    },
    { text: '', drawing: brokenBar(row) },
  ];
  const broken = { model: row.model, variant: 'original', setting: 'default', loops: row.loop - 1, outcome: 'fails' };
  return withEvidence(cells, { ...of, ...broken }, context);
}

/** A bar with the shares of format, signature and semantics among the failures of a loop. */
function brokenBar({ format, signature, semantics }: LoopBreaks): Html {
  const all = format + signature + semantics;
  const shades = [
    { count: semantics, opacity: '.85' },
    { count: signature, opacity: '.5' },
    { count: format, opacity: '.25' },
  ];
  let x = 0;
  const rects = shades.map((part) => {
    const width = (110 * part.count) / all;
    const [left, extent] = [x.toFixed(1), width.toFixed(1)];
    x += width;
    return html`<rect x="${left}" y="4" width="${extent}" height="8" fill="var(--muted)" opacity="${part.opacity}"/>`;
  });
  return html`<svg class="bar" viewBox="0 0 120 16" width="120" height="16" aria-hidden="true">${rects}</svg>`;
}
