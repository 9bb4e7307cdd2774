/** What a matrix says in words: its size, what a cell means, what flips. */
import { mark } from './mark.js';
const counted = (number, what) => `${number} ${number === 1 ? what : `${what}s`}`;

export function sizeText({ varies }, { rows, columns }, { model }) {
  const across = model === null ? counted(columns.length, 'model') : `${columns.length} ${varies}`;
  return `${counted(rows.length, 'task')} × ${across}`;
}

export function cellText(grid, row, column, { model }) {
  const { name, words } = grid.tasks[row];
  const more = model === null && column.condition > 0 ? `, ${grid.conditions[column.condition].name}` : '';
  const of = model === null ? '' : `${grid.models[model].name}, `;
  const meaning = grid.cellAt(row, column).meaning;
  return `${name} · ${of}${column.name}${more}: ${meaning}${words === '' ? '' : ` · ${words}`}`;
}

/** Counted over all tasks, whatever the filter. */
export function flipsText({ conditions }, { pair, flips }) {
  const [first, second] = pair;
  const count = (condition) => flips.filter((flip) => flip !== null && condition(flip)).length;
  const only = (one, other, number) => `${one.name} passes and ${other.name} does not: ${counted(number, 'task')}`;
  const unknown = flips.filter((flip) => flip === null).length;
  const passing = new Set(pair.map(({ condition }) => conditions[condition].passing));
  return [
    only(
      first,
      second,
      count((flip) => flip.flips && flip.first),
    ),
    only(
      second,
      first,
      count((flip) => flip.flips && flip.second),
    ),
    `Both pass: ${count((flip) => !flip.flips && flip.first)}; neither: ${count((flip) => !flip.flips && !flip.first)}${
      unknown === 0 ? '' : `; not compared, because one has no value: ${unknown}`
    }`,
    `Passes here: ${[...passing].join('; or ')}`,
  ]
    .map((sentence) => `${sentence}.`)
    .join(' ');
}

export function scaleOf({ most, unit }) {
  const steps = Array.from({ length: 11 }, (_, step) => mark('i', { class: `k${step}` }));
  const parts = steps.flatMap((step) => [step, '']);
  return mark('span', { class: 'scale', 'aria-hidden': 'true' }, '0 ', ...parts, ` ${most}${unit ?? ''}`);
}
