/** Translation chains as Markdown: how far they hold, and what became of the translations into each language. */
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';
import type { ChainTables } from '../chain-tables.ts';
import { estimateOf } from '../estimate.ts';
import { countText, intervalText, shareText, three } from './format.ts';
import type { TableText } from './loop-ranks-markdown.ts';

export const chainMarkdown = (
  { chain_scores: scores, chain_failures: failures }: ChainTables,
  table: TableText,
  plain: (text: string) => string,
): string[] =>
  [...Map.groupBy(scores, (row) => JSON.stringify([row['run'], row['study']])).values()].map((rows) => {
    const first = rows[0] as Row;
    const own = failures.filter((row) => row['run'] === first['run'] && row['study'] === first['study']);
    const failed = own.filter((row) => row['outcome'] !== 'pass');
    return [
      `## Study ${plain(textOf(first, 'study'))}: translation chain`,
      plain(`${textOf(first, 'languages')}; scoring ${textOf(first, 'scoring')}; ${textOf(first, 'method')}.`),
      scoreTable(rows, own, table),
      ...(failed.length === 0 ? ['All translations passed.'] : [failureTable(failed, table)]),
    ].join('\n\n');
  });

function scoreTable(rows: readonly Row[], failures: readonly Row[], table: TableText): string {
  const steps = Array.from({ length: numberOf(rows[0] as Row, 'steps') }, (_, place) => place + 1);
  const targets = steps.map(
    (step) => `${step}. ${String(failures.find((row) => row['step'] === step)?.['target_language'] ?? `step ${step}`)}`,
  );
  const cells = rows.map((row) => {
    const n = numberOf(row, 'n');
    const [score, drop] = [estimateOf(row, 'score'), estimateOf(row, 'drop')];
    return [
      `${textOf(row, 'model')}${row['simulated'] === true ? ' (simulated)' : ''}`,
      three(score?.value),
      intervalText(score?.interval ?? null, three),
      ...(row['passed'] as readonly number[]).map((count) => shareText(n === 0 ? null : count / n)),
      shareText(drop?.value ?? null),
      intervalText(drop?.interval ?? null, shareText),
      countText(n),
      countText(numberOf(row, 'n_start_failed')),
      countText(numberOf(row, 'n_excluded')),
    ];
  });
  return table(['Model', 'ASL', 'interval', ...targets, 'drop', 'interval', 'chains', 'no start', 'excluded'], cells);
}

const failureTable = (rows: readonly Row[], table: TableText): string =>
  table(
    ['Model', 'from', 'to', 'reason', 'n', 'of', 'share', 'interval', 'tasks'],
    rows.map((row) => [
      textOf(row, 'model'),
      textOf(row, 'source_language'),
      textOf(row, 'target_language'),
      textOf(row, 'outcome'),
      countText(numberOf(row, 'n')),
      countText(numberOf(row, 'attempted')),
      shareText(numberOf(row, 'share')),
      intervalText(estimateOf(row, 'share')?.interval ?? null, shareText),
      textOf(row, 'tasks'),
    ]),
  );
