/** A multitrait-multimethod matrix: how far rankings of the same models agree. */
import { type CardTrait, cardTraits } from '../../domain/card/card-metric.ts';
import { traitNames } from '../../domain/card/sentence.ts';
import { numberOf, textOf } from '../../domain/metrics/row-order.ts';
import type { Row } from '../../schemas/tables.ts';
import { estimateOf } from '../estimate.ts';
import { estimated } from '../report/cells.ts';
import { decimals, levelText } from '../report/format.ts';
import type { DataCell, DataTable } from '../report/part.ts';

/** One ranking, a row and a column of the matrix. */
interface Side {
  readonly study: string;
  readonly metric: string;
  readonly condition: string;
  readonly trait: CardTrait;
}

/** @param rows of table `card_agreement` with a rho; at least one */
export function agreementTable(rows: readonly Row[]): DataTable {
  const sides = sidesOf(rows);
  const found = new Map(
    rows.flatMap((row) => [[pairName(row, ''), row] as const, [pairName(row, 'other_'), row] as const]),
  );
  const rowOf = (a: Side, b: Side): Row | undefined => found.get(JSON.stringify([nameOf(a), nameOf(b)]));
  return {
    note: noteOf(rows),
    words: 2,
    look: 'close',
    method: `Intervals: ${textOf(rows[0] ?? {}, 'method')}.`,
    heads: [
      ...['Trait', 'Ranking'],
      ...sides.slice(0, -1).map((side, place) => ({
        text: String(place + 1),
        meaning: `Spearman’s rank correlation with ${labelOf(side)}: 1 if both rank the models alike`,
      })),
    ],
    rows: sides.map((side, place) => [
      traitNames[side.trait],
      `${place + 1}. ${labelOf(side)}`,
      ...sides
        .slice(0, -1)
        .map((other, column) => (column < place ? cellOf(rowOf(side, other)) : { text: '', value: null })),
    ]),
  };
}

/** Of a metric with several suites or methods only the first by name. */
function sidesOf(rows: readonly Row[]): Side[] {
  const all = rows.flatMap((row) => [sideOf(row, ''), sideOf(row, 'other_')]);
  const ofMetrics = Map.groupBy(all, ({ study, metric }) => JSON.stringify([study, metric]));
  const sides = [...ofMetrics.values()].flatMap((own) =>
    own.toSorted((a, b) => (a.condition < b.condition ? -1 : 1)).slice(0, 1),
  );
  return sides.toSorted((a, b) => cardTraits.indexOf(a.trait) - cardTraits.indexOf(b.trait));
}

const sideOf = (row: Row, prefix: '' | 'other_'): Side => ({
  study: textOf(row, `${prefix}study`),
  metric: textOf(row, `${prefix}metric`),
  condition: textOf(row, `${prefix}condition`),
  trait: cardTraits.find((trait) => trait === row[`${prefix}trait`]) as CardTrait,
});

const nameOf = ({ study, metric, condition }: Side): string => JSON.stringify([study, metric, condition]);
const pairName = (row: Row, first: '' | 'other_'): string =>
  JSON.stringify([nameOf(sideOf(row, first)), nameOf(sideOf(row, first === '' ? 'other_' : ''))]);

const labelOf = ({ study, metric, condition }: Side): string =>
  `${study}: ${metric}${condition === 'all' ? '' : `, ${condition}`}`;

/** Pairs of one trait, which should agree most, are shaded. */
function cellOf(row: Row | undefined): DataCell {
  if (row === undefined) return { text: '', value: null };
  const rho = estimated(estimateOf(row, 'rho'), (value) => decimals(value, 2));
  const cell = { ...rho, n: `${numberOf(row, 'n_models')} models` };
  return textOf(row, 'relation').startsWith('same_trait') ? { ...cell, shade: 3 } : cell;
}

function noteOf(rows: readonly Row[]): string {
  const [first] = rows;
  const counts = rows.map((row) => numberOf(row, 'n_models'));
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const level = first === undefined ? '' : levelText(numberOf(first, 'confidence'));
  const method = first === undefined ? '' : textOf(first, 'method');
  return (
    `Spearman's rho over ${least === most ? most : `${least} to ${most}`} models, each metric turned so that more is ` +
    `better; ${level} intervals: ${method}. Shaded: two studies of the same trait, which should agree more than ` +
    'different traits do. Noise in the estimates pulls a correlation towards 0. Of several suites or methods the ' +
    'first is shown; table card_agreement has all.'
  );
}
