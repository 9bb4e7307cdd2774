import { expect, test } from 'vitest';
import { readQuestion } from '../../simulator/question.ts';

const code = 'def add(a, b):\n    return a + b\n';
const fenced = `\`\`\`\n${code}\`\`\``;

test.each([
  [
    'EVALOOP, initial',
    'Use one sentence to summarize the following code and start with write a python function to:\n' +
      `${fenced}\n\`\`\`\nwrite a python function to\n\`\`\``,
  ],
  [
    'EVALOOP, detailed',
    `Summarize what the following code does in natural language:\n${fenced}\n` +
      'Provide a brief explanation in 2-3 sentences.',
  ],
  [
    'EVALOOP, upper case',
    `USE ONE SENTENCE TO SUMMARIZE THE FOLLOWING CODE AND START WITH WRITE A PYTHON FUNCTION TO:\n${fenced}`,
  ],
  [
    'EVALOOP, redundant',
    'Please analyze the provided Python code below and generate a concise one-sentence summary.\n' +
      `Code to analyze:\n\`\`\`python\n${code}\`\`\``,
  ],
  ['without a fence', `Explain what this does:\n${code}`],
])('%s asks for a summary of the code', (_, text) => {
  expect(readQuestion(text)).toEqual({ kind: 'summarize', code });
});

test('pseudocode is ordered, and a description of it', () => {
  expect(readQuestion('Write pseudocode for the following task: \n"""\nWrite a function to add.\n"""\n')).toEqual({
    kind: 'pseudocode',
  });
  const about = 'Use one sentence to summarize the following pseudocode and start with write a python function to:';
  expect(
    readQuestion(`${about}\n\`\`\`\nFUNCTION add\n1. Add.\n\`\`\`\n\`\`\`\nwrite a python function to\n\`\`\``),
  ).toEqual({
    kind: 'unravel',
    pseudocode: 'FUNCTION add\n1. Add.\n',
  });
});

test.each([
  [
    'a plain task',
    'Generate Python code for the following task: \nWrite a function to summarize a list.\nassert total([1]) == 1',
  ],
  ['an improvement of given code', `Write readable code and improve the following code:\n${fenced}`],
  [
    'a signature whose docstring speaks of a summary',
    'def total(values):\n    """Return a summary of the values."""\n',
  ],
])('%s asks for code', (_, text) => {
  expect(readQuestion(text)).toEqual({ kind: 'generate' });
});
