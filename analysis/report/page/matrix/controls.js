/** The filters of a matrix, and the choice of its columns. */
import { mark } from './draw.js';
import { mostColumnsWithWords } from './sizes.js';
import { columnsOf, wordsIn } from './view.js';
const labelled = (text, control) => mark('label', {}, `${text} `, control);
const searchField = (text, example) => {
  const field = mark('input', { type: 'search', placeholder: example, autocomplete: 'off', 'aria-label': text });
  return field;
};
const chooser = (text, options) =>
  mark('select', { 'aria-label': text }, ...options.map((option, place) => mark('option', { value: place }, option)));
export const none = '–';

/** @param changed is called with what the reader chose */
export function gridControls(grid, filters, changed) {
  const { models, conditions, varies } = grid;
  const chosen = { model: null, condition: 0, rowWords: [], columnWords: [], pair: [], sort: null };
  const change = (more) => changed(Object.assign(chosen, more));
  const tasks = searchField('Tasks', 'number or words');
  const columns = searchField('Columns named', 'part of a name');
  const kind = chooser('Columns', ['models', `${varies} of one model`]);
  const condition = chooser(
    'Show',
    conditions.map(({ name }) => name),
  );
  const model = chooser(
    'Of',
    models.map(({ name }) => name),
  );
  const pair = [mark('select', { 'aria-label': 'Compare' }), mark('select', { 'aria-label': 'with' })];
  const [conditionLabel, modelLabel] = [labelled('Show', condition), labelled('Of', model)];
  const columnLabel = labelled('Columns named', columns);

  const offerColumns = () => {
    const names = columnsOf(grid, chosen).map(({ name }) => name);
    for (const one of pair)
      one.replaceChildren(
        mark('option', { value: '' }, none),
        ...names.map((name, place) => mark('option', { value: place }, name)),
      );
    columns.value = '';
    columnLabel.hidden = names.length <= mostColumnsWithWords;
    [conditionLabel.hidden, modelLabel.hidden] = [kind.value === '1', kind.value !== '1'];
  };
  const turn = () => {
    Object.assign(chosen, { model: kind.value === '1' ? Number(model.value) : null, columnWords: [], sort: null });
    chosen.pair = [];
    offerColumns();
    change({});
  };
  tasks.addEventListener('input', () => change({ rowWords: wordsIn(tasks.value) }));
  columns.addEventListener('input', () => change({ columnWords: wordsIn(columns.value) }));
  condition.addEventListener('input', () => change({ condition: Number(condition.value) }));
  model.addEventListener('input', () => change({ model: Number(model.value) }));
  kind.addEventListener('input', turn);
  for (const one of pair)
    one.addEventListener('input', () => {
      const places = pair.map(({ value }) => value);
      const two = places.every((value) => value !== '') && places[0] !== places[1];
      change({ pair: two ? places.map(Number) : [], sort: null });
    });

  const several = varies !== undefined && conditions.length > 1;
  filters.append(
    labelled('Tasks', tasks),
    ...(several ? [labelled('Columns', kind), conditionLabel, modelLabel] : []),
    columnLabel,
    ...(several || models.length > 1 ? [labelled('Compare', pair[0]), labelled('with', pair[1])] : []),
    mark('span', { class: 'count', role: 'status' }),
  );
  filters.hidden = false;
  offerColumns();
  return {
    chosen,
    sortBy(key) {
      change({ sort: { key, down: !(chosen.sort?.key === key && chosen.sort.down) } });
    },
  };
}
