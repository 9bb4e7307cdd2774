/** The filters of a matrix, and the choice of its columns. */
import { mark } from './mark.js';
import { mostColumnsWithWords } from './sizes.js';
import { columnsOf, wordsIn } from './view.js';
const labelled = (text, control) => mark('label', {}, `${text} `, control);
const searchField = (text, example) =>
  mark('input', { type: 'search', placeholder: example, autocomplete: 'off', 'aria-label': text });
const optionsOf = (names) => names.map((name, place) => mark('option', { value: place }, name));
const chooser = (text, names) => mark('select', { 'aria-label': text }, ...optionsOf(names));
const namesOf = (list) => list.map(({ name }) => name);
const none = '–';

export class GridControls {
  /** @param changed is called with what the reader chose */
  constructor(grid, changed) {
    Object.assign(this, { grid, changed });
    const { models, conditions, varies } = grid;
    this.chosen = { model: null, condition: 0, rowWords: [], columnWords: [], pair: [], sort: null };
    this.tasks = searchField('Tasks', 'number or words');
    this.columns = searchField('Columns named', 'part of a name');
    this.kind = chooser('Columns', ['models', `${varies} of one model`]);
    this.condition = chooser('Show', namesOf(conditions));
    this.model = chooser('Of', namesOf(models));
    this.pair = [chooser('Compare', []), chooser('with', [])];
    this.conditionLabel = labelled('Show', this.condition);
    this.modelLabel = labelled('Of', this.model);
    this.columnLabel = labelled('Columns named', this.columns);
    this.listen();
  }

  /** Puts the controls that this grid needs into its line of filters. */
  show(filters) {
    const { models, conditions, varies } = this.grid;
    const several = varies !== undefined && conditions.length > 1;
    const [one, other] = this.pair;
    filters.append(
      labelled('Tasks', this.tasks),
      ...(several ? [labelled('Columns', this.kind), this.conditionLabel, this.modelLabel] : []),
      this.columnLabel,
      ...(several || models.length > 1
        ? [mark('span', { class: 'both' }, labelled('Compare', one), labelled('with', other))]
        : []),
      mark('span', { class: 'count', role: 'status' }),
    );
    filters.hidden = false;
    this.offerColumns();
  }

  listen() {
    const on = (control, act) => control.addEventListener('input', act);
    on(this.tasks, () => this.change({ rowWords: wordsIn(this.tasks.value) }));
    on(this.columns, () => this.change({ columnWords: wordsIn(this.columns.value) }));
    on(this.condition, () => this.change({ condition: Number(this.condition.value) }));
    on(this.model, () => this.change({ model: Number(this.model.value) }));
    on(this.kind, () => this.turn());
    for (const one of this.pair) on(one, () => this.compare());
  }

  change(more) {
    this.changed(Object.assign(this.chosen, more));
  }

  compare() {
    const places = this.pair.map(({ value }) => value);
    const two = places.every((value) => value !== '') && places[0] !== places[1];
    this.change({ pair: two ? places.map(Number) : [], sort: null });
  }

  /** From models to the conditions of one model, or back. */
  turn() {
    const model = this.kind.value === '1' ? Number(this.model.value) : null;
    Object.assign(this.chosen, { model, columnWords: [], pair: [], sort: null });
    this.offerColumns();
    this.change({});
  }

  offerColumns() {
    const names = namesOf(columnsOf(this.grid, this.chosen));
    for (const one of this.pair) one.replaceChildren(mark('option', { value: '' }, none), ...optionsOf(names));
    this.columns.value = '';
    this.columnLabel.hidden = names.length <= mostColumnsWithWords;
    this.conditionLabel.hidden = this.kind.value === '1';
    this.modelLabel.hidden = this.kind.value !== '1';
  }

  sortBy(key) {
    const { sort } = this.chosen;
    this.change({ sort: { key, down: !(sort?.key === key && sort.down) } });
  }
}
