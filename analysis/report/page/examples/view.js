/** One example: what was asked, what came back, and how it was judged. */
import { changedText } from './changes.js';
import { coloured } from './code.js';
import { element, plain, simulatedTag } from './elements.js';
import { failureView, verdictMark } from './verdict.js';

const folded = (summary, open, ...children) =>
  element('details', open ? { open: '' } : {}, element('summary', {}, ...summary), ...children);
const block = (text) => element('pre', {}, text);

const stepTitle = (step) =>
  [
    element('b', {}, `Loop ${step.loop}, ${step.step}`),
    step.ask > 0 ? ` asked again (${step.ask})` : null,
    step.sample > 0 ? ` sample ${step.sample + 1}` : null,
    step.replyStatus === 'ok' ? null : element('span', { class: 'mark fail' }, `✗ ${plain(step.replyStatus)}`),
    ...step.verdicts.map(verdictMark),
    step.score === null ? null : element('span', { class: 'mark' }, `similarity ${step.score}`),
  ].filter((part) => part !== null);

const codeOf = (step) => {
  if (step.extraction === null) return [];
  if (step.solution === null) return [element('p', { class: 'note' }, 'No code was found in the reply.')];
  return [
    element('h4', {}, `Code (${plain(step.extraction)})`),
    element('pre', {}, coloured(step.solution, step.language)),
  ];
};

/** The messages of a question; where a variant changed them, with the changes marked. */
const promptView = ({ messages, original }) => {
  const changed = isChanged({ messages, original });
  return [
    ...(changed ? [element('p', { class: 'note' }, 'Compared with the unchanged prompt: ', ...changeLegend())] : []),
    ...messages.flatMap(({ role, content }, place) => {
      const before = changed ? (original[place]?.content ?? '') : content;
      return [
        element('h4', {}, role),
        element('pre', {}, ...(before === content ? [content] : changedText(before, content))),
      ];
    }),
  ];
};

const sameMessages = (some, others) =>
  some.map(({ content }) => content).join('\0') === others.map(({ content }) => content).join('\0');
const changeLegend = () => [element('ins', {}, 'added'), ' ', element('del', {}, 'removed')];

const isChanged = ({ messages, original }) => original !== null && !sameMessages(original, messages);

const stepView = (step, open) => {
  const reply = step.reply === '' ? element('p', { class: 'note' }, 'The reply is empty.') : block(step.reply);
  const sameText = step.solution !== null && step.solution.trim() === step.reply.trim();
  return folded(
    stepTitle(step),
    open,
    folded(
      [isChanged(step) ? 'Prompt, with what the variant changed' : 'Prompt'],
      isChanged(step),
      ...promptView(step),
    ),
    folded(
      [sameText ? `Reply of ${step.answeringModel} (only the code)` : `Reply of ${step.answeringModel}`],
      step.extraction === null || step.solution === null,
      reply,
    ),
    ...codeOf(step),
    ...step.verdicts.map(failureView).filter((view) => view !== null),
  );
};

export const resultText = ({ result: ending, sustainedLoops }) => {
  if (sustainedLoops === null) return plain(ending);
  const loops = `${sustainedLoops} ${sustainedLoops === 1 ? 'loop' : 'loops'}`;
  return ending === 'survived' ? `survived all ${loops}` : `lasted ${loops}, ended by: ${plain(ending)}`;
};
export const exampleView = (example) => {
  const { steps } = example;
  const asked = steps.filter(({ step }) => step !== 'judge');
  const where = [`study ${example.study}`, example.benchmark, example.language];
  if (example.variant !== 'original') where.push(`variant ${example.variant}`);
  if (example.setting !== 'default') where.push(`setting ${example.setting}`);
  if (example.repetition > 0) where.push(`repetition ${example.repetition + 1}`);
  return [
    element('h2', { id: 'example-title' }, example.taskId),
    element('p', {}, element('b', {}, example.model), simulatedTag(example), ` ${resultText(example)}`),
    element('p', { class: 'note' }, `${where.join(', ')}; run ${example.run}`),
    element('div', { id: 'beside' }),
    ...steps.map((step) => stepView(step, step === asked.at(-1))),
  ];
};
