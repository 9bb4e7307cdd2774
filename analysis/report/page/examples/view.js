/** One example: what was asked, what came back, and how it was judged. */
import { element, plain, simulatedTag } from './elements.js';

const folded = (summary, open, ...children) =>
  element('details', open ? { open: '' } : {}, element('summary', {}, ...summary), ...children);
const block = (text) => element('pre', {}, text);
const verdictText = ({ suite, outcome, firstFailingCase, cases }) => {
  const where =
    firstFailingCase === null ? '' : ` at case ${firstFailingCase + 1}${cases === null ? '' : ` of ${cases}`}`;
  return `${suite}: ${plain(outcome)}${where}`;
};
const verdictMark = (verdict) =>
  element(
    'span',
    { class: verdict.outcome === 'pass' ? 'mark pass' : 'mark fail' },
    `${verdict.outcome === 'pass' ? '✓' : '✗'} ${verdictText(verdict)}`,
  );

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
  return [element('h4', {}, `Code (${plain(step.extraction)})`), block(step.solution)];
};
const stepView = (step, open) => {
  const prompt = step.messages.flatMap(({ role, content }) => [element('h4', {}, role), block(content)]);
  const reply = step.reply === '' ? element('p', { class: 'note' }, 'The reply is empty.') : block(step.reply);
  const sameText = step.solution !== null && step.solution.trim() === step.reply.trim();
  const details = step.verdicts.filter(({ detail }) => detail !== null);
  return folded(
    stepTitle(step),
    open,
    folded(['Prompt'], false, ...prompt),
    folded(
      [sameText ? `Reply of ${step.answeringModel} (only the code)` : `Reply of ${step.answeringModel}`],
      step.extraction === null || step.solution === null,
      reply,
    ),
    ...codeOf(step),
    ...details.map((verdict) => element('p', { class: 'detail' }, `${verdictText(verdict)}: ${verdict.detail}`)),
  );
};

const resultText = ({ result: ending, sustainedLoops }) => {
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
    ...steps.map((step) => stepView(step, step === asked.at(-1))),
  ];
};
