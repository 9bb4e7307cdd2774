/** How tasks are lost, as Markdown: survival, log-rank tests, what broke, drift of lengths and fixpoints. */
import type { Estimate } from '../estimate.ts';
import type { LoopSurvival } from '../loop-survival.ts';
import { intervalText, missing, shareText, three } from './format.ts';
import { pText, type TableText } from './loop-ranks-markdown.ts';

export const loopSurvivalMarkdown = (studies: readonly LoopSurvival[], table: TableText, plain: (text: string) => string): string[] =>
  studies
    .filter(({ curves }) => curves.length > 0)
    .flatMap((one) => {
      const title = (what: string): string => `## Study ${plain(one.study)}: ${what}`;
      return [
        [title('survival and hazard by loop'), survivalTable(one, table)],
        ...(one.tests.length === 0 ? [] : [[title('log-rank tests'), testTable(one, table)]]),
        ...(one.breaks.length === 0 ? [] : [[title('what broke, and how suddenly'), breakTable(one, table)]]),
        ...(one.fixpoints.length === 0 ? [] : [[title('drift of lengths, and fixpoints'), driftTable(one, table)]]),
      ].map((part) => part.join('\n\n'));
    });

const survivalTable = ({ curves }: LoopSurvival, table: TableText): string =>
  table(
    ['Model', 'loop', 'at risk', 'broke', 'hazard', 'interval', 'survival', 'interval'],
    curves.flatMap(({ model, steps }) =>
      steps.map((step) => [
        model,
        String(step.time),
        String(step.atRisk),
        String(step.ended),
        shareText(step.hazard),
        intervalText(step.hazardInterval, shareText),
        shareText(step.survival),
        intervalText(step.interval, shareText),
      ]),
    ),
  );

/** Of a positive factor: its value, with the ends of its interval. */
const factorText = (factor: Estimate | null | undefined): string => {
  if (!factor) return missing;
  const number = (value: number): string => value.toFixed(2);
  return factor.interval === null ? number(factor.value) : `${number(factor.value)} (${intervalText(factor.interval, number)})`;
};

const testTable = ({ tests }: LoopSurvival, table: TableText): string =>
  table(
    ['Model', 'and', 'tasks', 'chi-square', 'p', 'p, adjusted', 'no test because'],
    tests.map(({ models, test, adjusted, tasks }) => [
      ...models,
      String(tasks),
      three(test.statistic),
      pText(test.p),
      pText(adjusted),
      test.reason ?? '',
    ]),
  );

const breakTable = ({ breaks }: LoopSurvival, table: TableText): string =>
  table(
    ['Model', 'loop', 'format', 'signature', 'semantics', 'collapsed', 'drifted', 'unscored', 'mean similarity', 'interval'],
    breaks.map((row) => [
      row.model,
      ...[row.loop, row.format, row.signature, row.semantics, row.collapsed, row.drifted, row.unscored].map(String),
      three(row.similarity?.value),
      intervalText(row.similarity?.interval ?? null, three),
    ]),
  );

/** Code and summary lengths of a loop as "code / summary", geometric means over tasks. */
function driftTable({ drifts, fixpoints }: LoopSurvival, table: TableText): string {
  const loops = [...new Set(drifts.map(({ loop }) => loop))].toSorted((a, b) => a - b);
  const rows = fixpoints.map(({ model, cells, fixed, share, from }) => [
    model,
    ...loops.map((loop) => {
      const drift = drifts.find((one) => one.model === model && one.loop === loop);
      return `${factorText(drift?.codeFactor)} / ${factorText(drift?.summaryFactor)}`;
    }),
    `${fixed} of ${cells}`,
    intervalText(share?.interval ?? null, shareText),
    from?.value.toFixed(1) ?? missing,
    intervalText(from?.interval ?? null, (value) => value.toFixed(1)),
  ]);
  return table(['Model (code / summary)', ...loops.map((loop) => `loop ${loop}`), 'fixpoints', 'interval', 'from loop', 'interval'], rows);
}
