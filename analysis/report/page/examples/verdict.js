/** What the tests said: outcomes, and of a failure its input, the value expected and what came. */
import { markedWords } from './changes.js';
import { element, plain } from './elements.js';

const verdictText = ({ suite, outcome, firstFailingCase, cases }) => {
  const where =
    firstFailingCase === null ? '' : ` at case ${firstFailingCase + 1}${cases === null ? '' : ` of ${cases}`}`;
  return `${suite}: ${plain(outcome)}${where}`;
};

export const verdictMark = (verdict) =>
  element(
    'span',
    { class: verdict.outcome === 'pass' ? 'mark pass' : 'mark fail' },
    `${verdict.outcome === 'pass' ? '✓' : '✗'} ${verdictText(verdict)}`,
  );

const row = (name, ...content) => [element('dt', {}, name), element('dd', {}, element('pre', {}, ...content))];

/** A list of what is known of the failing case; null if nothing is. */
export const failureView = (verdict) => {
  const { input, expected, got, detail } = verdict;
  const rows = input === null ? [] : row('Failing input', input);
  if (expected !== null && got !== null) {
    const { before, after } = markedWords(expected, got);
    rows.push(...row('Expected', ...before), ...row('Got', ...after));
  } else if (detail !== null) {
    rows.push(...row(verdict.outcome === 'exception' ? 'Raised' : 'Said', detail));
  }
  if (rows.length === 0) return null;
  return element('div', { class: 'failure' }, element('p', {}, verdictText(verdict)), element('dl', {}, ...rows));
};
