/** The list of examples, in the order drawn. */
import { index } from './data.js';
import { byId, element, plain, simulatedTag } from './elements.js';
import { flipNames, matches, showFilter } from './filters.js';

export const pageSize = 25;
export let shown = [];
export let rowsShown = 0;

const outcomeText = ({ result, passed, judged }) =>
  judged > 1 ? `${plain(result)}, ${passed} of ${judged} pass` : plain(result);

const listRow = (example) => {
  const { id, taskId, study, variant, flips } = example;
  return element(
    'tr',
    {},
    element('td', {}, element('a', { href: `#x-${id}` }, taskId)),
    element('td', { class: 'name' }, example.model, simulatedTag(example)),
    element('td', {}, outcomeText(example)),
    element('td', { class: 'n' }, example.sustainedLoops === null ? '–' : String(example.sustainedLoops)),
    element('td', {}, variant === 'original' ? study : `${study}, ${variant}`),
    element('td', {}, flips.map((kind) => flipNames[kind] ?? kind).join(', ')),
  );
};

export const showMore = (more = pageSize) => {
  byId('example-list').tBodies[0].append(...shown.slice(rowsShown, rowsShown + more).map(listRow));
  rowsShown = Math.min(shown.length, rowsShown + more);
  byId('example-more').hidden = rowsShown === shown.length;
  byId('example-count').textContent =
    shown.length === 0 ? 'None of the examples held here' : `${rowsShown} of ${shown.length} shown`;
};

export const showList = (rows = pageSize) => {
  showFilter();
  shown = index.examples.filter(matches);
  byId('example-list').tBodies[0].replaceChildren();
  rowsShown = 0;
  showMore(rows);
};
