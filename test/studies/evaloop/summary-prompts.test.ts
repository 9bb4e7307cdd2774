import { expect, test } from 'vitest';
import { type SummaryPromptName, summaryPrompts } from '../../../studies/evaloop/summary-prompts.ts';

/** Listing 3.2, with CODE for the code. */
const listing: Record<SummaryPromptName, string[]> = {
  initial: [
    'Use one sentence to summarize the following code and start with write a python function to:',
    '```',
    'CODE',
    '```',
    '```',
    'write a python function to',
    '```',
  ],
  detailed: [
    'Summarize what the following code does in natural language:',
    '```',
    'CODE',
    '```',
    'Provide a brief explanation in 2-3 sentences. Describe what the code does and its basic inputs/outputs, but ' +
      'avoid technical implementation details and repetitive explanations. Keep it straightforward and concise.',
  ],
  case: [
    'USE ONE SENTENCE TO SUMMARIZE THE FOLLOWING CODE AND START WITH WRITE A PYTHON FUNCTION TO:',
    '```',
    'CODE',
    '```',
    '```',
    'WRITE A PYTHON FUNCTION TO',
    '```',
  ],
  structure: [
    'Task: Use one sentence to summarize the following code and start with write a python function to:',
    '1. Input Code:',
    '```',
    'CODE',
    '```',
    '2. Output Format:',
    '```',
    'write a python function to',
    '```',
  ],
  simple: [
    "Summarize this code in one sentence starting with 'write a python function to':",
    '```',
    'CODE',
    '```',
    'Summary: write a python function to',
  ],
  elaboration: [
    'Please analyze the provided Python code below and generate a concise one-sentence summary. Your response ' +
      "must begin with the exact phrase 'write a python function to'.",
    'Code to analyze:',
    '```python',
    'CODE',
    '```',
    'Please provide your summary in the following format:',
    '```',
    'write a python function to',
    '```',
  ],
};

test.each(Object.entries(listing))('the summary prompt %s is that of listing 3.2', (name, lines) => {
  expect(summaryPrompts[name as SummaryPromptName]('CODE')).toBe(lines.join('\n'));
});

test('there are the initial prompt and five others', () => {
  expect(Object.keys(summaryPrompts)).toEqual(Object.keys(listing));
});
