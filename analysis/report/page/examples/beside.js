/** Two codes side by side: two steps of an example, or two examples of one task. */
import { lineRows, markedWords } from './changes.js';
import { index, loadExample } from './data.js';
import { byId, element, plain } from './elements.js';
import { failureView, verdictMark } from './verdict.js';
import { resultText } from './view.js';

/** A place in the address: an example, and the number of its step after a point. Default: the last step with code. */
export const codePlace = (text) => {
  const [id, step] = text.split('.');
  return { id, step: step === undefined ? null : Number(step) };
};

const isOfSameTask = (example) => (other) =>
  other.id !== example.id &&
  ['run', 'study', 'benchmark', 'taskId', 'language'].every((name) => other[name] === example[name]);

/** What this example can be compared with: groups of addresses and names, the opposite verdict first. */
const choices = (example) => {
  const steps = example.steps.flatMap((step, place) =>
    step.solution === null ? [] : [[`${example.id}.${place}`, stepName(step)]],
  );
  const others = (example.others ?? index.examples.filter(isOfSameTask(example))).toSorted(
    (a, b) =>
      (passes(a) === passes(example)) - (passes(b) === passes(example)) ||
      nameBeside(example, a).localeCompare(nameBeside(example, b), 'en', { numeric: true }),
  );
  const group = (name, belongs) => [
    name,
    others.filter(belongs).map((other) => [other.id, `${nameBeside(example, other)}: ${plain(other.result)}`]),
  ];
  const isOwn = ({ model }) => model === example.model;
  const isAlike = ({ variant, setting }) => variant === example.variant && setting === example.setting;
  return [
    ['This example', steps.length > 1 ? steps : []],
    group('Other models', (other) => !isOwn(other) && isAlike(other)),
    group('The same model', isOwn),
    group('Other models, asked in another way', (other) => !isOwn(other) && !isAlike(other)),
  ].filter(([, options]) => options.length > 0);
};

const passes = ({ passed, judged }) => judged > 0 && 2 * passed >= judged;

const stepName = ({ loop, step, sample }) => `loop ${loop}, ${step}${sample > 0 ? `, sample ${sample + 1}` : ''}`;

/** The model, and in what else the other differs. */
const nameBeside = (example, other) => {
  const others = ['variant', 'setting'].filter((name) => other[name] !== example[name]).map((name) => other[name]);
  const again = other.repetition === example.repetition ? [] : [`repetition ${other.repetition + 1}`];
  return [other.model, ...others, ...again].join(', ');
};

/** @param left @param right places of codes; right is empty while nothing is chosen */
export const showBeside = async (example, left, right) => {
  const groups = choices(example);
  if (groups.length === 0) return;
  const option = ([value, text]) => element('option', { value }, text);
  const chosen = element(
    'select',
    { id: 'beside-with' },
    element('option', { value: '' }, 'choose'),
    ...groups.map(([label, options]) => element('optgroup', { label }, ...options.map(option))),
  );
  const isListed = groups.some(([, options]) => options.some(([value]) => value === right));
  if (right !== '' && !isListed) chosen.append(option([right, right]));
  chosen.value = right;
  chosen.addEventListener('input', () =>
    location.replace(`#x-${left}${chosen.value === '' ? '' : `~${chosen.value}`}`),
  );
  const from = leftChoice(example, left, right);
  const pair = right === '' ? [] : await besideView(example, left, right);
  byId('beside').replaceChildren(
    element('p', { class: 'choice' }, ...from, element('label', {}, 'Side by side with ', chosen)),
    ...pair,
  );
};

/** Of several steps with code, which one is on the left; nothing to choose before a right side is chosen. */
const leftChoice = (example, left, right) => {
  const steps = example.steps.flatMap((step, place) => (step.solution === null ? [] : [[place, stepName(step)]]));
  if (right === '' || steps.length < 2) return [];
  const select = element(
    'select',
    {},
    ...steps.map(([place, text]) => element('option', { value: `${example.id}.${place}` }, text)),
  );
  select.value = `${example.id}.${stepPlace(example, codePlace(left).step)}`;
  select.addEventListener('input', () => location.replace(`#x-${select.value}~${right}`));
  return [element('label', {}, 'This example, ', select), ' '];
};

const stepPlace = ({ steps }, step) => {
  if (step !== null && step < steps.length) return step;
  const last = steps.findLastIndex(({ solution }) => solution !== null);
  return last === -1 ? steps.length - 1 : last;
};

const besideView = async (example, left, right) => {
  const place = codePlace(right);
  const other = place.id === example.id ? example : await loadExample(place.id);
  if (other === undefined) return [element('p', { class: 'note' }, 'This report does not hold the other example.')];
  const sides = [
    { of: example, step: example.steps[stepPlace(example, codePlace(left).step)] },
    { of: other, step: other.steps[stepPlace(other, place.step)] },
  ];
  return [promptsBeside(sides), codesBeside(sides)];
};

const sideHead = ({ of, step }) =>
  element(
    'th',
    { colspan: '2', scope: 'col' },
    `${of.model}, ${of.variant === 'original' ? '' : `${of.variant}, `}${stepName(step)}`,
    element('br', {}),
    element('span', { class: 'range' }, resultText(of)),
    ...step.verdicts.map((verdict) => element('div', {}, verdictMark(verdict))),
  );

const codesBeside = (sides) => {
  const [left, right] = sides.map(({ step }) => ({ text: step.solution ?? step.reply, language: step.language }));
  const failures = sides.map(({ step }) =>
    element('td', { colspan: '2' }, ...step.verdicts.map(failureView).filter((view) => view !== null)),
  );
  return element(
    'table',
    { class: 'beside' },
    element('caption', {}, left.text === right.text ? 'The code is the same.' : 'Code, line by line'),
    element('colgroup', {}, ...[0, 1].flatMap(() => [element('col', { class: 'line' }), element('col', {})])),
    element('thead', {}, element('tr', {}, ...sides.map(sideHead))),
    element('tbody', {}, ...lineRows(left, right)),
    element('tfoot', {}, element('tr', {}, ...failures)),
  );
};

const promptsBeside = (sides) => {
  const [left, right] = sides.map(({ step }) => step.messages.map(({ content }) => content).join('\n\n'));
  if (left === right) return element('p', { class: 'note' }, 'Both were asked the same question.');
  const { before, after } = markedWords(left, right);
  return element(
    'details',
    { class: 'prompts' },
    element('summary', {}, 'Both prompts, with the words in which they differ'),
    element('div', { class: 'two' }, element('pre', {}, ...before), element('pre', {}, ...after)),
  );
};
