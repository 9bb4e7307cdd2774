/** The filters of the list: controls for some, a removable mark for each of the others. The address keeps them all. */
import { index } from './data.js';
import { byId, element, plain } from './elements.js';

export const allNames = {
  study: 'all studies',
  model: 'all models',
  variant: 'all variants',
  outcome: 'all results',
  flip: 'flips or not',
};
let filter = {};

const isFailure = (result) => !['pass', 'survived', 'not judged', 'not_asked'].includes(result) && !isExcluded(result);
const isExcluded = (result) => result.startsWith('excluded');

const matchers = {
  task: (example, value) => example.taskId === value,
  repetition: (example, value) => String(example.repetition) === value,
  loops: (example, value) => String(example.sustainedLoops) === value,
  outcome: (example, value) => (value === 'fails' ? isFailure(example.result) : example.result === value),
  flip: (example, value) => (value === 'any' ? example.flips.length > 0 : example.flips.includes(value)),
  words: (example, value) => {
    const text = [example.taskId, example.model, example.study, example.variant].join(' ').toLowerCase();
    return value
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word));
  },
};
export const matches = (example) =>
  Object.entries(filter).every(([name, value]) => (matchers[name] ?? ((one) => one[name] === value))(example, value));

const valuesOf = {
  outcome: () => index.examples.map(({ result }) => result),
  flip: () => index.examples.flatMap(({ flips }) => flips),
};
const firstOptions = { outcome: [['fails', 'any failure']], flip: [['any', 'any flip']] };
export const flipNames = {
  run: 'between runs',
  variant: 'between variants',
  model: 'between models',
  setting: 'between settings',
  repetition: 'between repetitions',
  loop: 'in a later loop',
  answer: 'between answers',
};

const fillSelect = (name, select) => {
  const found = [...new Set((valuesOf[name] ?? (() => index.examples.map((one) => one[name])))())];
  const chosen = filter[name];
  const first = firstOptions[name] ?? [];
  if (chosen !== undefined && !found.includes(chosen) && !first.some(([value]) => value === chosen)) found.push(chosen);
  const named = found.map((value) => [value, name === 'flip' ? (flipNames[value] ?? value) : plain(value)]);
  const options = [
    ['', allNames[name]],
    ...(found.length > 1 ? first : first.filter(([value]) => value === chosen)),
    ...named.sort(([, a], [, b]) => a.localeCompare(b, 'en', { numeric: true })),
  ];
  select.replaceChildren(...options.map(([value, text]) => element('option', { value }, text)));
  select.value = chosen ?? '';
  select.closest('label').hidden = found.length < 2 && chosen === undefined;
};

/** Shows `filter` in the controls. */
export const showFilter = () => {
  for (const name of Object.keys(allNames)) fillSelect(name, byId(`example-${name}`));
  const words = byId('example-words');
  if (words !== document.activeElement) words.value = filter.words ?? '';
  const others = Object.entries(filter).filter(([name]) => name !== 'words' && !(name in allNames));
  byId('example-others').replaceChildren(
    ...others.map(([name, value]) => {
      const mark = element('button', { type: 'button', title: 'Remove this filter' }, `${name} ${plain(value)} ×`);
      mark.addEventListener('click', () => changeFilter(name, ''));
      return mark;
    }),
  );
};

export const changeFilter = (name, value) => {
  const { [name]: _before, ...others } = filter;
  filter = value === '' ? others : { ...others, [name]: value };
  history.replaceState(history.state, '', filterAddress());
  onChange();
};

let onChange = () => {};
/** Whoever shows the list is told when a filter changes. */
export const whenFilterChanges = (listener) => {
  onChange = listener;
};

const filterAddress = () => {
  const asked = new URLSearchParams(filter).toString();
  return asked === '' ? '#examples' : `#examples?${asked}`;
};

export const readFilter = () => {
  filter = Object.fromEntries(new URLSearchParams(location.hash.split('?')[1] ?? ''));
};
